//! Inverted tables: which files hold a text, in rows of one (text, block of 512 files). A file's entries are collected in
//! memory in any order, sorted once and merged into the rows they touch; no other row is read. What an entry says is a matter of
//! its table ([`RowTable::skip`]). Read [`Run`] first.
//!
//! Row key: `number of the text << 16 | block`, so that all rows of one text lie side by side. A number has at most 47 bits. Row
//! data: per file, by ascending slot, the varint step from the slot before and the entry.

use super::database::Database;
use super::error::StoreError;
use super::varint;
use crate::model::FileId;

/// Files of one block.
pub const BLOCK_FILES: u32 = 512;

const BLOCK_BITS: u32 = 16;

/// File ids stay below this.
pub(super) const MOST_FILES: u32 = BLOCK_FILES << BLOCK_BITS;

/// The statements of one inverted table and the length of its entries.
#[derive(Debug)]
pub(super) struct RowTable {
    pub select: &'static str,
    pub replace: &'static str,
    pub delete: &'static str,
    /// Moves behind the entry and says how many units (chunks, definitions) it counts.
    pub skip: fn(&[u8], &mut usize) -> Option<u32>,
}

/// Entries of one file that are made away from the store: texts with what is said of each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Entries {
    texts: String,
    bytes: Vec<u8>,
    ends: Vec<(u32, u32)>,
}

/// What has changed since the last flush.
#[derive(Debug, Default)]
pub(super) struct Run {
    changes: Vec<Change>,
    bytes: Vec<u8>,
}

/// A file's entry under a text, or that it has none any more. Of several for the same file the last counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    row: i64,
    slot: u16,
    /// Where the entry begins; later ones count more.
    at: u32,
    removed: bool,
}

/// A row while it is made.
#[derive(Debug, Default)]
struct RowData {
    files: u32,
    units: u32,
    next_slot: u32,
    data: Vec<u8>,
}

impl Entries {
    /// Appends an entry whose bytes `write` makes.
    pub(super) fn push(&mut self, text: &str, write: impl FnOnce(&mut Vec<u8>)) {
        self.texts.push_str(text);
        write(&mut self.bytes);
        self.ends.push((length(self.texts.len()), length(self.bytes.len())));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let mut start = (0, 0);
        self.ends.iter().map(move |&(text, bytes)| {
            let end = (text as usize, bytes as usize);
            let entry = (self.texts.get(start.0..end.0), self.bytes.get(start.1..end.1));
            start = end;
            (entry.0.unwrap_or_default(), entry.1.unwrap_or_default())
        })
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }
}

impl Run {
    pub(super) fn put(&mut self, text: u64, file: FileId, entry: &[u8]) {
        self.change(text, file, false);
        self.bytes.extend_from_slice(entry);
    }

    pub(super) fn remove(&mut self, text: u64, file: FileId) {
        // A byte that nobody reads, so that no two changes begin at one place.
        self.change(text, file, true);
        self.bytes.push(0);
    }

    fn change(&mut self, text: u64, file: FileId, removed: bool) {
        let row = row_key(text, file.0 / BLOCK_FILES);
        let slot = (file.0 % BLOCK_FILES) as u16;
        self.changes.push(Change { row, slot, at: length(self.bytes.len()), removed });
    }

    /// Bytes of memory in use.
    pub(super) fn size(&self) -> usize {
        self.changes.len() * size_of::<Change>() + self.bytes.len()
    }

    /// Merges everything into the table. Blocks from `fresh` on have no rows yet.
    pub(super) fn flush(&mut self, database: &Database, table: &RowTable, fresh: u32) -> Result<(), StoreError> {
        self.changes.sort_unstable();
        let mut select = database.statement(table.select)?;
        let mut replace = database.statement(table.replace)?;
        let mut delete = database.statement(table.delete)?;
        let (mut old, mut row) = (Vec::new(), RowData::default());
        for changes in self.changes.chunk_by(|left, right| left.row == right.row) {
            let Some(first) = changes.first() else { continue };
            old.clear();
            if block(first.row) < fresh {
                select.first([first.row], |found| {
                    old.extend_from_slice(found.get_ref(0)?.as_blob()?);
                    Ok(())
                })?;
            }
            row.merge(&old, changes, &self.bytes, table.skip).ok_or_else(|| database.damaged("an inverted row"))?;
            if row.data == old {
                continue;
            }
            if row.files == 0 {
                delete.run([first.row])?;
            } else {
                replace.run((first.row, row.files, row.units, &row.data))?;
            }
        }
        self.changes.clear();
        self.bytes.clear();
        Ok(())
    }
}

