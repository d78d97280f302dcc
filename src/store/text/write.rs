//! Changes to fts.db, inside the transaction that `writer` holds. Postings and layout wait in memory until [`TextWriter::flush`];
//! documents and exact-search rows go in at once. Read [`TextWriter::put`] first.

use std::collections::BTreeMap;

use super::super::database::Database;
use super::super::dictionary::{Dictionary, TextTable};
use super::super::error::StoreError;
use super::super::inverted::{BLOCK_FILES, Run};
use super::super::varint;
use super::layout::{self, Slot};
use super::read::Corpus;
use super::{FtsRows, PAIR, POSTING, TextDoc, fts_row, pair_number};
use crate::model::{ContentHash, FileId, RelPath};

static TERMS: TextTable =
    TextTable { select: "SELECT id FROM term WHERE text = ?1", insert: "INSERT INTO term (text, id) VALUES (?1, ?2)" };

/// The writing side of fts.db.
#[derive(Debug)]
pub(in crate::store) struct TextWriter {
    database: Database,
    terms: Dictionary,
    run: Run,
    pairs: Run,
    /// Blocks that were touched since the last flush.
    blocks: BTreeMap<u32, Vec<Option<Slot>>>,
    /// Blocks from here on have no rows.
    fresh: u32,
    corpus: Corpus,
}

impl TextWriter {
    pub(in crate::store) fn new(database: Database) -> Result<Self, StoreError> {
        let terms = Dictionary::open(&database, &TERMS)?;
        let corpus = Corpus::load(&database)?;
        let (run, pairs) = (Run::default(), Run::default());
        let mut writer = Self { database, terms, run, pairs, blocks: BTreeMap::new(), fresh: 0, corpus };
        writer.fresh = writer.blocks_end()?;
        Ok(writer)
    }

    pub(in crate::store) const fn database(&self) -> &Database {
        &self.database
    }

    /// Bytes that wait for a flush.
    pub(in crate::store) fn waiting(&self) -> usize {
        self.run.size() + self.pairs.size()
    }

    /// Makes `doc` what the index holds of `file`.
    pub(in crate::store) fn put(&mut self, file: FileId, doc: TextDoc) -> Result<(), StoreError> {
        self.remove(file)?;
        let mut numbers = Vec::with_capacity(doc.terms.len());
        for (text, entry) in doc.terms.iter() {
            let number = self.terms.number(&self.database, text)?;
            self.run.put(number.into(), file, entry);
            numbers.push(number);
        }
        let pairs = self.put_pairs(file, &doc, &numbers);
        numbers.sort_unstable();
        let numbers = varint::pack_ascending(&numbers);
        let sql = "INSERT OR REPLACE INTO doc (file, terms, pairs) VALUES (?1, ?2, ?3)";
        self.database.run(sql, (file.0, numbers, varint::pack_pairs(&pairs)))?;
        self.insert_fts(file, &doc.fts)?;
        let TextDoc { path, hash, flags, file_lens, chunks, .. } = doc;
        let slot = Slot { path, hash, flags, file_lens, chunks };
        self.corpus.add(&slot);
        *self.slot(file)? = Some(slot);
        Ok(())
    }

