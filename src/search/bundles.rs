//! Parts of the project, mined from its index: folders with the definitions that the rest of the project leans on. There is no list of
//! names here. Read [`Bundles::asked`].

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::calls::Graph;
use super::intent::{HOW_IT_WORKS, Intent};
use super::query::{Query, akin};
use super::view::{View, stems};
use crate::graph::Place;
use crate::model::{FileId, Route, Symbol};
use crate::store::StoreError;
use crate::store::tokens::Stemmer;

/// Files of a part that are looked at: those that most other files import.
const MOST_FILES: usize = 12;
/// Definitions of a file that are compared: the largest.
const MOST_OF_FILE: usize = 8;
const TYPE: f32 = 1.3;
/// Definitions of a part that are told.
const MOST_MAIN: usize = 12;
/// Parts that a prompt can ask for at once.
const MOST_PARTS: usize = 2;
/// Parts of the whole project that are told, and definitions of each.
const MOST_FOLDERS: usize = 8;
const MAIN_OF_FOLDER: usize = 3;
/// Files of a folder that tell what it is.
const SAMPLE: usize = 12;

/// What a main definition is worth, when the structure is asked for and when a part is only named.
const STRUCTURE: f32 = 1.8;
const PART: f32 = 0.7;

/// A part of the project as its settings describe it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedBundle {
    /// A prompt with one of these words asks for it; in lower case.
    pub words: Vec<String>,
    pub symbols: Vec<String>,
    /// Symbols that are told at most.
    pub most: usize,
}

/// A main definition of a part: the chunk that begins it, and how much the project leans on it, up to 1.
pub(super) type Main = (u32, f32);

/// What was mined at one commit.
#[derive(Debug, Default)]
pub(super) struct Bundles {
    /// Folders with source, each with the files directly in it and below.
    folders: Option<Vec<Folder>>,
    mains: FxHashMap<usize, Vec<Main>>,
}

#[derive(Debug)]
struct Folder {
    /// Stems of its last name.
    name: Vec<Box<str>>,
    depth: usize,
    files: Vec<u32>,
}

impl Bundles {
    /// The main definitions of the parts that a prompt names, with what they are worth; of all parts when it asks for the whole project.
    pub(super) fn asked(
        &mut self,
        (query, intent, whole): (&Query, Intent, bool),
        configured: &[NamedBundle],
        (view, graph): (&View, Graph<'_>),
        stemmer: &mut Stemmer,
    ) -> Result<Vec<Main>, StoreError> {
        let mut all = of_settings(query, configured, view, graph)?;
        let wide = intent.structure || intent.route != Route::Lookup || intent.reason == HOW_IT_WORKS;
        if !wide {
            return Ok(all);
        }
        let folders = self.folders.get_or_insert_with(|| folders(view, stemmer));
        let mut is_code = |at: &usize| folders.get(*at).is_some_and(|folder| is_code(folder, view, stemmer));
        let (parts, most) = if whole {
            (largest(folders, &mut is_code), MAIN_OF_FOLDER)
        } else {
            (asked_for(folders, query, &mut is_code), MOST_MAIN)
        };
        let worth = if intent.structure { STRUCTURE } else { PART };
        for at in parts {
            let known = match self.mains.entry(at) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let files = folders.get(at).map_or(&[] as &[u32], |folder| &folder.files);
                    entry.insert(mains(files, view, graph)?)
                }
            };
            all.extend(known.iter().take(most).map(|(chunk, weight)| (*chunk, weight * worth)));
        }
        Ok(all)
    }
}

/// What the settings say of parts of the project.
fn of_settings(
    query: &Query,
    configured: &[NamedBundle],
    view: &View,
    graph: Graph<'_>,
) -> Result<Vec<Main>, StoreError> {
    let mut found = Vec::new();
    for bundle in configured.iter().filter(|bundle| bundle.words.iter().any(|word| query.words.contains(word.as_str())))
    {
        for symbol in bundle.symbols.iter().take(bundle.most) {
            let named = graph.reader.find_symbols(symbol)?.into_iter().find(|named| named.name == *symbol);
            let chunk = named.and_then(|named| view.dense(named.file, named.chunk?));
            found.extend(chunk.map(|chunk| (chunk, STRUCTURE)));
        }
    }
    Ok(found)
}

/// Folders whose whole name the prompt has, those of more words first.
fn asked_for(folders: &[Folder], query: &Query, is_code: &mut dyn FnMut(&usize) -> bool) -> Vec<usize> {
    let wanted = query.stems.get(..query.content).unwrap_or_default();
    let all = folders.iter().map(|folder| folder.files.len()).max().unwrap_or_default();
    // A folder that holds most of the project is no part of it: it goes by the project's name.
    let is_part = |folder: &&Folder| folder.files.len() * 2 <= all || folders.len() == 1;
    let words = |at: usize| Some((at, named(folders.get(at).filter(is_part)?, wanted)?));
    let mut parts: Vec<(usize, usize)> = (0..folders.len()).filter_map(words).filter(|(at, _)| is_code(at)).collect();
    parts.sort_by_key(|(at, words)| (std::cmp::Reverse(*words), folders.get(*at).map_or(0, |folder| folder.depth)));
    parts.truncate(MOST_PARTS);
    parts.into_iter().map(|(at, _)| at).collect()
}

