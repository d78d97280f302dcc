//! Bytes of links. Reading checks every bound and answers `None` for what was never written. Read [`put_edges`] first.
//!
//! An edge: a byte `(kind · 11 + resolution) · 3 + target` where target is 0 for none, 1 for the edge before's, 2 for the one
//! that follows (file, four bytes of key); then the differences of line, reference and enclosing symbol to the edge before, the
//! confidence in a byte and the candidates. Keys are four bytes, highest first, so that they compare as bytes.

use super::super::super::varint;
use super::super::pack::Step;
use super::ImportLink;
use crate::model::{Edge, EdgeKind, FileId, Resolution, SymbolKey, Target};

const RESOLUTIONS: u8 = Resolution::ALL.len() as u8;
const TARGETS: u8 = 3;

/// A key as it is stored.
pub(super) type Key = [u8; 4];

/// What the edge before says.
#[derive(Debug, Default)]
struct Before {
    line: Step,
    reference: Step,
    from: Step,
    to: Option<Target>,
}

/// Appends edges.
pub(super) fn put_edges<'e>(out: &mut Vec<u8>, edges: impl IntoIterator<Item = &'e Edge>) {
    let mut before = Before::default();
    for edge in edges {
        before.put(out, edge);
    }
}

/// Edges of which `bytes` are the whole.
pub(super) fn edges(bytes: &[u8]) -> Option<Vec<Edge>> {
    let mut edges = Vec::with_capacity(bytes.len() / 6);
    each_edge(bytes, |edge| edges.push(edge))?;
    Some(edges)
}

/// The same without a list.
pub(super) fn each_edge(bytes: &[u8], mut take: impl FnMut(Edge)) -> Option<()> {
    let (mut at, mut before) = (0, Before::default());
    while at < bytes.len() {
        take(before.get(bytes, &mut at)?);
    }
    Some(())
}

/// Appends the entry of `count` edges that `edges` are the bytes of.
pub(super) fn put_entry(out: &mut Vec<u8>, count: usize, edges: &[u8]) {
    for number in [count, edges.len()] {
        varint::put(out, u32::try_from(number).unwrap_or(u32::MAX));
    }
    out.extend_from_slice(edges);
}

/// Number of edges of an entry and their bytes.
pub(super) fn entry<'b>(bytes: &'b [u8], at: &mut usize) -> Option<(u32, &'b [u8])> {
    let count = varint::get(bytes, at)?;
    let len = varint::get(bytes, at)?;
    Some((count, varint::take(bytes, at, usize::try_from(len).ok()?)?))
}

/// Moves behind an entry; its number of edges.
pub(super) fn skip_entry(bytes: &[u8], at: &mut usize) -> Option<u32> {
    Some(entry(bytes, at)?.0)
}

/// How many edges there are of each kind and resolution.
pub(super) fn counts(edges: &[Edge]) -> Vec<u8> {
    let mut counts = [0; EdgeKind::ALL.len() * Resolution::ALL.len()];
    for edge in edges {
        if let Some(count) = counts.get_mut(usize::from(class(edge))) {
            *count += 1;
        }
    }
    let mut out = Vec::new();
    for (class, count) in (0..).zip(counts).filter(|(_, count)| *count > 0) {
        out.push(class);
        varint::put(&mut out, count);
    }
    out
}

/// Reads [`counts`].
pub(super) fn each_count(bytes: &[u8], mut take: impl FnMut(EdgeKind, Resolution, u32)) -> Option<()> {
    let mut at = 0;
    while let Some(&found) = bytes.get(at) {
        at += 1;
        let (kind, resolution) = of_class(found)?;
        take(kind, resolution, varint::get(bytes, &mut at)?);
    }
    Some(())
}

pub(super) fn imports(imports: &[ImportLink]) -> Vec<u8> {
    let (mut out, mut before) = (Vec::with_capacity(imports.len() * 3), Step::default());
    for import in imports {
        varint::put(&mut out, before.difference(import.import));
        varint::put(&mut out, optional(import.to.map(|file| file.0)));
    }
    out
}

/// Reads [`imports`].
pub(super) fn get_imports(bytes: &[u8]) -> Option<Vec<ImportLink>> {
    let (mut at, mut before) = (0, Step::default());
    let mut imports = Vec::with_capacity(bytes.len() / 2);
    while at < bytes.len() {
        let import = before.value(varint::get(bytes, &mut at)?);
        let to = varint::get(bytes, &mut at)?.checked_sub(1).map(FileId);
        imports.push(ImportLink { import, to });
    }
    Some(imports)
}

