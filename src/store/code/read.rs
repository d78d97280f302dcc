//! What scan, index and search ask metadata.db. Read [`CodeReader`] first.

use std::collections::HashMap;
use std::path::Path;

use rusqlite::Row;
use rusqlite::types::FromSql;

use super::super::database::Database;
use super::super::error::{Kind, StoreError, undecodable};
use super::super::inverted;
use super::names::{self, Definition, Entry, SpelledSymbol, SymbolRef, lookup_name};
use super::pack::{self, Outline};
use crate::model::{Chunk, ContentHash, Facts, FileId, KnownFile, RelPath, Skip, SkipReason, Stat, Symbol};

/// A file of the index, without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    pub id: FileId,
    pub path: RelPath,
    pub lang: Box<str>,
    pub hash: ContentHash,
    /// Bytes.
    pub size: u64,
    pub lines: u32,
    pub chunks: u32,
    pub symbols: u32,
    /// Syntax error nodes.
    pub errors: u32,
    pub gave_up: bool,
    pub generated: bool,
}

/// Sums over all files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodeStats {
    pub files: u64,
    pub bytes: u64,
    pub lines: u64,
    pub chunks: u64,
    pub symbols: u64,
    pub files_with_errors: u64,
    pub files_given_up: u64,
    pub generated: u64,
    /// Most files first.
    pub langs: Vec<LangStats>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LangStats {
    pub lang: Box<str>,
    pub files: u64,
    pub lines: u64,
}

/// A connection to metadata.db that reads. It never waits for a writer.
#[derive(Debug)]
pub struct CodeReader {
    database: Database,
}

const FILE_COLUMNS: &str =
    "SELECT id, path, lang, hash, size, lines, chunks, symbols, errors, gave_up, generated FROM file";

const KNOWN_COLUMNS: &str = "SELECT path, id, hash, size, mtime_ns, ctime_ns, inode, hashed_at_ns FROM file";

