CREATE TABLE state (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE term (text TEXT PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE posting (key INTEGER PRIMARY KEY, files INTEGER NOT NULL, chunks INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE block (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE doc (file INTEGER PRIMARY KEY, terms BLOB NOT NULL);
CREATE VIRTUAL TABLE chunk_fts USING fts5(
    name, path, signature, body,
    content='', contentless_delete=1, detail=column, tokenize="ascii tokenchars '_$'"
);
INSERT INTO chunk_fts(chunk_fts, rank) VALUES ('hashsize', 4194304);