/// Folders that hold code, by path; files of a folder are those below it too.
fn folders(view: &View, stemmer: &mut Stemmer) -> Vec<Folder> {
    let mut by_path: std::collections::BTreeMap<&str, Vec<u32>> = std::collections::BTreeMap::new();
    for (at, file) in (0u32..).zip(&view.layout.files) {
        let mut dir = file.path.dir();
        let flags = view.layout.chunk_flags.get(file.first as usize..(file.first + file.chunks) as usize);
        if !flags.unwrap_or_default().iter().any(|flags| flags.named) {
            continue;
        }
        while !dir.is_empty() {
            by_path.entry(dir).or_default().push(at);
            dir = dir.rsplit_once('/').map_or("", |(above, _)| above);
        }
    }
    let folder = |(path, files): (&str, Vec<u32>)| {
        let name = stems(path.rsplit('/').next().unwrap_or_default(), stemmer);
        Folder { name, depth: path.matches('/').count(), files }
    };
    by_path.into_iter().map(folder).collect()
}

/// Not all of it is tests, examples and the like, as far as its first files show.
fn is_code(folder: &Folder, view: &View, stemmer: &mut Stemmer) -> bool {
    folder.files.iter().take(SAMPLE).any(|file| !view.facts(*file, stemmer).traits.is_aside())
}

/// How many words of a folder's name the prompt has: all of them, or none counts.
fn named(folder: &Folder, wanted: &[Box<str>]) -> Option<usize> {
    let hit = |word: &str| wanted.iter().any(|wanted| akin(wanted, word));
    let all = !folder.name.is_empty() && folder.name.iter().all(|word| hit(word));
    all.then_some(folder.name.len())
}

/// The parts of the whole: the folders with most files.
fn largest(folders: &[Folder], is_code: &mut dyn FnMut(&usize) -> bool) -> Vec<usize> {
    let mut parts: Vec<usize> = (0..folders.len()).collect();
    let size = |at: &usize| folders.get(*at).map_or(0, |folder| folder.files.len());
    parts.sort_by_key(|at| (std::cmp::Reverse(size(at)), folders.get(*at).map_or(0, |folder| folder.depth)));
    parts.into_iter().filter(|at| is_code(at)).take(MOST_FOLDERS).collect()
}

/// What the rest of the project leans on, most first.
fn mains(files: &[u32], view: &View, graph: Graph<'_>) -> Result<Vec<Main>, StoreError> {
    let mut leaned: Vec<(usize, FileId)> = Vec::new();
    for file in files.iter().filter_map(|file| view.layout.files.get(*file as usize)) {
        leaned.push((graph.reader.imported_by(file.file)?.len(), file.file));
    }
    leaned.sort_by_key(|(importers, file)| (std::cmp::Reverse(*importers), *file));
    let mut found: Vec<(u32, f32)> = Vec::new();
    for (_, file) in leaned.into_iter().take(MOST_FILES) {
        let Some(file) = graph.file(file)? else { continue };
        let mut main: Vec<(Place, &Symbol)> = file.places().filter(|(_, symbol)| is_main(symbol)).collect();
        main.sort_by_key(|(place, symbol)| (std::cmp::Reverse(symbol.lines.count()), place.symbol));
        for (place, symbol) in main.into_iter().take(MOST_OF_FILE) {
            let chunk =
                file.chunk(place.symbol).and_then(|ordinal| view.dense(place.file, u16::try_from(ordinal).ok()?));
            found.extend(
                chunk.map(|chunk| -> Result<Main, StoreError> { Ok((chunk, weight(graph, symbol)?)) }).transpose()?,
            );
        }
    }
    let best = found.iter().map(|(_, weight)| *weight).fold(f32::MIN_POSITIVE, f32::max);
    for (_, weight) in &mut found {
        *weight /= best;
    }
    found.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    found.truncate(MOST_MAIN);
    Ok(found)
}

/// At top level, and code rather than a test.
fn is_main(symbol: &Symbol) -> bool {
    symbol.owner.is_empty() && !symbol.test && (symbol.kind.is_container() || symbol.kind.is_callable())
}

/// By the calls of its name; a type says more of a part than a function, and a large one more than a small one.
fn weight(graph: Graph<'_>, symbol: &Symbol) -> Result<f32, StoreError> {
    let calls = graph.reader.incoming_count(&symbol.name)? as f32;
    let size = (1.0 + symbol.lines.count() as f32).ln() / 6.0;
    let weight = (1.0 + calls).ln() + size;
    Ok(if symbol.kind.is_container() { weight * TYPE } else { weight })
}
