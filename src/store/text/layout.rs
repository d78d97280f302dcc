//! Where files and chunks stand, and how long their fields are: one row per block of 512 files. Nothing here says what a
//! chunk contains. Read [`Layout`] first; [`encode`] and [`decode`] are the row format.
//!
//! Row: per file, by slot: step from the slot before, letters of the path shared with the file before, rest of the path, hash,
//! flags, three field lengths, number of chunks; per chunk: flags, five field lengths. Numbers are varints.

use super::super::inverted::BLOCK_FILES;
use super::super::varint;
use super::postings::{CHUNK_FIELDS, FILE_FIELDS};
use super::{ChunkFlags, ChunkLens, FileFlags};
use crate::model::{ContentHash, FileId, RelPath};

/// All files of the index with their chunks in one dense numbering.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// By file id.
    pub files: Vec<FileLayout>,
    /// By dense chunk index: tokens per field.
    pub chunk_lens: Vec<[u16; CHUNK_FIELDS]>,
    /// By dense chunk index.
    pub chunk_flags: Vec<ChunkFlags>,
    /// By file id: index into `files`, [`u32::MAX`] where there is none.
    positions: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLayout {
    pub file: FileId,
    pub path: RelPath,
    /// Of the text the postings were made from. Where `metadata.db` has another one, the file is about to be redone.
    pub hash: ContentHash,
    pub flags: FileFlags,
    pub file_lens: [u16; FILE_FIELDS],
    /// Dense index of the chunk with ordinal 0.
    pub first: u32,
    pub chunks: u32,
}

/// A file as its block's row has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slot {
    pub path: RelPath,
    pub hash: ContentHash,
    pub flags: FileFlags,
    pub file_lens: [u16; FILE_FIELDS],
    pub chunks: Vec<ChunkLens>,
}

impl Layout {
    /// Index of a file in [`Layout::files`].
    #[must_use]
    #[inline]
    pub fn position(&self, file: FileId) -> Option<usize> {
        let position = *self.positions.get(file.0 as usize)?;
        (position != u32::MAX).then_some(position as usize)
    }

    pub(super) fn push(&mut self, file: FileId, slot: Slot) {
        let (position, first) = (count(self.files.len()), count(self.chunk_lens.len()));
        self.chunk_lens.extend(slot.chunks.iter().map(|chunk| chunk.lens));
        self.chunk_flags.extend(slot.chunks.iter().map(|chunk| chunk.flags));
        self.positions.resize(file.0 as usize, u32::MAX);
        self.positions.push(position);
        let Slot { path, hash, flags, file_lens, chunks } = slot;
        self.files.push(FileLayout { file, path, hash, flags, file_lens, first, chunks: count(chunks.len()) });
    }
}

/// Row of a block; `slots` are at most [`BLOCK_FILES`], by slot.
pub(super) fn encode(slots: &[Option<Slot>]) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut next, mut previous) = (0, "");
    for (number, slot) in (0u32..).zip(slots) {
        let Some(slot) = slot else { continue };
        varint::put(&mut out, number - next);
        next = number + 1;
        put_path(&mut out, previous, slot.path.as_str());
        previous = slot.path.as_str();
        out.extend_from_slice(&slot.hash.0.to_le_bytes());
        out.push(u8::from(slot.flags.generated));
        slot.file_lens.iter().for_each(|len| varint::put(&mut out, u32::from(*len)));
        varint::put(&mut out, count(slot.chunks.len()));
        for chunk in &slot.chunks {
            out.push(chunk.flags.to_byte());
            chunk.lens.iter().for_each(|len| varint::put(&mut out, u32::from(*len)));
        }
    }
    out
}

/// Calls `take` for every file of a row, by slot. `None` when the bytes are not a row.
pub(super) fn decode(bytes: &[u8], mut take: impl FnMut(u32, Slot)) -> Option<()> {
    let (mut at, mut next, mut path) = (0, 0u32, String::new());
    while at < bytes.len() {
        let number = next.checked_add(varint::get(bytes, &mut at)?)?;
        if number >= BLOCK_FILES {
            return None;
        }
        next = number + 1;
        get_path(bytes, &mut at, &mut path)?;
        let hash = ContentHash(u64::from_le_bytes(varint::take(bytes, &mut at, 8)?.try_into().ok()?));
        let flags = FileFlags { generated: *varint::take(bytes, &mut at, 1)?.first()? != 0 };
        let mut file_lens = [0; FILE_FIELDS];
        for len in &mut file_lens {
            *len = varint::get_u16(bytes, &mut at)?;
        }
        let chunks = get_chunks(bytes, &mut at)?;
        take(number, Slot { path: RelPath::new(&path), hash, flags, file_lens, chunks });
    }
    Some(())
}

fn get_chunks(bytes: &[u8], at: &mut usize) -> Option<Vec<ChunkLens>> {
    let chunks = varint::get(bytes, at)? as usize;
    // A wrong count must not ask for more memory than the row could fill.
    let mut list = Vec::with_capacity(chunks.min(bytes.len()));
    for _ in 0..chunks {
        let flags = ChunkFlags::from_byte(*bytes.get(*at)?);
        let mut chunk = ChunkLens { flags, ..ChunkLens::default() };
        *at += 1;
        for len in &mut chunk.lens {
            *len = varint::get_u16(bytes, at)?;
        }
        list.push(chunk);
    }
    Some(list)
}

fn put_path(out: &mut Vec<u8>, previous: &str, path: &str) {
    let shared = previous.bytes().zip(path.bytes()).take_while(|(left, right)| left == right).count();
    let shared = (0..=shared).rev().find(|at| path.is_char_boundary(*at)).unwrap_or_default();
    varint::put(out, count(shared));
    varint::put_text(out, path.get(shared..).unwrap_or_default());
}

fn get_path(bytes: &[u8], at: &mut usize, path: &mut String) -> Option<()> {
    let shared = varint::get(bytes, at)? as usize;
    if !path.is_char_boundary(shared) {
        return None;
    }
    path.truncate(shared);
    path.push_str(varint::get_text(bytes, at)?);
    Some(())
}

fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn slot() -> impl Strategy<Value = Option<Slot>> {
        let chunk = (any::<[u16; 5]>(), 0..16u8)
            .prop_map(|(lens, flags)| ChunkLens { lens, flags: ChunkFlags::from_byte(flags) });
        let parts = ("[a-cé]{1,4}/[a-cäé]{1,3}", any::<u64>(), any::<bool>(), any::<[u16; 3]>());
        (parts, proptest::collection::vec(chunk, 0..4), any::<bool>()).prop_map(
            |((path, hash, generated, file_lens), chunks, here)| {
                let path = RelPath::new(&path);
                here.then_some(Slot {
                    path,
                    hash: ContentHash(hash),
                    flags: FileFlags { generated },
                    file_lens,
                    chunks,
                })
            },
        )
    }

    proptest! {
        #[test]
        fn rows_come_back(slots in proptest::collection::vec(slot(), 0..12)) {
            let mut got = vec![None; slots.len()];
            decode(&encode(&slots), |number, slot| got[number as usize] = Some(slot)).unwrap();
            prop_assert_eq!(got, slots);
        }

        #[test]
        fn any_bytes_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            decode(&bytes, |_, _| {});
        }
    }
}