    /// Takes a file out; one that is not there is fine.
    pub(in crate::store) fn remove(&mut self, file: FileId) -> Result<(), StoreError> {
        let Some(slot) = self.slot(file)?.take() else { return Ok(()) };
        self.corpus.subtract(&slot);
        let read = |row: &rusqlite::Row<'_>| {
            let terms = varint::unpack_ascending(row.get_ref(0)?.as_blob()?);
            Ok(terms.zip(varint::unpack_pairs(row.get_ref(1)?.as_blob()?)))
        };
        let stored = self.database.first("SELECT terms, pairs FROM doc WHERE file = ?1", [file.0], read)?;
        let (terms, pairs) = stored.flatten().ok_or_else(|| self.database.damaged("terms of a file"))?;
        for term in terms {
            self.run.remove(term.into(), file);
        }
        for pair in pairs.into_iter().filter_map(|(left, right)| pair_number(left, right)) {
            self.pairs.remove(pair, file);
        }
        self.database.run("DELETE FROM doc WHERE file = ?1", [file.0])?;
        let mut delete = self.database.statement("DELETE FROM chunk_fts WHERE rowid = ?1")?;
        for (ordinal, _) in (0..=u16::MAX).zip(&slot.chunks) {
            delete.run([fts_row(file, ordinal)])?;
        }
        Ok(())
    }

    /// Files the index holds, by id, with the hash they were made from.
    pub(in crate::store) fn files(&self) -> Result<Vec<(FileId, RelPath, ContentHash)>, StoreError> {
        let mut files = Vec::new();
        for block in 0..self.fresh {
            for (number, slot) in (0..).zip(self.load(block)?) {
                files.extend(slot.map(|slot| (FileId(block * BLOCK_FILES + number), slot.path, slot.hash)));
            }
        }
        Ok(files)
    }

    /// Writes what waits in memory.
    pub(in crate::store) fn flush(&mut self) -> Result<(), StoreError> {
        self.terms.flush(&self.database)?;
        self.run.flush(&self.database, &POSTING, self.fresh)?;
        self.pairs.flush(&self.database, &PAIR, self.fresh)?;
        let mut replace = self.database.statement("INSERT OR REPLACE INTO block (id, data) VALUES (?1, ?2)")?;
        for (block, slots) in std::mem::take(&mut self.blocks) {
            replace.run((block, layout::encode(&slots)))?;
            self.fresh = self.fresh.max(block + 1);
        }
        self.corpus.save(&self.database)
    }

    /// `numbers` are those of the file's terms. The pairs, ascending.
    fn put_pairs(&mut self, file: FileId, doc: &TextDoc, numbers: &[u32]) -> Vec<(u32, u32)> {
        let number = |at: usize| numbers.get(at).copied().unwrap_or_default();
        let mut pairs = Vec::with_capacity(doc.pairs.ends.len());
        for (left, right, entry) in doc.pairs.iter() {
            let (left, right) = (number(left), number(right));
            if let Some(pair) = pair_number(left, right) {
                self.pairs.put(pair, file, entry);
                pairs.push((left, right));
            }
        }
        pairs.sort_unstable();
        pairs
    }

    fn insert_fts(&self, file: FileId, rows: &FtsRows) -> Result<(), StoreError> {
        let sql = "INSERT INTO chunk_fts (rowid, name, path, signature, body) VALUES (?1, ?2, ?3, ?4, ?5)";
        let mut insert = self.database.statement(sql)?;
        for (ordinal, [name, path, signature, body]) in (0..=u16::MAX).zip(rows.iter()) {
            if [name, path, signature, body].iter().all(|column| column.is_empty()) {
                continue;
            }
            insert.run((fts_row(file, ordinal), name, path, signature, body))?;
        }
        Ok(())
    }

    fn slot(&mut self, file: FileId) -> Result<&mut Option<Slot>, StoreError> {
        let block = file.0 / BLOCK_FILES;
        if !self.blocks.contains_key(&block) {
            let slots = self.load(block)?;
            self.blocks.insert(block, slots);
        }
        let slots = self.blocks.entry(block).or_default();
        let slot = (file.0 % BLOCK_FILES) as usize;
        if slots.len() <= slot {
            slots.resize(slot + 1, None);
        }
        Ok(&mut slots[slot])
    }

    fn load(&self, block: u32) -> Result<Vec<Option<Slot>>, StoreError> {
        let mut slots = Vec::new();
        let read = |row: &rusqlite::Row<'_>| {
            Ok(layout::decode(row.get_ref(0)?.as_blob()?, |number, slot| {
                slots.resize(number as usize, None);
                slots.push(Some(slot));
            }))
        };
        match self.database.first("SELECT data FROM block WHERE id = ?1", [block], read)? {
            Some(None) => Err(self.database.damaged("a block of the layout")),
            None | Some(Some(())) => Ok(slots),
        }
    }

    fn blocks_end(&self) -> Result<u32, StoreError> {
        let last = self.database.first("SELECT max(id) FROM block", (), |row| row.get::<_, Option<u32>>(0))?;
        Ok(last.flatten().map_or(0, |last| last + 1))
    }
}
