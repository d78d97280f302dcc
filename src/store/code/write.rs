//! Changes to metadata.db, inside the transaction that `writer` holds. It gives files their ids. Read [`CodeWriter::put`] first.

use super::super::database::Database;
use super::super::dictionary::{Dictionary, TextTable};
use super::super::error::StoreError;
use super::super::inverted::{BLOCK_FILES, MOST_FILES, Run};
use super::links::{LinkWriter, end_of};
use super::{PackedFile, PackedLinks, USAGE, names, pack};
use crate::model::{ContentHash, FileId, RelPath, Skip, Stat};

static WORDS: TextTable =
    TextTable { select: "SELECT id FROM word WHERE text = ?1", insert: "INSERT INTO word (text, id) VALUES (?1, ?2)" };

/// The writing side of metadata.db.
#[derive(Debug)]
pub(in crate::store) struct CodeWriter {
    database: Database,
    words: Dictionary,
    run: Run,
    links: LinkWriter,
    /// Blocks from here on have no rows.
    fresh: u32,
    /// Ids from here on are free.
    end: u32,
    /// Ids below that no file has and no edge names, highest first; `None` until one is needed.
    holes: Option<Vec<u32>>,
}

impl CodeWriter {
    pub(in crate::store) fn new(database: Database) -> Result<Self, StoreError> {
        let words = Dictionary::open(&database, &WORDS)?;
        let links = LinkWriter::open(&database)?;
        let end = end_of(&database, "SELECT max(id) FROM file")?;
        let end = end.max(end_of(&database, "SELECT max(file) FROM unresolved")?);
        let fresh = end.div_ceil(BLOCK_FILES);
        Ok(Self { database, words, run: Run::default(), links, fresh, end, holes: None })
    }

    pub(in crate::store) const fn database(&self) -> &Database {
        &self.database
    }

    /// Bytes that wait for a flush.
    pub(in crate::store) fn waiting(&self) -> usize {
        self.run.size() + self.links.waiting()
    }

    /// Makes `file` what the index holds of its path. Its id: the one it had, else the lowest free one.
    pub(in crate::store) fn put(&mut self, file: &PackedFile, exposed: &[u8]) -> Result<FileId, StoreError> {
        let known = self.id(&file.path)?;
        let id = match known {
            Some(id) => {
                self.forget_names(id)?;
                id
            }
            None => self.new_id()?,
        };
        for (name, entry) in file.names.iter() {
            let number = self.words.number(&self.database, name)?;
            self.run.put(number.into(), id, entry);
        }
        self.insert_file(id, file)?;
        let sql = "INSERT OR REPLACE INTO content (file, text, outline, facts) VALUES (?1, ?2, ?3, ?4)";
        self.database.run(sql, (id.0, &file.text, &file.outline, &file.facts))?;
        self.links.put(&self.database, id, known.is_some(), exposed)?;
        Ok(id)
    }

    /// Takes a file out; its former id, if it was there.
    pub(in crate::store) fn remove(&mut self, path: &RelPath) -> Result<Option<FileId>, StoreError> {
        let Some(id) = self.id(path)? else { return Ok(None) };
        self.forget_names(id)?;
        self.database.run("DELETE FROM file WHERE id = ?1", [id.0])?;
        self.database.run("DELETE FROM content WHERE file = ?1", [id.0])?;
        self.links.remove(&self.database, id)?;
        Ok(Some(id))
    }

    /// Makes `links` what leads out of `file`, which is in the index.
    pub(in crate::store) fn link(&mut self, file: FileId, links: &PackedLinks) -> Result<(), StoreError> {
        self.links.link(&self.database, &mut self.words, file, links)
    }

    /// The links of all files are made.
    pub(in crate::store) fn conclude_links(&mut self) -> Result<(), StoreError> {
        self.links.conclude(&self.database)
    }

    /// Notes that a file has the same content under a new stat.
    pub(in crate::store) fn touch(&self, path: &RelPath, stat: &Stat, hashed_at_ns: i64) -> Result<(), StoreError> {
        let sql =
            "UPDATE file SET size = ?2, mtime_ns = ?3, ctime_ns = ?4, inode = ?5, hashed_at_ns = ?6 WHERE path = ?1";
        let Stat { size, mtime_ns, ctime_ns, inode } = stat;
        let params = (path.as_str(), size.cast_signed(), mtime_ns, ctime_ns, inode.cast_signed(), hashed_at_ns);
        self.database.run(sql, params)
    }

    /// Makes a file look changed, so that the next run does it again.
    pub(in crate::store) fn distrust(&self, id: FileId) -> Result<(), StoreError> {
        let sql = "UPDATE file SET hash = 0, mtime_ns = 0, ctime_ns = 0, inode = 0, hashed_at_ns = 0 WHERE id = ?1";
        self.database.run(sql, [id.0])
    }