impl RowData {
    /// Makes the row of `old` with `changes`, which are sorted. `None` when `old` is not a row.
    fn merge(
        &mut self,
        old: &[u8],
        changes: &[Change],
        bytes: &[u8],
        skip: fn(&[u8], &mut usize) -> Option<u32>,
    ) -> Option<()> {
        (self.files, self.units, self.next_slot) = (0, 0, 0);
        self.data.clear();
        let mut stored = StoredEntries { data: old, at: 0, next_slot: 0, skip };
        let mut waiting = stored.next()?;
        for (index, change) in changes.iter().enumerate() {
            if changes.get(index + 1).is_some_and(|next| next.slot == change.slot) {
                continue;
            }
            let slot = u32::from(change.slot);
            while let Some(entry) = waiting.filter(|entry| entry.slot <= slot) {
                if entry.slot < slot {
                    self.push(entry.slot, entry.bytes, entry.units);
                }
                waiting = stored.next()?;
            }
            if !change.removed {
                let (start, mut end) = (change.at as usize, change.at as usize);
                let units = skip(bytes, &mut end)?;
                self.push(slot, bytes.get(start..end)?, units);
            }
        }
        while let Some(entry) = waiting {
            self.push(entry.slot, entry.bytes, entry.units);
            waiting = stored.next()?;
        }
        Some(())
    }

    fn push(&mut self, slot: u32, entry: &[u8], units: u32) {
        varint::put(&mut self.data, slot - self.next_slot);
        self.data.extend_from_slice(entry);
        self.next_slot = slot + 1;
        self.files += 1;
        self.units += units;
    }
}

struct StoredEntries<'a> {
    data: &'a [u8],
    at: usize,
    next_slot: u32,
    skip: fn(&[u8], &mut usize) -> Option<u32>,
}

#[derive(Clone, Copy)]
struct StoredEntry<'a> {
    slot: u32,
    bytes: &'a [u8],
    units: u32,
}

impl<'a> StoredEntries<'a> {
    /// The next entry, `Some(None)` at the end, `None` when the bytes are not a row.
    #[expect(clippy::option_option, reason = "damage and the end are different answers")]
    fn next(&mut self) -> Option<Option<StoredEntry<'a>>> {
        if self.at == self.data.len() {
            return Some(None);
        }
        let slot = next_slot(self.data, &mut self.at, &mut self.next_slot)?;
        let start = self.at;
        let units = (self.skip)(self.data, &mut self.at)?;
        Some(Some(StoredEntry { slot, bytes: self.data.get(start..self.at)?, units }))
    }
}

/// Slot of the entry at `at`; `next` is one more than the slot before.
#[inline]
pub(super) fn next_slot(data: &[u8], at: &mut usize, next: &mut u32) -> Option<u32> {
    let slot = next.checked_add(varint::get(data, at)?)?;
    *next = slot + 1;
    (slot < BLOCK_FILES).then_some(slot)
}

/// Key of a text's row in a block.
pub(super) const fn row_key(text: u64, block: u32) -> i64 {
    (text << BLOCK_BITS | block as u64).cast_signed()
}

/// Keys of all rows of a text.
pub(super) const fn row_keys(text: u64) -> (i64, i64) {
    (row_key(text, 0), row_key(text, (1 << BLOCK_BITS) - 1))
}

/// First file of the block a row is about.
pub(super) const fn first_file(row: i64) -> u32 {
    block(row) * BLOCK_FILES
}

const fn block(row: i64) -> u32 {
    (row & ((1 << BLOCK_BITS) - 1)) as u32
}

/// Runs are flushed and files are limited long before four gigabytes.
fn length(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::super::text::postings;
    use super::*;

    fn entry(value: u8) -> Vec<u8> {
        let mut bytes = Vec::new();
        postings::encode(&mut bytes, [value, 0, 1], 1, [(u16::from(value), [0, 0, 0, 0, value])].into_iter());
        bytes
    }

    proptest! {
        #[test]
        fn merging_equals_a_map(changes in proptest::collection::vec((0..BLOCK_FILES, 0..4u8), 0..60), cuts in 1..4usize) {
            let mut wanted = BTreeMap::new();
            let mut row = RowData::default();
            for part in changes.chunks(changes.len().div_ceil(cuts).max(1)) {
                let mut run = Run::default();
                for &(slot, value) in part {
                    let file = FileId(slot + 7 * BLOCK_FILES);
                    if value == 0 {
                        wanted.remove(&slot);
                        run.remove(1, file);
                    } else {
                        wanted.insert(slot, entry(value));
                        run.put(1, file, &entry(value));
                    }
                }
                run.changes.sort_unstable();
                let old = std::mem::take(&mut row.data);
                row.merge(&old, &run.changes, &run.bytes, postings::skip).unwrap();
            }
            let mut got = BTreeMap::new();
            let mut stored = StoredEntries { data: &row.data, at: 0, next_slot: 0, skip: postings::skip };
            while let Some(entry) = stored.next().unwrap() {
                got.insert(entry.slot, entry.bytes.to_vec());
            }
            prop_assert_eq!(row.files as usize, got.len());
            prop_assert_eq!(got, wanted);
        }
    }
}
