//! Names as users write them -> definitions. A name that means several is not decided, but said back with all of them.
//! Read [`find`] first.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use thiserror::Error;

use crate::graph::Place;
use crate::model::{FileId, RelPath, Symbol, SymbolKind};
use crate::search::calls::{File, Graph};
use crate::store::StoreError;
use crate::store::code::{SymbolRef, lookup_name};

/// A name that no single definition answers to. The lists are as a user would write them, the likeliest first.
#[derive(Debug, Error)]
pub enum NameError {
    #[error("nothing is called {name:?}")]
    UnknownSymbol { name: String, near: Vec<String> },
    #[error("{name:?} means {total} definitions")]
    Ambiguous { name: String, candidates: Vec<String>, total: usize },
    #[error("{path:?} is not in the index")]
    UnknownFile { path: String, near: Vec<String> },
    #[error("{path:?} means {} files", candidates.len())]
    AmbiguousFile { path: String, candidates: Vec<String> },
}

/// `path:Owner.name`, taken apart.
#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    path: Option<String>,
    owner: String,
    name: String,
}

/// A definition that is meant, and what it is ordered by: spelled otherwise, neither callable nor a type, path and line.
type Ranked = ((bool, bool), RelPath, u32, Place);

/// Names that are told where one is not found or means several.
const MOST_NAMES: usize = 10;

/// All definitions that a name means, by path and line: `name`, `Owner.name`, `module.name`, `path:name`. Those spelled exactly so keep others out, then
/// functions and types keep out what holds values and sections of documents.
pub(super) fn matches(graph: &Graph<'_>, name: &str) -> Result<Vec<Place>, StoreError> {
    let wanted = Wanted::parse(name);
    let all = graph.reader.find_symbols(&wanted.name)?;
    let homes: FxHashSet<FileId> = match wanted.owner.rsplit('.').next() {
        Some(owner) if !owner.is_empty() => graph.reader.find_symbols(owner)?.iter().map(|found| found.file).collect(),
        Some(_) | None => FxHashSet::default(),
    };
    // Most members stand in the file of their type. The others cost a look into every file that defines the name.
    let (near, far): (Vec<_>, Vec<_>) = all.into_iter().partition(|found| homes.contains(&found.file));
    let mut found = fitting(graph, &wanted, &near)?;
    if found.is_empty() {
        found = fitting(graph, &wanted, &far)?;
    }
    found.sort();
    let best = found.first().map(|(rank, ..)| *rank);
    Ok(found.into_iter().filter(|(rank, ..)| Some(*rank) == best).map(|(.., place)| place).collect())
}

/// The one definition that a name means, with its overloads and, where it is declared in one file and defined in another of the same name,
/// both. A class stands for its constructors, and code for its tests.
pub(super) fn find(graph: &Graph<'_>, name: &str) -> Result<Result<Vec<Place>, NameError>, StoreError> {
    let mut places = matches(graph, name)?;
    if places.is_empty() {
        return Ok(Err(NameError::UnknownSymbol { name: name.to_owned(), near: near(graph, name)? }));
    }
    keep_if_any(&mut places, |place| Ok(!is_constructor_of_match(graph, name, *place)?))?;
    keep_if_any(&mut places, |place| Ok(graph.symbol(*place, |_, symbol| !symbol.test)?.unwrap_or_default()))?;
    let mut groups: BTreeMap<(String, String), Vec<Place>> = BTreeMap::new();
    for place in places {
        let key = |file: &File, symbol: &Symbol| (without_extension(&file.row.path), symbol.qualified());
        if let Some(key) = graph.symbol(place, key)? {
            groups.entry(key).or_default().push(place);
        }
    }
    if groups.len() > 1 {
        return Ok(Err(ambiguous(graph, name, groups.into_values().flatten().collect())?));
    }
    Ok(Ok(groups.into_values().flatten().collect()))
}

/// The file at a path, or the only one whose path ends so.
pub(super) fn find_file(graph: &Graph<'_>, path: &str) -> Result<Result<RelPath, NameError>, StoreError> {
    let wanted = RelPath::new(path.trim_start_matches("./"));
    if graph.reader.file_at(&wanted)?.is_some() {
        return Ok(Ok(wanted));
    }
    let paths: Vec<RelPath> = graph.reader.files()?.into_iter().map(|row| row.path).collect();
    let mut ending: Vec<RelPath> = paths.iter().filter(|known| ends_with(known, wanted.as_str())).cloned().collect();
    ending.sort();
    let path = path.to_owned();
    Ok(match ending.as_slice() {
        [only] => Ok(only.clone()),
        [] => {
            let near = nearest(wanted.file_name(), paths.iter().map(|known| (known.file_name(), known.to_string())));
            Err(NameError::UnknownFile { path, near })
        }
        _ => Err(NameError::AmbiguousFile { path, candidates: ending.iter().map(ToString::to_string).collect() }),
    })
}