pub(super) fn keys(keys: &[u32]) -> Vec<u8> {
    keys.iter().flat_map(|key| key.to_be_bytes()).collect()
}

/// The keys that [`keys`] made the bytes of.
pub(super) fn get_keys(bytes: &[u8]) -> Option<&[Key]> {
    let (keys, rest) = bytes.as_chunks();
    rest.is_empty().then_some(keys)
}

/// One of the ascending `left` is one of the ascending `right`.
pub(super) fn meet(left: &[Key], right: &[Key]) -> bool {
    let (few, many) = if left.len() < right.len() { (left, right) } else { (right, left) };
    few.iter().any(|key| many.binary_search(key).is_ok())
}

/// Keys with their versions, ascending.
pub(super) fn pairs(pairs: &[(u32, u32)]) -> Vec<u8> {
    pairs.iter().flat_map(|(key, version)| [key.to_be_bytes(), version.to_be_bytes()]).flatten().collect()
}

/// Hands on the key of every pair that only one of the two lists has. `None` when one is no list of pairs.
pub(super) fn each_difference(left: &[u8], right: &[u8], mut take: impl FnMut(u32)) -> Option<()> {
    let ((mut left, left_rest), (mut right, right_rest)) = (left.as_chunks::<8>(), right.as_chunks::<8>());
    if left_rest.len() + right_rest.len() > 0 {
        return None;
    }
    loop {
        let pair = match (left.first(), right.first()) {
            (Some(one), Some(other)) if one == other => {
                (left, right) = (left.split_first()?.1, right.split_first()?.1);
                continue;
            }
            (Some(one), Some(other)) if one > other => behind(&mut right)?,
            (Some(_), _) => behind(&mut left)?,
            (None, Some(_)) => behind(&mut right)?,
            (None, None) => return Some(()),
        };
        take((u64::from_be_bytes(pair) >> 32) as u32);
    }
}

impl Before {
    fn put(&mut self, out: &mut Vec<u8>, edge: &Edge) {
        let new = edge.to.filter(|to| self.to != Some(*to));
        let target = if new.is_some() { 2 } else { u8::from(edge.to.is_some()) };
        out.push(class(edge) * TARGETS + target);
        if let Some(to) = new {
            varint::put(out, to.file.0);
            out.extend_from_slice(&to.key.0.to_be_bytes());
            self.to = Some(to);
        }
        varint::put(out, self.line.difference(edge.line));
        varint::put(out, self.reference.difference(edge.reference));
        varint::put(out, self.from.difference(optional(edge.from)));
        out.push(edge.confidence);
        varint::put(out, u32::from(edge.candidates));
    }

    fn get(&mut self, bytes: &[u8], at: &mut usize) -> Option<Edge> {
        let head = byte(bytes, at)?;
        let (kind, resolution) = of_class(head / TARGETS)?;
        let to = match head % TARGETS {
            0 => None,
            1 => Some(self.to?),
            _ => Some(self.target(bytes, at)?),
        };
        Some(Edge {
            line: self.line.value(varint::get(bytes, at)?),
            reference: self.reference.value(varint::get(bytes, at)?),
            from: self.from.value(varint::get(bytes, at)?).checked_sub(1),
            kind,
            resolution,
            confidence: byte(bytes, at)?,
            candidates: varint::get_u16(bytes, at)?,
            to,
        })
    }

    fn target(&mut self, bytes: &[u8], at: &mut usize) -> Option<Target> {
        let file = FileId(varint::get(bytes, at)?);
        let key = varint::take(bytes, at, 4)?.first_chunk()?;
        let target = Target { file, key: SymbolKey(u32::from_be_bytes(*key)) };
        self.to = Some(target);
        Some(target)
    }
}

const fn class(edge: &Edge) -> u8 {
    edge.kind as u8 * RESOLUTIONS + edge.resolution as u8
}

fn of_class(class: u8) -> Option<(EdgeKind, Resolution)> {
    let kind = EdgeKind::ALL.get(usize::from(class / RESOLUTIONS))?;
    Some((*kind, *Resolution::ALL.get(usize::from(class % RESOLUTIONS))?))
}

/// No number as 0, and numbers one up: symbols and files stay far below the limit.
fn optional(number: Option<u32>) -> u32 {
    number.map_or(0, |number| number.saturating_add(1))
}