impl CodeReader {
    /// Opens `metadata.db` at `path`.
    ///
    /// # Errors
    /// [`StoreError::Missing`], [`StoreError::Damaged`], [`StoreError::Version`].
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { database: Database::open_reader(path, Kind::Metadata)? })
    }

    /// Everything read while it lives is of one commit.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn snapshot(&self) -> Result<rusqlite::Transaction<'_>, StoreError> {
        self.database.snapshot()
    }

    /// Number of the last commit; the text store's of the same number belongs to it.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn commit(&self) -> Result<i64, StoreError> {
        Ok(self.database.state("commit")?.unwrap_or_default())
    }

    /// By id.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn files(&self) -> Result<Vec<FileRow>, StoreError> {
        let mut files = Vec::new();
        self.database.each(&format!("{FILE_COLUMNS} ORDER BY id"), (), |row| {
            files.push(file_row(row)?);
            Ok(())
        })?;
        Ok(files)
    }

    /// # Errors
    /// See [`StoreError`].
    pub fn file(&self, file: FileId) -> Result<Option<FileRow>, StoreError> {
        self.database.first(&format!("{FILE_COLUMNS} WHERE id = ?1"), [file.0], file_row)
    }

    /// # Errors
    /// See [`StoreError`].
    pub fn file_at(&self, path: &RelPath) -> Result<Option<FileRow>, StoreError> {
        self.database.first(&format!("{FILE_COLUMNS} WHERE path = ?1"), [path.as_str()], file_row)
    }

    /// What change detection compares with.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn known(&self) -> Result<HashMap<RelPath, KnownFile>, StoreError> {
        let mut known = HashMap::new();
        self.database.each(KNOWN_COLUMNS, (), |row| {
            known.insert(RelPath::new(row.get_ref(0)?.as_str()?), known_file(row)?);
            Ok(())
        })?;
        Ok(known)
    }

    /// The same of a few files; those that are not in the index are left out.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn known_of<'a>(
        &self,
        paths: impl Iterator<Item = &'a RelPath>,
    ) -> Result<HashMap<RelPath, KnownFile>, StoreError> {
        let mut known = HashMap::new();
        for path in paths {
            let file = self.database.first(&format!("{KNOWN_COLUMNS} WHERE path = ?1"), [path.as_str()], known_file)?;
            known.extend(file.map(|file| (path.clone(), file)));
        }
        Ok(known)
    }

    /// Symbols, chunks and spans of a file; empty for an unknown one.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn outline(&self, file: FileId) -> Result<Outline, StoreError> {
        self.content("SELECT outline FROM content WHERE file = ?1", file, pack::unpack_outline)
    }

    /// By ordinal.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn chunks(&self, file: FileId) -> Result<Vec<Chunk>, StoreError> {
        Ok(self.outline(file)?.chunks)
    }

    /// # Errors
    /// See [`StoreError`].
    pub fn symbols(&self, file: FileId) -> Result<Vec<Symbol>, StoreError> {
        self.content("SELECT outline FROM content WHERE file = ?1", file, pack::unpack_symbols)
    }

    /// # Errors
    /// See [`StoreError`].
    pub fn facts(&self, file: FileId) -> Result<Facts, StoreError> {
        self.content("SELECT facts FROM content WHERE file = ?1", file, pack::unpack_facts)
    }

    /// Facts without references and scopes: what of them other files can see.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn outer_facts(&self, file: FileId) -> Result<Facts, StoreError> {
        self.content("SELECT facts FROM content WHERE file = ?1", file, pack::unpack_outer_facts)
    }

    /// The text that was indexed.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn text(&self, file: FileId) -> Result<String, StoreError> {
        self.content("SELECT text FROM content WHERE file = ?1", file, pack::unpack_text)
    }

    /// Chunks that define `name`, whatever its case and leading `_` or `$`; by file id and chunk.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn definitions(&self, name: &str) -> Result<Vec<Definition>, StoreError> {
        let mut found = Vec::new();
        self.usage(name, "definitions > 0", |file, entry| found.extend(entry.definitions(file)))?;
        found.sort_unstable();
        Ok(found)
    }

    /// Symbols of that name, whatever its case and leading `_` or `$`; by file id and position.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_symbols(&self, name: &str) -> Result<Vec<SymbolRef>, StoreError> {
        let mut found = Vec::new();
        self.usage(name, "definitions > 0", |file, entry| found.extend(entry.symbols(file)))?;
        found.sort_unstable();
        Ok(found)
    }

    /// Hands on the symbols that are spelled exactly so, by file id.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn each_symbol_spelled(&self, name: &str, mut take: impl FnMut(SpelledSymbol)) -> Result<(), StoreError> {
        self.usage_rows(name, "definitions > 0", |file, bytes, at, key| {
            names::each_symbol(bytes, at, |symbol, spelled| {
                if spelled.unwrap_or(key) == name {
                    take(SpelledSymbol { file, ..symbol });
                }
            })
        })
    }

    /// Files that export a name of another file under this one; by id.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn reexports(&self, name: &str) -> Result<Vec<FileId>, StoreError> {
        let mut found = Vec::new();
        self.usage(name, "1", |file, entry| found.extend(entry.reexported.then_some(file)))?;
        Ok(found)
    }

    /// Hands on the look-up form of every name in the index, in no order.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn words(&self, mut take: impl FnMut(&str)) -> Result<(), StoreError> {
        self.database.each("SELECT text FROM word", (), |row| {
            take(row.get_ref(0)?.as_str()?);
            Ok(())
        })
    }

    /// Files that call or import the name; by id.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn mentions(&self, name: &str) -> Result<Vec<FileId>, StoreError> {
        let mut found = Vec::new();
        self.usage(name, "1", |file, entry| found.extend(entry.mentioned.then_some(file)))?;
        Ok(found)
    }

    /// # Errors
    /// See [`StoreError`].
    pub fn stats(&self) -> Result<CodeStats, StoreError> {
        let sql = "SELECT count(*), total(size), total(lines), total(chunks), total(symbols), \
                   total(errors > 0), total(gave_up), total(generated) FROM file";
        let read = |row: &Row<'_>| {
            Ok(CodeStats {
                files: unsigned(row, 0)?,
                bytes: sum(row, 1)?,
                lines: sum(row, 2)?,
                chunks: sum(row, 3)?,
                symbols: sum(row, 4)?,
                files_with_errors: sum(row, 5)?,
                files_given_up: sum(row, 6)?,
                generated: sum(row, 7)?,
                langs: Vec::new(),
            })
        };
        let mut stats = self.database.first(sql, (), read)?.unwrap_or_default();
        let sql = "SELECT lang, count(*), total(lines) FROM file GROUP BY lang ORDER BY 2 DESC, 1";
        self.database.each(sql, (), |row| {
            stats.langs.push(LangStats { lang: row.get(0)?, files: unsigned(row, 1)?, lines: sum(row, 2)? });
            Ok(())
        })?;
        Ok(stats)
    }

    /// Files that were left out, by path.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn skipped(&self) -> Result<Vec<Skip>, StoreError> {
        let mut skipped = Vec::new();
        self.database.each("SELECT path, reason, size FROM skipped ORDER BY path", (), |row| {
            let path = RelPath::new(row.get_ref(0)?.as_str()?);
            let reason = SkipReason::parse(row.get_ref(1)?.as_str()?).ok_or_else(|| undecodable("a reason"))?;
            skipped.push(Skip { path, reason, size: unsigned(row, 2)? });
            Ok(())
        })?;
        Ok(skipped)
    }

    /// How many files were left out, by reason; reasons without any are not there.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn skipped_counts(&self) -> Result<Vec<(SkipReason, u64)>, StoreError> {
        let mut counts = Vec::new();
        self.database.each("SELECT reason, count(*) FROM skipped GROUP BY reason", (), |row| {
            let reason = SkipReason::parse(row.get_ref(0)?.as_str()?).ok_or_else(|| undecodable("a reason"))?;
            counts.push((reason, unsigned(row, 1)?));
            Ok(())
        })?;
        counts.sort_unstable();
        Ok(counts)
    }

    /// Hashes of folders as the last complete run left them, by path; `""` is the root.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn dirs(&self) -> Result<Vec<(String, ContentHash)>, StoreError> {
        let mut dirs = Vec::new();
        self.database.each("SELECT path, hash FROM dir ORDER BY path", (), |row| {
            dirs.push((row.get(0)?, ContentHash(unsigned(row, 1)?)));
            Ok(())
        })?;
        Ok(dirs)
    }

    /// A text that the last complete run left under `key`.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn meta(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.database.first("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0))
    }

    pub(in crate::store) const fn database(&self) -> &Database {
        &self.database
    }

    fn content<T: Default>(&self, sql: &str, file: FileId, unpack: fn(&[u8]) -> Option<T>) -> Result<T, StoreError> {
        let read = |row: &Row<'_>| unpack(row.get_ref(0)?.as_blob()?).ok_or_else(|| undecodable("content of a file"));
        Ok(self.database.first(sql, [file.0], read)?.unwrap_or_default())
    }

    /// Hands on what every file says of a name, by file id, from rows that meet `condition`.
    fn usage(&self, name: &str, condition: &str, mut take: impl FnMut(FileId, Entry)) -> Result<(), StoreError> {
        self.usage_rows(name, condition, |file, bytes, at, key| {
            take(file, names::decode(bytes, at, key)?);
            Some(())
        })
    }

    /// Hands on the bytes of every entry of a name and where it begins; `read` moves behind it or answers `None`.
    fn usage_rows(
        &self,
        name: &str,
        condition: &str,
        mut read: impl FnMut(FileId, &[u8], &mut usize, &str) -> Option<()>,
    ) -> Result<(), StoreError> {
        let key = lookup_name(name);
        let word = self.database.first("SELECT id FROM word WHERE text = ?1", [&key], |row| row.get(0))?;
        let Some((from, to)) = word.map(|word: u32| inverted::row_keys(word.into())) else { return Ok(()) };
        let sql = format!("SELECT key, data FROM usage WHERE key BETWEEN ?1 AND ?2 AND {condition} ORDER BY key");
        self.database.each(&sql, (from, to), |row| {
            let (first, data) = (inverted::first_file(row.get(0)?), row.get_ref(1)?.as_blob()?);
            let (mut at, mut next) = (0, 0);
            while at < data.len() {
                let slot = inverted::next_slot(data, &mut at, &mut next);
                let entry = slot.and_then(|slot| read(FileId(first + slot), data, &mut at, &key));
                entry.ok_or_else(|| undecodable("uses of a name"))?;
            }
            Ok(())
        })
    }
}

