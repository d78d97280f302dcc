//! Links of a file: its resolved references and imports, and what their resolving looked up. Nothing is resolved here, and keys
//! mean nothing here. Read [`Links`] first.
//!
//! - `link(file, counts, words, imports, edges)`: what leads out of a file; the edges as zstd. `words` are the numbers of the names
//!   that it stands under in `incoming`.
//! - `incoming(key, files, edges, data)`: look-up form of a target's name -> edges to it, in blocks like `usage`.
//! - `imported(key, files, imports, data)`: imported file -> files that import it, the same way.
//! - `exposed(file, data)`: what other files may look up in a file; `watched(file, keys)`: what resolving a file looked up.
//! - `unresolved(file)`: files whose links are not made yet, and numbers of files that are gone while edges may still name them:
//!   such a number is not given away. `changed(key)`: what became another answer since all links were made. Both are emptied
//!   with the last links of a run; a killed run leaves them to the next.
//!
//! Edges of other files into a file stay when it changes. While `unresolved` holds anything, readers leave out those whose target is gone.

mod codec;
mod read;
mod write;

pub use read::{GraphStats, Incoming};
pub(super) use write::{LinkWriter, end_of};

use super::super::inverted::Entries;
use super::super::varint;
use super::names::lookup_name;
use super::pack::Packer;
use crate::model::{Edge, FileId};

/// What leads out of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links {
    /// By reference.
    pub edges: Vec<Edge>,
    /// Simple name of each edge's target; empty where it has none.
    pub names: Vec<Box<str>>,
    pub imports: Vec<ImportLink>,
    /// Keys that resolving the file looked up; ascending, each once.
    pub watched: Vec<u32>,
}

/// Where an import of a file leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ImportLink {
    /// Index into the file's imports.
    pub import: u32,
    /// `None`: outside of the project.
    pub to: Option<FileId>,
}

/// [`Links`] ready to be inserted, made on the thread of whoever resolved the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackedLinks {
    counts: Vec<u8>,
    imports: Vec<u8>,
    edges: Vec<u8>,
    watched: Vec<u8>,
    incoming: Entries,
    /// Imported files, each once, with the number of imports.
    imported: Vec<(FileId, u32)>,
}

impl PackedLinks {
    #[must_use]
    pub fn new(links: &Links, packer: &mut Packer) -> Self {
        if *links == Links::default() {
            return Self::default();
        }
        let mut plain = Vec::with_capacity(links.edges.len() * 8);
        codec::put_edges(&mut plain, &links.edges);
        Self {
            counts: codec::counts(&links.edges),
            imports: codec::imports(&links.imports),
            edges: packer.compress(&plain),
            watched: codec::keys(&links.watched),
            incoming: incoming(links, &mut plain),
            imported: imported(&links.imports),
        }
    }

    /// Bytes of the row.
    pub(in crate::store) const fn size(&self) -> usize {
        self.edges.len() + self.imports.len() + self.watched.len()
    }
}

/// What a file exposes, as it is stored.
pub(in crate::store) fn pack_exposed(exposed: &[(u32, u32)]) -> Vec<u8> {
    codec::pairs(exposed)
}

/// Edges by the look-up form of their target's name.
fn incoming(links: &Links, buffer: &mut Vec<u8>) -> Entries {
    let named = links.names.iter().zip(&links.edges).filter(|(_, edge)| edge.to.is_some());
    let mut named: Vec<(String, &Edge)> = named.map(|(name, edge)| (lookup_name(name), edge)).collect();
    named.sort_by(|left, right| left.0.cmp(&right.0));
    let mut entries = Entries::default();
    for same in named.chunk_by(|left, right| left.0 == right.0) {
        let Some((name, _)) = same.first() else { continue };
        buffer.clear();
        codec::put_edges(buffer, same.iter().map(|(_, edge)| *edge));
        entries.push(name, |out| codec::put_entry(out, same.len(), buffer));
    }
    entries
}

fn imported(imports: &[ImportLink]) -> Vec<(FileId, u32)> {
    let mut targets: Vec<FileId> = imports.iter().filter_map(|import| import.to).collect();
    targets.sort_unstable();
    let same = targets.chunk_by(|left, right| left == right);
    same.filter_map(|same| Some((*same.first()?, u32::try_from(same.len()).ok()?))).collect()
}
