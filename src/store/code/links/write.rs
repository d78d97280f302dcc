//! Changes to the links in metadata.db, inside the transaction that `worker` holds. Rows of a file go in at once; inverted rows and the
//! two lists wait in memory until [`LinkWriter::flush`]. Read [`LinkWriter::put`] first.

use rusqlite::Row;

use super::super::super::database::{Database, Statement};
use super::super::super::dictionary::Dictionary;
use super::super::super::error::{StoreError, undecodable};
use super::super::super::inverted::{BLOCK_FILES, RowTable, Run};
use super::{PackedLinks, codec, varint};
use crate::model::FileId;

const INCOMING: RowTable = RowTable {
    select: "SELECT data FROM incoming WHERE key = ?1",
    replace: "INSERT OR REPLACE INTO incoming (key, files, edges, data) VALUES (?1, ?2, ?3, ?4)",
    delete: "DELETE FROM incoming WHERE key = ?1",
    skip: codec::skip_entry,
};

const IMPORTED: RowTable = RowTable {
    select: "SELECT data FROM imported WHERE key = ?1",
    replace: "INSERT OR REPLACE INTO imported (key, files, imports, data) VALUES (?1, ?2, ?3, ?4)",
    delete: "DELETE FROM imported WHERE key = ?1",
    skip: varint::get,
};

/// All links were made once. Until then every file is unresolved, and nobody needs to know what has changed.
const LINKED: &str = "linked";

/// What of the links has changed since the last flush.
#[derive(Debug)]
pub(in crate::store::code) struct LinkWriter {
    incoming: Run,
    imported: Run,
    unresolved: Vec<u32>,
    changed: Vec<u32>,
    linked: bool,
    /// Blocks from here on have no inverted rows.
    fresh: u32,
    /// Files from here on have no links.
    end: u32,
    /// Numbers of names of the file in work.
    numbers: Vec<u32>,
}

impl LinkWriter {
    pub(in crate::store::code) fn open(database: &Database) -> Result<Self, StoreError> {
        let linked = database.state(LINKED)?.is_some();
        let end = end_of(database, "SELECT max(file) FROM link")?;
        Ok(Self {
            incoming: Run::default(),
            imported: Run::default(),
            unresolved: Vec::new(),
            changed: Vec::new(),
            linked,
            fresh: end.div_ceil(BLOCK_FILES),
            end,
            numbers: Vec::new(),
        })
    }

    /// Bytes that wait for a flush.
    pub(in crate::store::code) fn waiting(&self) -> usize {
        let keys = self.unresolved.len() + self.changed.len();
        self.incoming.size() + self.imported.size() + keys * size_of::<u32>()
    }

    /// The content of `file` is another one; `known` when there was one before. Its links are void, and files that looked up what
    /// it no longer exposes in the same way are to be resolved again.
    pub(in crate::store::code) fn put(
        &mut self,
        database: &Database,
        file: FileId,
        known: bool,
        exposed: &[u8],
    ) -> Result<(), StoreError> {
        if known {
            self.forget(database, file)?;
        }
        self.note_changes(database, file, known, exposed)?;
        let sql = "INSERT OR REPLACE INTO exposed (file, data) VALUES (?1, ?2)";
        database.run(sql, (file.0, exposed))?;
        self.unresolved.push(file.0);
        Ok(())
    }

    /// Takes out the links of a file that is gone. Others may still lead to it: its number stays among the unresolved.
    pub(in crate::store::code) fn remove(&mut self, database: &Database, file: FileId) -> Result<(), StoreError> {
        self.forget(database, file)?;
        self.note_changes(database, file, true, &[])?;
        database.run("DELETE FROM exposed WHERE file = ?1", [file.0])?;
        self.unresolved.push(file.0);
        Ok(())
    }

    /// Makes `links` what leads out of `file`.
    pub(in crate::store::code) fn link(
        &mut self,
        database: &Database,
        words: &mut Dictionary,
        file: FileId,
        links: &PackedLinks,
    ) -> Result<(), StoreError> {
        self.forget(database, file)?;
        if *links == PackedLinks::default() {
            return Ok(());
        }
        self.numbers.clear();
        for (name, entry) in links.incoming.iter() {
            let number = words.number(database, name)?;
            self.incoming.put(number.into(), file, entry);
            self.numbers.push(number);
        }
        self.numbers.sort_unstable();
        let mut entry = Vec::new();
        for (target, imports) in &links.imported {
            entry.clear();
            varint::put(&mut entry, *imports);
            self.imported.put(target.0.into(), file, &entry);
        }
        self.end = self.end.max(file.0 + 1);
        let words = varint::pack_ascending(&self.numbers);
        let sql = "INSERT OR REPLACE INTO link (file, counts, words, imports, edges) VALUES (?1, ?2, ?3, ?4, ?5)";
        database.run(sql, (file.0, &links.counts, words, &links.imports, &links.edges))?;
        database.run("INSERT OR REPLACE INTO watched (file, keys) VALUES (?1, ?2)", (file.0, &links.watched))
    }

