//! Opening the two SQLite files and running statements on them with errors that name the file. It knows no table but
//! `state`, which both have. Read [`Database`] first.
//!
//! Both are in WAL mode with `synchronous=NORMAL`: a crash of the process loses nothing, a power cut may lose the last commits
//! of either file, which the commit numbers in `state` show (see `writer`).

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{CachedStatement, Connection, OpenFlags, Params, Row};

use super::StorePaths;
use super::error::{Kind, StoreError};
use super::lock::IndexLock;

/// Scripts in order; the number of those that ran is `PRAGMA user_version`. Appended only.
const METADATA_MIGRATIONS: &[&str] =
    &[include_str!("migrations/001_metadata.sql"), include_str!("migrations/002_links.sql")];
const TEXT_MIGRATIONS: &[&str] = &[include_str!("migrations/001_fts.sql"), include_str!("migrations/002_fts.sql")];

/// Encodings inside blobs and the reading of text (`tokens`). Raised by every change of either; an older store is rebuilt.
const FORMAT: i64 = 5;

const NO_TABLES: &str = "it holds no tables";

const WRITER_CACHE_KIB: i64 = 48 << 10;
const READER_CACHE_KIB: i64 = 16 << 10;
const STATEMENTS_KEPT: usize = 64;

/// A connection that knows which file it is to.
#[derive(Debug)]
pub(super) struct Database {
    connection: Connection,
    kind: Kind,
}

/// A prepared statement of a [`Database`].
pub(super) struct Statement<'c> {
    inner: CachedStatement<'c>,
    kind: Kind,
}

impl Database {
    /// Opens or creates the file for writing, with all migrations.
    pub(super) fn open_writer(path: &Path, kind: Kind) -> Result<Self, StoreError> {
        expect_plain(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let database = Self::connect(path, flags, kind, WRITER_CACHE_KIB)?;
        database.batch("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=16777216")?;
        database.migrate()?;
        database.expect_format()?;
        Ok(database)
    }

    /// Opens the file for reading. Keeps no lock and writes nothing, in a folder that cannot be written as well.
    ///
    /// # Errors
    /// [`StoreError::Locked`] while a writer has removed the old file and not yet made the new one.
    pub(super) fn open_reader(path: &Path, kind: Kind) -> Result<Self, StoreError> {
        Self::open_reader_as_is(path, kind)
            .map_err(|error| if is_in_the_making(path, &error) { StoreError::Locked } else { error })
    }

    fn open_reader_as_is(path: &Path, kind: Kind) -> Result<Self, StoreError> {
        let found = path.try_exists().map_err(|source| StoreError::Io { path: path.to_owned(), source })?;
        if !found {
            return Err(StoreError::Missing(path.to_owned()));
        }
        expect_plain(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Self::connect(path, flags, kind, READER_CACHE_KIB).and_then(Self::readable);
        match opened {
            // Without a `-shm` file, which cannot be made here, only a file nobody writes can be read. One with a log has a writer.
            Err(StoreError::ReadOnly(_) | StoreError::Sql { .. }) if !has_log(path) => {
                let flags = flags | OpenFlags::SQLITE_OPEN_URI;
                Self::connect(&immutable(path), flags, kind, READER_CACHE_KIB).and_then(Self::readable)
            }
            other => other,
        }
    }

    pub(super) const fn kind(&self) -> Kind {
        self.kind
    }

    /// A transaction, or a snapshot for a reader, that ends with it.
    pub(super) fn snapshot(&self) -> Result<rusqlite::Transaction<'_>, StoreError> {
        self.connection.unchecked_transaction().map_err(|error| self.error(error))
    }

    pub(super) fn batch(&self, sql: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(sql).map_err(|error| self.error(error))
    }

    pub(super) fn statement(&self, sql: &str) -> Result<Statement<'_>, StoreError> {
        let inner = self.connection.prepare_cached(sql).map_err(|error| self.error(error))?;
        Ok(Statement { inner, kind: self.kind })
    }

    pub(super) fn run(&self, sql: &str, params: impl Params) -> Result<(), StoreError> {
        self.statement(sql)?.run(params)
    }