    /// Files the index holds, by id.
    pub(in crate::store) fn files(&self) -> Result<Vec<(FileId, RelPath, ContentHash)>, StoreError> {
        let mut files = Vec::new();
        self.database.each("SELECT id, path, hash FROM file ORDER BY id", (), |row| {
            let path = RelPath::new(row.get_ref(1)?.as_str()?);
            files.push((FileId(row.get(0)?), path, ContentHash(row.get::<_, i64>(2)?.cast_unsigned())));
            Ok(())
        })?;
        Ok(files)
    }

    /// Replaces the hashes of all folders.
    pub(in crate::store) fn set_dirs(&self, dirs: &[(String, ContentHash)]) -> Result<(), StoreError> {
        self.database.run("DELETE FROM dir", ())?;
        let mut insert = self.database.statement("INSERT OR REPLACE INTO dir (path, hash) VALUES (?1, ?2)")?;
        dirs.iter().try_for_each(|(path, hash)| insert.run((path, hash.0.cast_signed())))
    }

    /// Replaces the list of files that were left out.
    pub(in crate::store) fn set_skipped(&self, skipped: &[Skip]) -> Result<(), StoreError> {
        self.database.run("DELETE FROM skipped", ())?;
        let mut insert =
            self.database.statement("INSERT OR REPLACE INTO skipped (path, reason, size) VALUES (?1, ?2, ?3)")?;
        let mut each = skipped.iter();
        each.try_for_each(|skip| insert.run((skip.path.as_str(), skip.reason.as_str(), skip.size.cast_signed())))
    }

    pub(in crate::store) fn set_meta(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.database.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)", (key, value))
    }

    /// Writes what waits in memory.
    pub(in crate::store) fn flush(&mut self) -> Result<(), StoreError> {
        self.words.flush(&self.database)?;
        self.run.flush(&self.database, &USAGE, self.fresh)?;
        self.fresh = self.fresh.max(self.end.div_ceil(BLOCK_FILES));
        self.links.flush(&self.database)
    }

    fn id(&self, path: &RelPath) -> Result<Option<FileId>, StoreError> {
        self.database.first("SELECT id FROM file WHERE path = ?1", [path.as_str()], |row| row.get(0).map(FileId))
    }

    fn new_id(&mut self) -> Result<FileId, StoreError> {
        let mut holes = match self.holes.take() {
            Some(holes) => holes,
            None => self.find_holes()?,
        };
        let hole = holes.pop();
        self.holes = Some(holes);
        if hole.is_none() && self.end >= MOST_FILES {
            return Err(self.database.damaged("no file number is free"));
        }
        let id = hole.unwrap_or(self.end);
        self.end = self.end.max(id + 1);
        Ok(FileId(id))
    }

    fn find_holes(&self) -> Result<Vec<u32>, StoreError> {
        let (mut holes, mut next) = (Vec::new(), 0);
        let named = self.links.unresolved(&self.database)?;
        self.database.each("SELECT id FROM file ORDER BY id", (), |row| {
            let id: u32 = row.get(0)?;
            holes.extend((next..id).filter(|hole| named.binary_search(hole).is_err()));
            next = id + 1;
            Ok(())
        })?;
        holes.reverse();
        Ok(holes)
    }

    fn insert_file(&self, id: FileId, file: &PackedFile) -> Result<(), StoreError> {
        let sql =
            "INSERT OR REPLACE INTO file VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
        self.database.run(
            sql,
            rusqlite::params![
                id.0,
                file.path.as_str(),
                file.lang,
                file.hash.0.cast_signed(),
                file.stat.size.cast_signed(),
                file.stat.mtime_ns,
                file.stat.ctime_ns,
                file.stat.inode.cast_signed(),
                file.hashed_at_ns,
                file.lines,
                i64::try_from(file.chunks).unwrap_or(i64::MAX),
                i64::try_from(file.symbols).unwrap_or(i64::MAX),
                file.problems.errors,
                file.problems.gave_up,
                file.generated,
            ],
        )
    }

    /// Takes the stored names of a file out of the table of names.
    fn forget_names(&mut self, id: FileId) -> Result<(), StoreError> {
        let read = |row: &rusqlite::Row<'_>| {
            let outline = pack::unpack_outline(row.get_ref(0)?.as_blob()?);
            Ok(outline.zip(pack::unpack_facts(row.get_ref(1)?.as_blob()?)))
        };
        let stored = self.database.first("SELECT outline, facts FROM content WHERE file = ?1", [id.0], read)?;
        let (outline, facts) = stored.flatten().ok_or_else(|| self.database.damaged("content of a file"))?;
        for (name, _) in names::of_file(&outline.symbols, &outline.chunks, &facts).iter() {
            let number = self.words.number(&self.database, name)?;
            self.run.remove(number.into(), id);
        }
        Ok(())
    }
}