    /// All links are made.
    pub(in crate::store::code) fn conclude(&mut self, database: &Database) -> Result<(), StoreError> {
        self.unresolved.clear();
        self.changed.clear();
        database.run("DELETE FROM unresolved", ())?;
        database.run("DELETE FROM changed", ())?;
        if !self.linked {
            database.set_state(LINKED, 1)?;
            self.linked = true;
        }
        Ok(())
    }

    /// Numbers of files that are or may be named by edges although their links are not made, ascending.
    pub(in crate::store::code) fn unresolved(&self, database: &Database) -> Result<Vec<u32>, StoreError> {
        let mut files = self.unresolved.clone();
        database.each("SELECT file FROM unresolved", (), |row| {
            files.push(row.get(0)?);
            Ok(())
        })?;
        files.sort_unstable();
        Ok(files)
    }

    /// Writes what waits in memory.
    pub(in crate::store::code) fn flush(&mut self, database: &Database) -> Result<(), StoreError> {
        insert(&mut self.unresolved, database.statement("INSERT OR IGNORE INTO unresolved (file) VALUES (?1)")?)?;
        insert(&mut self.changed, database.statement("INSERT OR IGNORE INTO changed (key) VALUES (?1)")?)?;
        self.incoming.flush(database, &INCOMING, self.fresh)?;
        self.imported.flush(database, &IMPORTED, self.fresh)?;
        self.fresh = self.fresh.max(self.end.div_ceil(BLOCK_FILES));
        Ok(())
    }

    /// Takes out all that leads out of a file.
    fn forget(&mut self, database: &Database, file: FileId) -> Result<(), StoreError> {
        let read = |row: &Row<'_>| {
            let words = varint::unpack_ascending(row.get_ref(0)?.as_blob()?);
            let found = words.zip(codec::get_imports(row.get_ref(1)?.as_blob()?));
            found.ok_or_else(|| undecodable("links of a file"))
        };
        let stored = database.first("SELECT words, imports FROM link WHERE file = ?1", [file.0], read)?;
        let Some((words, imports)) = stored else { return Ok(()) };
        for word in words {
            self.incoming.remove(word.into(), file);
        }
        for target in imports.iter().filter_map(|import| import.to) {
            self.imported.remove(target.0.into(), file);
        }
        database.run("DELETE FROM link WHERE file = ?1", [file.0])?;
        database.run("DELETE FROM watched WHERE file = ?1", [file.0])
    }

    /// Remembers the keys that `exposed` answers in another way than what is stored.
    fn note_changes(
        &mut self,
        database: &Database,
        file: FileId,
        known: bool,
        exposed: &[u8],
    ) -> Result<(), StoreError> {
        if !self.linked {
            return Ok(());
        }
        let changed = &mut self.changed;
        let mut compare = |old: &[u8]| codec::each_difference(old, exposed, |key| changed.push(key));
        let compared = if known {
            let read = |row: &Row<'_>| Ok(compare(row.get_ref(0)?.as_blob()?));
            database.first("SELECT data FROM exposed WHERE file = ?1", [file.0], read)?.flatten()
        } else {
            compare(&[])
        };
        compared.ok_or_else(|| database.damaged("what a file exposes"))
    }
}

/// One more than the greatest number that `sql` finds.
pub(in crate::store::code) fn end_of(database: &Database, sql: &str) -> Result<u32, StoreError> {
    let last = database.first(sql, (), |row| row.get::<_, Option<u32>>(0))?;
    Ok(last.flatten().map_or(0, |last| last.saturating_add(1)))
}

/// In the order of the table.
fn insert(values: &mut Vec<u32>, mut statement: Statement<'_>) -> Result<(), StoreError> {
    values.sort_unstable();
    values.dedup();
    values.drain(..).try_for_each(|value| statement.run([value]))
}