impl NameError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let list = |names: &[String], total: usize| {
            let more = total.saturating_sub(names.len());
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{}{more}", names.join(", "))
        };
        let near = |near: &[String]| (!near.is_empty()).then(|| format!("near it are {}", list(near, near.len())));
        match self {
            Self::UnknownSymbol { near: names, .. } | Self::UnknownFile { near: names, .. } => near(names),
            Self::Ambiguous { candidates, total, .. } => Some(format!("name one of {}", list(candidates, *total))),
            Self::AmbiguousFile { candidates, .. } => {
                Some(format!("name one of {}", list(candidates, candidates.len())))
            }
        }
    }
}

impl Wanted {
    fn parse(name: &str) -> Self {
        let name = name.trim().replace("::", ".");
        let (path, name) = match name.rsplit_once(':') {
            Some((path, name)) => (Some(RelPath::new(path.trim_start_matches("./")).to_string()), name),
            None => (None, name.as_str()),
        };
        let name = name.replace('#', ".");
        let name = name.trim_end_matches("()");
        let (owner, name) = name.rsplit_once('.').unwrap_or(("", name));
        Self { path, owner: owner.to_owned(), name: name.to_owned() }
    }

    fn is_there(&self, path: &RelPath) -> bool {
        self.path.as_ref().is_none_or(|wanted| ends_with(path, wanted))
    }

    fn fits(&self, path: &RelPath, symbol: &Symbol) -> bool {
        let owner = self.owner.to_lowercase();
        self.is_there(path)
            && symbol.kind != SymbolKind::Section
            && is_owner(&owner, &homes(path, symbol).map(|home| home.to_lowercase()))
    }

    /// Case and marks agree.
    fn is_exactly(&self, path: &RelPath, symbol: &Symbol) -> bool {
        *symbol.name == *self.name && is_owner(&self.owner, &homes(path, symbol))
    }
}

/// Those of `named` that are meant.
fn fitting(graph: &Graph<'_>, wanted: &Wanted, named: &[SymbolRef]) -> Result<Vec<Ranked>, StoreError> {
    let mut found = Vec::new();
    for named in named {
        let place = Place { file: named.file, symbol: named.symbol };
        let there = graph.path(named.file)?.is_some_and(|path| wanted.is_there(&path));
        let ranked = |file: &File, symbol: &Symbol| {
            let main = symbol.kind.is_callable() || symbol.kind.is_container();
            let rank = (!wanted.is_exactly(&file.row.path, symbol), !main);
            wanted.fits(&file.row.path, symbol).then(|| (rank, file.row.path.clone(), symbol.name_line, place))
        };
        if there {
            found.extend(graph.symbol(place, ranked)?.flatten());
        }
    }
    // A whole path is that file, though the paths of others may end like it.
    let whole = |found: &Ranked| wanted.path.as_deref() == Some(found.1.as_str());
    if found.iter().any(whole) {
        found.retain(whole);
    }
    Ok(found)
}

/// What may be written before the name of a symbol: its owner, with its module or its package before it.
fn homes(path: &RelPath, symbol: &Symbol) -> [String; 2] {
    let folder = path.dir().replace('/', ".");
    let module = without_extension(path).replace('/', ".");
    [module, folder].map(|home| if symbol.owner.is_empty() { home } else { format!("{home}.{}", symbol.owner) })
}

/// The last parts of one of `homes`.
fn is_owner(wanted: &str, homes: &[String]) -> bool {
    let fits = |home: &String| home.strip_suffix(wanted).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    wanted.is_empty() || homes.iter().any(fits)
}

/// A constructor whose class the name means too.
fn is_constructor_of_match(graph: &Graph<'_>, name: &str, place: Place) -> Result<bool, StoreError> {
    let class = |file: &File, symbol: &Symbol| {
        let class = symbol.owner.rsplit('.').next().unwrap_or_default();
        file.is_constructor(symbol) && lookup_name(class) == lookup_name(&Wanted::parse(name).name)
    };
    Ok(graph.symbol(place, class)?.unwrap_or_default())
}

fn keep_if_any(places: &mut Vec<Place>, keep: impl Fn(&Place) -> Result<bool, StoreError>) -> Result<(), StoreError> {
    let mut kept = Vec::new();
    for place in places.iter() {
        if keep(place)? {
            kept.push(*place);
        }
    }
    if !kept.is_empty() {
        *places = kept;
    }
    Ok(())
}

