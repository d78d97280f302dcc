//! Names of a file: what it defines, re-exports and mentions, under the form they are looked up by. Nothing is resolved here.
//! Read [`of_file`] first.
//!
//! Entry of a name in a file: varint `definitions << 2 | re-exported << 1 | mentioned`; per definition a byte (class, bit 2: a
//! spelling follows, bit 3: it has an owner, from bit 4 its kind), the symbol where it is one, the chunk where there is one, and
//! the spelling where it is not the look-up form. Old entries are found again by reading the stored symbols, chunks and facts with the same function, so every change
//! of [`of_file`] raises the store's format.

use rustc_hash::FxHashSet;

use super::super::inverted::Entries;
use super::super::varint;
use crate::model::{Chunk, Facts, FileId, Symbol, SymbolKind};

/// How much a place says that a name is defined there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// A definition with a chunk of its own.
    Named,
    /// Declared at top level, without a chunk of its own.
    TopLevel,
    /// Declared inside a container or a function.
    Inner,
}

impl Strength {
    #[must_use]
    pub const fn weight(self) -> f32 {
        match self {
            Self::Named => 1.0,
            Self::TopLevel => 0.8,
            Self::Inner => 0.6,
        }
    }
}

/// A chunk that defines a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Definition {
    pub file: FileId,
    pub chunk: u16,
    pub strength: Strength,
    /// As it is spelled there.
    pub name: String,
}

/// A symbol of that name, with or without a chunk of its own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SymbolRef {
    pub file: FileId,
    /// Index into the file's symbols.
    pub symbol: u32,
    pub chunk: Option<u16>,
    pub name: String,
}

/// A symbol of a name that is known, and what of it is wanted by those who do not read its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpelledSymbol {
    pub file: FileId,
    /// Index into the file's symbols.
    pub symbol: u32,
    pub kind: SymbolKind,
    /// It has an owner.
    pub owned: bool,
}

/// Lower case without leading `_` and `$`; of nothing else, the name itself.
#[must_use]
pub fn lookup_name(name: &str) -> String {
    let bare = name.trim_start_matches(['_', '$']);
    if bare.is_empty() { name.to_owned() } else { bare.to_lowercase() }
}

/// One thing a file says of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    Mentioned,
    Reexported,
    Defined(Place),
}

/// Class, symbol and chunk of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Named {
        symbol: u32,
        chunk: u16,
        brief: Brief,
    },
    TopLevel {
        chunk: u16,
    },
    Inner {
        chunk: u16,
    },
    /// A symbol that is part of another one's chunk; the chunk declares it too.
    Enclosed {
        symbol: u32,
        brief: Brief,
    },
}

/// What of a symbol is wanted by those who do not read its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Brief {
    kind: SymbolKind,
    owned: bool,
}

/// What a stored entry says, spellings filled in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub mentioned: bool,
    pub reexported: bool,
    pub places: Vec<(Place, String)>,
}

/// Entries of a file, one per name, by look-up form.
pub(super) fn of_file(symbols: &[Symbol], chunks: &[Chunk], facts: &Facts) -> Entries {
    let mut uses: Vec<(String, Use, &str)> = Vec::new();
    let mut add = |name, what| uses.push((lookup_name(name), what, name));
    let mut own_chunk = vec![None; symbols.len()];
    for (chunk, ordinal) in chunks.iter().zip(0..=u16::MAX) {
        for (name, top_level) in &chunk.declares {
            let place = if *top_level { Place::TopLevel { chunk: ordinal } } else { Place::Inner { chunk: ordinal } };
            add(name, Use::Defined(place));
        }
        if let Some(own) =
            chunk.symbol.filter(|_| chunk.piece == 0).and_then(|symbol| own_chunk.get_mut(symbol as usize))
        {
            own.get_or_insert(ordinal);
        }
    }
    for ((symbol, own), index) in symbols.iter().zip(own_chunk).zip(0..) {
        let brief = Brief { kind: symbol.kind, owned: !symbol.owner.is_empty() };
        let place = match own {
            Some(chunk) => Place::Named { symbol: index, chunk, brief },
            None => Place::Enclosed { symbol: index, brief },
        };
        add(&symbol.name, Use::Defined(place));
    }
    for (name, what) in mentions(facts) {
        add(name, what);
    }
    uses.retain(|(_, _, name)| !name.is_empty());
    uses.sort_unstable();
    uses.dedup();
    let mut entries = Entries::default();
    for same in uses.chunk_by(|left, right| left.0 == right.0) {
        let Some((key, ..)) = same.first() else { continue };
        entries.push(key, |out| encode(out, key, same));
    }
    entries
}

/// Moves behind an entry; the number of its definitions.
pub(super) fn skip(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let head = varint::get(bytes, at)?;
    for _ in 0..head >> 2 {
        place(bytes, at)?;
    }
    Some(head >> 2)
}

/// Reads the entry of the look-up form `key`.
pub(super) fn decode(bytes: &[u8], at: &mut usize, key: &str) -> Option<Entry> {
    let head = varint::get(bytes, at)?;
    let mut entry = Entry { mentioned: head & 1 != 0, reexported: head & 2 != 0, places: Vec::new() };
    for _ in 0..head >> 2 {
        let (place, spelled) = place(bytes, at)?;
        entry.places.push((place, spelled.unwrap_or(key).to_owned()));
    }
    Some(entry)
}