    pub(super) fn first<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        self.statement(sql)?.first(params, read)
    }

    /// Calls `read` for every row.
    pub(super) fn each(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        self.statement(sql)?.each(params, read)
    }

    /// A number kept in `state`.
    pub(super) fn state(&self, key: &str) -> Result<Option<i64>, StoreError> {
        self.first("SELECT value FROM state WHERE key = ?1", [key], |row| row.get(0))
    }

    pub(super) fn set_state(&self, key: &str, value: i64) -> Result<(), StoreError> {
        self.run("INSERT OR REPLACE INTO state (key, value) VALUES (?1, ?2)", (key, value))
    }

    pub(super) fn damaged(&self, detail: &str) -> StoreError {
        StoreError::Damaged { db: self.kind.file_name(), detail: detail.to_owned() }
    }

    fn error(&self, error: rusqlite::Error) -> StoreError {
        StoreError::sql(self.kind, error)
    }

    #[expect(clippy::disallowed_methods, reason = "this is the one place")]
    fn connect(path: &Path, flags: OpenFlags, kind: Kind, cache_kib: i64) -> Result<Self, StoreError> {
        let connection = Connection::open_with_flags(path, flags).map_err(|error| StoreError::sql(kind, error))?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
        let database = Self { connection, kind };
        database.connection.busy_timeout(Duration::from_secs(5)).map_err(|error| database.error(error))?;
        database.batch(&format!("PRAGMA cache_size=-{cache_kib}; PRAGMA temp_store=MEMORY"))?;
        Ok(database)
    }

    fn readable(self) -> Result<Self, StoreError> {
        let found = self.version()?;
        let expected = count(self.migrations());
        if found != expected {
            let db = self.kind.file_name();
            return Err(if found == 0 { self.damaged(NO_TABLES) } else { StoreError::Version { db, found, expected } });
        }
        self.expect_format()?;
        Ok(self)
    }

    /// Whether it has the tables that the migrations make, and no others.
    #[expect(clippy::disallowed_methods, reason = "a pattern to compare with, no store")]
    pub(super) fn has_its_tables(&self) -> Result<bool, StoreError> {
        let connection = Connection::open_in_memory().map_err(|error| self.error(error))?;
        let model = Self { connection, kind: self.kind };
        model.migrate()?;
        Ok(self.tables()? == model.tables()?)
    }

    fn tables(&self) -> Result<Vec<(String, Option<String>)>, StoreError> {
        let mut tables = Vec::new();
        let sql = "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name";
        self.each(sql, (), |row| {
            tables.push((row.get(0)?, row.get(1)?));
            Ok(())
        })?;
        Ok(tables)
    }

    const fn migrations(&self) -> &'static [&'static str] {
        match self.kind {
            Kind::Metadata => METADATA_MIGRATIONS,
            Kind::Text => TEXT_MIGRATIONS,
        }
    }

    fn version(&self) -> Result<i64, StoreError> {
        Ok(self.first("PRAGMA user_version", (), |row| row.get(0))?.unwrap_or_default())
    }

    fn migrate(&self) -> Result<(), StoreError> {
        let (found, expected) = (self.version()?, count(self.migrations()));
        if found > expected || found < 0 {
            return Err(StoreError::Version { db: self.kind.file_name(), found, expected });
        }
        if found == expected {
            return Ok(());
        }
        let mut script = String::from("BEGIN IMMEDIATE;\n");
        let done = usize::try_from(found).unwrap_or_default();
        script.extend(self.migrations().iter().skip(done).copied());
        if found == 0 {
            // A later script changes tables, not what is in the blobs: a store of an older format stays one.
            script.extend(["INSERT OR REPLACE INTO state VALUES ('format', ", &FORMAT.to_string(), ");\n"]);
        }
        script.extend(["PRAGMA user_version=", &expected.to_string(), ";\nCOMMIT"]);
        self.batch(&script)
    }

    fn expect_format(&self) -> Result<(), StoreError> {
        let found = self.state("format")?.unwrap_or_default();
        if found == FORMAT {
            return Ok(());
        }
        Err(StoreError::Version { db: self.kind.file_name(), found, expected: FORMAT })
    }
}

impl Statement<'_> {
    pub(super) fn run(&mut self, params: impl Params) -> Result<(), StoreError> {
        self.inner.execute(params).map(|_| ()).map_err(|error| StoreError::sql(self.kind, error))
    }

    pub(super) fn first<T>(
        &mut self,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        let kind = self.kind;
        let first = || {
            let mut rows = self.inner.query(params)?;
            rows.next()?.map(read).transpose()
        };
        first().map_err(|error| StoreError::sql(kind, error))
    }

    pub(super) fn each(
        &mut self,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let kind = self.kind;
        let all = || {
            let mut rows = self.inner.query(params)?;
            while let Some(row) = rows.next()? {
                read(row)?;
            }
            Ok(())
        };
        all().map_err(|error| StoreError::sql(kind, error))
    }
}

/// Removes a database with its log; that there is none is fine.
pub(super) fn discard(path: &Path) -> Result<(), StoreError> {
    for path in [path.to_owned(), beside(path, "-wal"), beside(path, "-shm")] {
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(StoreError::io(&path, error)),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// Opening a pipe would wait for ever, and a folder is no database. What does not exist is fine.
///
/// # Errors
/// [`StoreError::Io`] for anything but a plain file.
pub(super) fn expect_plain(path: &Path) -> Result<(), StoreError> {
    match std::fs::metadata(path) {
        Ok(meta) if !meta.is_file() => {
            Err(StoreError::Io { path: path.to_owned(), source: std::io::Error::other("this is not a plain file") })
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

/// What a reader meets between the removal of a store and the first tables of the next, while the writer of it is at work.
fn is_in_the_making(path: &Path, error: &StoreError) -> bool {
    let unmade = match error {
        StoreError::Missing(_) | StoreError::ReadOnly(_) | StoreError::Sql { .. } => true,
        StoreError::Damaged { detail, .. } => detail == NO_TABLES,
        StoreError::Locked
        | StoreError::DiskFull
        | StoreError::Version { .. }
        | StoreError::Stopped
        | StoreError::Io { .. } => false,
    };
    unmade && path.parent().is_some_and(|dir| IndexLock::is_held(&StorePaths::new(dir).lock()))
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn has_log(path: &Path) -> bool {
    std::fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0)
}

/// A URI that says the file does not change while it is open.
fn immutable(path: &Path) -> PathBuf {
    let mut uri = String::from("file:");
    for char in path.to_string_lossy().chars() {
        match char {
            '%' => uri.push_str("%25"),
            '?' => uri.push_str("%3f"),
            '#' => uri.push_str("%23"),
            other => uri.push(other),
        }
    }
    uri.push_str("?immutable=1");
    uri.into()
}

fn count(migrations: &[&str]) -> i64 {
    i64::try_from(migrations.len()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_file_is_read_where_nothing_can_be_written_whatever_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a b%20#c?d=1");
        Database::open_writer(&path, Kind::Metadata).unwrap().set_state("answer", 42).unwrap();
        assert!(!has_log(&path));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let database = Database::connect(&immutable(&path), flags, Kind::Metadata, 100).unwrap().readable().unwrap();
        assert_eq!(database.state("answer").unwrap(), Some(42));
        assert!(!beside(&path, "-shm").exists());
    }
}