fn ambiguous(graph: &Graph<'_>, name: &str, places: Vec<Place>) -> Result<NameError, StoreError> {
    let total = places.len();
    let mut candidates = Vec::new();
    for place in places {
        candidates.extend(graph.symbol(place, |file, symbol| format!("{}:{}", file.row.path, symbol.qualified()))?);
    }
    candidates.dedup();
    candidates.truncate(MOST_NAMES);
    Ok(NameError::Ambiguous { name: name.to_owned(), candidates, total })
}

/// Names of definitions that differ little from one that is not there.
fn near(graph: &Graph<'_>, name: &str) -> Result<Vec<String>, StoreError> {
    let wanted = lookup_name(&Wanted::parse(name).name);
    let mut words = Vec::new();
    graph.reader.words(|word| {
        if distance(&wanted, word).is_some() || is_part(&wanted, word) {
            words.push(word.to_owned());
        }
    })?;
    let mut names = Vec::new();
    for word in words {
        let mut spelled: Vec<String> = Vec::new();
        for found in graph.reader.find_symbols(&word)? {
            let place = Place { file: found.file, symbol: found.symbol };
            let is_code = |_: &File, symbol: &Symbol| symbol.kind != SymbolKind::Section;
            if !spelled.contains(&found.name) && graph.symbol(place, is_code)?.unwrap_or_default() {
                spelled.push(found.name);
            }
        }
        names.extend(spelled.into_iter().map(|name| (word.clone(), name)));
    }
    Ok(nearest(&wanted, names.iter().map(|(word, name)| (word.as_str(), name.clone()))))
}

/// Of names by their look-up form, those nearest to one; the nearest first.
fn nearest<'n>(wanted: &str, names: impl Iterator<Item = (&'n str, String)>) -> Vec<String> {
    let wanted = lookup_name(wanted);
    let rank = |(word, name): (&str, String)| {
        let word = lookup_name(word);
        let far = distance(&wanted, &word).or_else(|| is_part(&wanted, &word).then_some(wanted.len()))?;
        Some((far, word.len().abs_diff(wanted.len()), name))
    };
    let mut ranked: Vec<_> = names.filter_map(rank).collect();
    ranked.sort();
    ranked.dedup();
    ranked.truncate(MOST_NAMES / 2);
    ranked.into_iter().map(|(_, _, name)| name).collect()
}

/// One holds the other, and is not much longer.
fn is_part(left: &str, right: &str) -> bool {
    let (short, long) = if left.len() < right.len() { (left, right) } else { (right, left) };
    short.len() >= 4 && long.len() <= 3 * short.len() && long.contains(short)
}

/// Letters to change, add, drop or swap with their neighbour, if they are few for the length of the names.
fn distance(left: &str, right: &str) -> Option<usize> {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let most = (left.len().max(right.len()) / 4).clamp(1, 3);
    if left.len().abs_diff(right.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, letter) in left.iter().enumerate() {
        let mut next = vec![at + 1];
        for (column, other) in right.iter().enumerate() {
            let replaced = row.get(column)? + usize::from(letter != other);
            let mut least = replaced.min(row.get(column + 1)? + 1).min(next.last()? + 1);
            let crossed =
                at > 0 && column > 0 && left.get(at - 1) == Some(other) && right.get(column - 1) == Some(letter);
            if crossed {
                least = least.min(before.get(column - 1)? + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().filter(|distance| *distance <= most)
}

fn ends_with(path: &RelPath, wanted: &str) -> bool {
    let rest = path.as_str().strip_suffix(wanted);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/') || wanted.starts_with('/'))
}

fn without_extension(path: &RelPath) -> String {
    let name = path.file_name();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    format!("{}/{stem}", path.dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_an_owner_and_a_path() {
        let parts = |text: &str| {
            let Wanted { path, owner, name } = Wanted::parse(text);
            (path.unwrap_or_default(), owner, name)
        };
        let of = |path: &str, owner: &str, name: &str| (path.to_owned(), owner.to_owned(), name.to_owned());
        assert_eq!(parts("save"), of("", "", "save"));
        assert_eq!(parts("Store.save()"), of("", "Store", "save"));
        assert_eq!(parts("Outer::Inner::save"), of("", "Outer.Inner", "save"));
        assert_eq!(parts("./src/a.py:Store#save"), of("src/a.py", "Store", "save"));
    }

    #[test]
    fn few_letters_may_differ() {
        assert_eq!(distance("total_price", "totla_price"), Some(1));
        assert_eq!(distance("total_price", "totals_prices"), Some(2));
        assert_eq!(distance("get", "set"), Some(1));
        assert_eq!(distance("get", "put"), None);
    }
}