/// Reads an entry; each symbol with its spelling where that is not the look-up form. Whose entry it is the caller knows.
pub(super) fn each_symbol(
    bytes: &[u8],
    at: &mut usize,
    mut take: impl FnMut(SpelledSymbol, Option<&str>),
) -> Option<()> {
    for _ in 0..varint::get(bytes, at)? >> 2 {
        let (place, spelled) = place(bytes, at)?;
        if let Place::Named { symbol, brief, .. } | Place::Enclosed { symbol, brief } = place {
            take(SpelledSymbol { file: FileId(0), symbol, kind: brief.kind, owned: brief.owned }, spelled);
        }
    }
    Some(())
}

/// Called, imported and re-exported names, each once, in no order.
fn mentions(facts: &Facts) -> Vec<(&str, Use)> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    let imported = facts.imports.iter().flat_map(|import| [&*import.name, import.alias.as_deref().unwrap_or_default()]);
    for name in facts.refs.iter().map(|reference| &*reference.callee).chain(imported) {
        if seen.insert(name) {
            found.push((name, Use::Mentioned));
        }
    }
    for import in facts.imports.iter().filter(|import| import.reexport) {
        found.push((import.alias.as_deref().unwrap_or(&import.name), Use::Reexported));
    }
    found
}

fn encode(out: &mut Vec<u8>, key: &str, uses: &[(String, Use, &str)]) {
    let has = |what| u32::from(uses.iter().any(|(_, found, _)| *found == what));
    let places = || {
        uses.iter()
            .filter_map(|(_, what, name)| if let Use::Defined(place) = what { Some((*place, *name)) } else { None })
    };
    let count = u32::try_from(places().count()).unwrap_or(u32::MAX);
    varint::put(out, count << 2 | has(Use::Reexported) << 1 | has(Use::Mentioned));
    for (place, name) in places() {
        let (class, symbol, chunk) = match place {
            Place::Named { symbol, chunk, brief } => (brief.bits(), Some(symbol), Some(chunk)),
            Place::TopLevel { chunk } => (1, None, Some(chunk)),
            Place::Inner { chunk } => (2, None, Some(chunk)),
            Place::Enclosed { symbol, brief } => (3 | brief.bits(), Some(symbol), None),
        };
        out.push(class | u8::from(name != key) << 2);
        symbol.into_iter().chain(chunk.map(u32::from)).for_each(|number| varint::put(out, number));
        if name != key {
            varint::put_text(out, name);
        }
    }
}

fn place<'a>(bytes: &'a [u8], at: &mut usize) -> Option<(Place, Option<&'a str>)> {
    let class = *bytes.get(*at)?;
    *at += 1;
    let place = match class & 3 {
        0 => Place::Named {
            symbol: varint::get(bytes, at)?,
            chunk: varint::get_u16(bytes, at)?,
            brief: Brief::of_bits(class)?,
        },
        1 => Place::TopLevel { chunk: varint::get_u16(bytes, at)? },
        2 => Place::Inner { chunk: varint::get_u16(bytes, at)? },
        _ => Place::Enclosed { symbol: varint::get(bytes, at)?, brief: Brief::of_bits(class)? },
    };
    let spelled = if class & 4 == 0 { None } else { Some(varint::get_text(bytes, at)?) };
    Some((place, spelled))
}

impl Brief {
    const fn bits(self) -> u8 {
        (self.kind as u8) << 4 | (self.owned as u8) << 3
    }

    fn of_bits(bits: u8) -> Option<Self> {
        Some(Self { kind: *SymbolKind::ALL.get(usize::from(bits >> 4))?, owned: bits & 8 != 0 })
    }
}

impl Entry {
    /// The chunks that define the name.
    pub(super) fn definitions(self, file: FileId) -> impl Iterator<Item = Definition> {
        self.places.into_iter().filter_map(move |(place, name)| {
            let (chunk, strength) = match place {
                Place::Named { chunk, .. } => (chunk, Strength::Named),
                Place::TopLevel { chunk } => (chunk, Strength::TopLevel),
                Place::Inner { chunk } => (chunk, Strength::Inner),
                Place::Enclosed { .. } => return None,
            };
            Some(Definition { file, chunk, strength, name })
        })
    }

    /// The symbols of the name.
    pub(super) fn symbols(self, file: FileId) -> impl Iterator<Item = SymbolRef> {
        self.places.into_iter().filter_map(move |(place, name)| {
            let (symbol, chunk) = match place {
                Place::Named { symbol, chunk, .. } => (symbol, Some(chunk)),
                Place::Enclosed { symbol, .. } => (symbol, None),
                Place::TopLevel { .. } | Place::Inner { .. } => return None,
            };
            Some(SymbolRef { file, symbol, chunk, name })
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn look_up_form_drops_case_and_leading_marks() {
        assert_eq!(["__Init__", "$scope", "_", "Größe"].map(lookup_name), ["init__", "scope", "_", "größe"]);
    }

    proptest! {
        #[test]
        fn any_bytes_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            decode(&bytes, &mut 0, "");
            skip(&bytes, &mut 0);
        }
    }
}
