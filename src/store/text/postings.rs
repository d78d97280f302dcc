//! How one term's occurrences in one file are written: counts per field of the file and of each chunk, most often one byte
//! a chunk. It knows neither terms nor blocks; see `inverted` for the rows these entries stand in.
//!
//! Entry: varint `chunks * 2 + file bit`; with the bit a count set of the three file fields; then per chunk a byte of
//! five field bits, an all-ones bit and the step from the previous ordinal (1 to 3; 0 = a varint follows), then the counts
//! above one field at a time unless all are one.

use super::super::varint;

/// Fields of a chunk, in the order of every array of five.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunkField {
    Name,
    Owner,
    Signature,
    Doc,
    Code,
}

/// Fields of a file, in the order of every array of three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileField {
    Stem,
    Dir,
    Imports,
}

pub const CHUNK_FIELDS: usize = 5;
pub const FILE_FIELDS: usize = 3;

/// How often a term stands in each field of a file, at most 255.
pub type FileCounts = [u8; FILE_FIELDS];
/// How often a term stands in each field of a chunk, at most 255.
pub type ChunkCounts = [u8; CHUNK_FIELDS];

/// Chunks of one entry, (ordinal, counts) by ordinal.
#[derive(Debug)]
pub struct Chunks<'a> {
    bytes: &'a [u8],
    at: usize,
    left: u32,
    /// One more than the ordinal before.
    next: u32,
}

const ALL_ONES: u8 = 1 << 5;
const FILE_ONES: u8 = 1 << 3;

/// Appends an entry; `chunks` ascend by ordinal, `count` of them.
pub(in crate::store) fn encode(
    out: &mut Vec<u8>,
    file: FileCounts,
    count: u32,
    chunks: impl Iterator<Item = (u16, ChunkCounts)>,
) {
    let has_file = file != FileCounts::default();
    varint::put(out, count << 1 | u32::from(has_file));
    if has_file {
        let (mask, ones) = shape(&file);
        out.push(mask | if ones { FILE_ONES } else { 0 });
        push_counts(out, &file, ones);
    }
    let mut next = 0;
    for (ordinal, counts) in chunks {
        let (mask, ones) = shape(&counts);
        let step = u32::from(ordinal) + 1 - next;
        let small = u8::try_from(step).ok().filter(|step| *step < 4).unwrap_or(0);
        out.push(mask | if ones { ALL_ONES } else { 0 } | small << 6);
        if small == 0 {
            varint::put(out, step);
        }
        push_counts(out, &counts, ones);
        next += step;
    }
}

/// The entry at `at`: counts of the file, and its chunks, which are read as they are asked for.
#[inline]
pub(in crate::store) fn decode(bytes: &[u8], mut at: usize) -> Option<(FileCounts, Chunks<'_>)> {
    let head = varint::get(bytes, &mut at)?;
    let file = if head & 1 == 1 { file_counts(bytes, &mut at)? } else { FileCounts::default() };
    Some((file, Chunks { bytes, at, left: head >> 1, next: 0 }))
}

impl Chunks<'_> {
    /// Calls `take` with each chunk that is left: the quick way through all of them.
    #[inline]
    pub fn each(&mut self, mut take: impl FnMut(u16, ChunkCounts)) {
        let Self { bytes, mut at, mut left, mut next } = *self;
        while left > 0 {
            let Some((ordinal, counts)) = read(bytes, &mut at, &mut next) else { break };
            left -= 1;
            take(ordinal, counts);
        }
        (self.at, self.left, self.next) = (at, left, next);
    }

    /// Where the next entry begins. `None` when this one is not whole.
    #[inline]
    pub(in crate::store) fn end(mut self) -> Option<usize> {
        self.each(|_, _| ());
        (self.left == 0).then_some(self.at)
    }
}

impl Iterator for Chunks<'_> {
    type Item = (u16, ChunkCounts);

    /// Ends before what is no chunk; [`Chunks::end`] tells.
    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        let chunk = read(self.bytes, &mut self.at, &mut self.next)?;
        self.left -= 1;
        Some(chunk)
    }
}

/// Moves `at` behind the entry there; the number of its chunks.
pub(in crate::store) fn skip(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let head = varint::get(bytes, at)?;
    if head & 1 == 1 {
        file_counts(bytes, at)?;
    }
    for _ in 0..head >> 1 {
        let byte = *bytes.get(*at)?;
        *at += 1;
        step(bytes, at, byte)?;
        if byte & ALL_ONES == 0 {
            *at += usize::try_from((byte & 31).count_ones()).ok()?;
        }
    }
    (*at <= bytes.len()).then_some(head >> 1)
}

