//! Texts and their numbers (`term` in fts.db, `word` in metadata.db). Numbers are given in order of appearance and never taken
//! back: a text without rows elsewhere is invisible. New texts wait in memory until [`Dictionary::flush`].

use super::database::Database;
use super::error::StoreError;
use super::interner::Interner;

const NEXT: &str = "next_text";

/// The statements of one table of texts.
#[derive(Debug)]
pub(super) struct TextTable {
    pub select: &'static str,
    pub insert: &'static str,
}

/// Numbers of texts, read from the table as they are asked for.
#[derive(Debug)]
pub(super) struct Dictionary {
    table: &'static TextTable,
    known: Interner,
    /// By number in `known`: the number in the table.
    numbers: Vec<u32>,
    /// Those before it in `known` are in the table.
    flushed: usize,
    next: u32,
    /// Numbers below it are in the table.
    stored: u32,
    /// Every stored text is in `known`.
    complete: bool,
}

impl Dictionary {
    pub(super) fn open(database: &Database, table: &'static TextTable) -> Result<Self, StoreError> {
        let next = database.state(NEXT)?.unwrap_or_default();
        let next = u32::try_from(next).map_err(|_| database.damaged("count of texts"))?;
        let (known, numbers) = (Interner::default(), Vec::new());
        Ok(Self { table, known, numbers, flushed: 0, next, stored: next, complete: next == 0 })
    }

    /// Number of `text`, a new one where it has none.
    pub(super) fn number(&mut self, database: &Database, text: &str) -> Result<u32, StoreError> {
        let known = self.known.number(text) as usize;
        if let Some(&number) = self.numbers.get(known) {
            return Ok(number);
        }
        let stored = if self.complete { None } else { database.first(self.table.select, [text], |row| row.get(0))? };
        let number = stored.unwrap_or(self.next);
        self.next += u32::from(stored.is_none());
        self.numbers.push(number);
        Ok(number)
    }

    /// Writes the new texts, in order of the text because that is the order of the table.
    pub(super) fn flush(&mut self, database: &Database) -> Result<(), StoreError> {
        if self.stored == self.next {
            return Ok(());
        }
        let asked = (0u32..).zip(&self.numbers).skip(self.flushed);
        let new = asked.filter(|(_, number)| **number >= self.stored);
        let mut fresh: Vec<(&str, u32)> = new.map(|(known, number)| (self.known.text(known), *number)).collect();
        fresh.sort_unstable();
        let mut insert = database.statement(self.table.insert)?;
        for pair in fresh {
            insert.run(pair)?;
        }
        self.stored = self.next;
        self.flushed = self.numbers.len();
        database.set_state(NEXT, i64::from(self.next))
    }
}