fn byte(bytes: &[u8], at: &mut usize) -> Option<u8> {
    let byte = *bytes.get(*at)?;
    *at += 1;
    Some(byte)
}

/// The first element, of which `list` then is rid.
fn behind(list: &mut &[[u8; 8]]) -> Option<[u8; 8]> {
    let (first, rest) = list.split_first()?;
    *list = rest;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_target() -> impl Strategy<Value = Option<Target>> {
        let one = |(file, key)| Target { file: FileId(file), key: SymbolKey(key) };
        proptest::option::of(prop_oneof![(0..2u32, 0..2u32).prop_map(one), any::<(u32, u32)>().prop_map(one)])
    }

    fn any_edge() -> impl Strategy<Value = Edge> {
        let numbers = (any::<u32>(), any::<u32>(), proptest::option::of(0..u32::MAX), any::<u8>(), any::<u16>());
        (numbers, 0..EdgeKind::ALL.len(), 0..Resolution::ALL.len(), any_target()).prop_map(
            |((line, reference, from, confidence, candidates), kind, resolution, to)| Edge {
                line,
                reference,
                from,
                kind: EdgeKind::ALL[kind],
                resolution: Resolution::ALL[resolution],
                confidence,
                candidates,
                to,
            },
        )
    }

    #[test]
    fn an_edge_like_the_one_before_takes_six_bytes() {
        let to = Some(Target { file: FileId(3), key: SymbolKey(1 << 31) });
        let (kind, resolution) = (EdgeKind::Call, Resolution::Local);
        let edge = Edge { line: 9, reference: 1, from: Some(0), kind, resolution, confidence: 99, candidates: 1, to };
        let mut bytes = Vec::new();
        put_edges(&mut bytes, [&edge, &Edge { line: 12, reference: 2, from: Some(1), ..edge }]);
        assert_eq!(bytes.len(), 11 + 6);
    }

    #[test]
    fn differences_are_the_keys_that_are_new_or_gone_or_of_another_version() {
        let left = pairs(&[(1, 5), (2, 5), (3, 5), (3, 6), (7, 1)]);
        let right = pairs(&[(2, 6), (3, 5), (3, 6), (7, 1), (9, u32::MAX)]);
        let mut found = Vec::new();
        each_difference(&left, &right, |key| found.push(key)).unwrap();
        assert_eq!(found, [1, 2, 2, 9]);
        assert_eq!(each_difference(&left, &right[1..], |_| {}), None);
    }

    proptest! {
        #[test]
        fn edges_come_back(wanted in proptest::collection::vec(any_edge(), 0..20)) {
            let mut bytes = Vec::new();
            put_edges(&mut bytes, &wanted);
            prop_assert_eq!(edges(&bytes), Some(wanted.clone()));
            let mut sum = 0;
            each_count(&counts(&wanted), |kind, resolution, count| {
                let alike = |edge: &&Edge| (edge.kind, edge.resolution) == (kind, resolution);
                assert_eq!(wanted.iter().filter(alike).count(), count as usize);
                sum += count as usize;
            });
            prop_assert_eq!(sum, wanted.len());
        }

        #[test]
        fn imports_come_back(wanted in proptest::collection::vec((any::<u32>(), proptest::option::of(0..u32::MAX)), 0..20)) {
            let link = |(import, to): (u32, Option<u32>)| ImportLink { import, to: to.map(FileId) };
            let wanted: Vec<ImportLink> = wanted.into_iter().map(link).collect();
            prop_assert_eq!(get_imports(&imports(&wanted)), Some(wanted));
        }

        #[test]
        fn lists_meet_where_they_share_a_key(
            left in proptest::collection::btree_set(0..300u32, 0..9),
            right in proptest::collection::btree_set(0..300u32, 0..40),
        ) {
            let list = |set: &std::collections::BTreeSet<u32>| keys(&set.iter().copied().collect::<Vec<_>>());
            let (one, other) = (list(&left), list(&right));
            let found = meet(get_keys(&one).unwrap(), get_keys(&other).unwrap());
            prop_assert_eq!(found, !left.is_disjoint(&right));
        }

        #[test]
        fn any_bytes_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            edges(&bytes);
            each_count(&bytes, |_, _, _| {});
            skip_entry(&bytes, &mut 0);
            get_imports(&bytes);
            get_keys(&bytes);
            each_difference(&bytes, &bytes[bytes.len() / 2..], |_| {});
        }
    }
}