/// By the five field bits: one where the bit is set.
static ONES: [ChunkCounts; 32] = {
    let mut table = [[0; CHUNK_FIELDS]; 32];
    let mut mask = 0;
    while mask < 32 {
        let mut field = 0;
        while field < CHUNK_FIELDS {
            table[mask][field] = (mask >> field & 1) as u8;
            field += 1;
        }
        mask += 1;
    }
    table
};

/// The chunk at `at`, whose ordinal counts from `next`.
#[inline]
fn read(bytes: &[u8], at: &mut usize, next: &mut u32) -> Option<(u16, ChunkCounts)> {
    let byte = *bytes.get(*at)?;
    *at += 1;
    *next = next.checked_add(step(bytes, at, byte)?)?;
    let mut counts = ONES[usize::from(byte & 31)];
    if byte & ALL_ONES == 0 {
        for count in counts.iter_mut().filter(|count| **count != 0) {
            *count = *bytes.get(*at)?;
            *at += 1;
        }
    }
    Some((u16::try_from(next.checked_sub(1)?).ok()?, counts))
}

#[inline]
fn step(bytes: &[u8], at: &mut usize, byte: u8) -> Option<u32> {
    if byte >> 6 == 0 { varint::get(bytes, at) } else { Some(u32::from(byte >> 6)) }
}

fn file_counts(bytes: &[u8], at: &mut usize) -> Option<FileCounts> {
    let byte = *bytes.get(*at)?;
    *at += 1;
    let mut counts = FileCounts::default();
    for (field, count) in counts.iter_mut().enumerate().filter(|(field, _)| byte >> field & 1 == 1) {
        debug_assert!(field < FILE_FIELDS);
        *count = if byte & FILE_ONES != 0 {
            1
        } else {
            *at += 1;
            *bytes.get(*at - 1)?
        };
    }
    Some(counts)
}

fn shape(counts: &[u8]) -> (u8, bool) {
    let mask = counts.iter().enumerate().fold(0, |mask, (field, count)| mask | u8::from(*count != 0) << field);
    (mask, counts.iter().all(|count| *count < 2))
}

fn push_counts(out: &mut Vec<u8>, counts: &[u8], ones: bool) {
    if !ones {
        out.extend(counts.iter().copied().filter(|count| *count != 0));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn counts() -> impl Strategy<Value = ChunkCounts> {
        proptest::array::uniform5(prop_oneof![Just(0u8), Just(1), any::<u8>()])
            .prop_map(|counts| if counts == [0; 5] { [0, 0, 0, 0, 1] } else { counts })
    }

    proptest! {
        #[test]
        fn entries_come_back(
            file in proptest::array::uniform3(prop_oneof![Just(0u8), Just(1), any::<u8>()]),
            chunks in proptest::collection::btree_map(prop_oneof![0..40u16, any::<u16>()], counts(), 0..30),
        ) {
            let chunks: BTreeMap<u16, ChunkCounts> = chunks;
            let wanted: Vec<_> = chunks.into_iter().collect();
            let mut bytes = vec![7];
            encode(&mut bytes, file, u32::try_from(wanted.len()).unwrap(), wanted.iter().copied());
            let (got_file, mut got_chunks) = decode(&bytes, 1).unwrap();
            prop_assert_eq!(got_file, file);
            prop_assert_eq!(got_chunks.by_ref().collect::<Vec<_>>(), wanted.clone());
            let at = bytes.len();
            prop_assert_eq!(got_chunks.end(), Some(at));
            prop_assert_eq!(decode(&bytes, 1).unwrap().1.end(), Some(at));
            let mut skipped = 1;
            prop_assert_eq!(skip(&bytes, &mut skipped), u32::try_from(wanted.len()).ok());
            prop_assert_eq!(skipped, at);
        }

        #[test]
        fn any_bytes_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            decode(&bytes, 0).and_then(|(_, chunks)| chunks.end());
            skip(&bytes, &mut 0);
        }
    }

    #[test]
    fn the_usual_posting_takes_one_byte() {
        let mut bytes = Vec::new();
        encode(&mut bytes, [0; 3], 3, [(0, [0, 0, 0, 0, 1]), (2, [0, 0, 1, 0, 1]), (5, [0, 0, 0, 0, 1])].into_iter());
        assert_eq!(bytes.len(), 4);
    }
}