/// From four columns, the first at `at`.
fn stat(row: &Row<'_>, at: usize) -> rusqlite::Result<Stat> {
    let (mtime_ns, ctime_ns) = (row.get(at + 1)?, row.get(at + 2)?);
    Ok(Stat { size: unsigned(row, at)?, mtime_ns, ctime_ns, inode: unsigned(row, at + 3)? })
}

fn known_file(row: &Row<'_>) -> rusqlite::Result<KnownFile> {
    Ok(KnownFile {
        id: FileId(row.get(1)?),
        hash: ContentHash(unsigned(row, 2)?),
        stat: stat(row, 3)?,
        hashed_at_ns: row.get(7)?,
    })
}

fn file_row(row: &Row<'_>) -> rusqlite::Result<FileRow> {
    Ok(FileRow {
        id: FileId(row.get(0)?),
        path: RelPath::new(row.get_ref(1)?.as_str()?),
        lang: row.get(2)?,
        hash: ContentHash(unsigned(row, 3)?),
        size: unsigned(row, 4)?,
        lines: row.get(5)?,
        chunks: row.get(6)?,
        symbols: row.get(7)?,
        errors: row.get(8)?,
        gave_up: row.get(9)?,
        generated: row.get(10)?,
    })
}

fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(column).map(i64::cast_unsigned)
}

fn sum(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let sum = f64::column_result(row.get_ref(column)?)?;
    Ok(sum as u64)
}
