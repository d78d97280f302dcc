//! Definitions that a prompt is about: those it names, points at in a trace, or describes. It says how sure that is and why, and follows
//! nothing. Read [`seeds`] first.

use rustc_hash::FxHashMap;

use super::calls::Graph;
use super::prompt::{Frame, Mention, Sanitized};
use super::query::{Query, Role, akin};
use super::stopwords::is_stop;
use super::view::View;
use crate::graph::Place;
use crate::model::{FileId, Symbol, SymbolKind};
use crate::store::StoreError;
use crate::store::code::SymbolRef;
use crate::store::tokens::{self, Stemmer};

/// A flow is followed from a seed that is at least so sure.
pub(super) const VIABLE: f32 = 0.55;

/// Confidence of a seed by what speaks for it.
const FRAME: f32 = 0.95;
const QUALIFIED: f32 = 1.0;
const NAMED: f32 = 0.95;
const AMBIGUOUS: f32 = 0.75;
const OTHER_CASE: f32 = 0.7;
const JOINED: f32 = 0.8;
const PLAIN: f32 = 0.6;
/// Of a good answer of the search; what is added when its names hold a word of the prompt and, as far as it is as good as the best, when
/// it is a function and so can be followed, and when its names hold all words.
const DESCRIBED: f32 = 0.4;
const DESCRIBED_NAMED: f32 = 0.1;
const DESCRIBED_RUNS: f32 = 0.1;
const DESCRIBED_SHARE: f32 = 0.3;

/// Names that are looked up, and definitions of one that are compared.
const MAX_NAMES: usize = 24;
const MAX_TRIED: usize = 4;
/// Words whose neighbours are joined, and definitions that joined or plain words may mean at most.
const MAX_JOINED_WORDS: usize = 20;
const MAX_JOINED: usize = 3;
const MAX_PLAIN: usize = 4;
const MAX_SEEDS: usize = 8;
/// Answers of the search that may be what is described.
const DESCRIBED_BY: usize = 12;
/// A plain word of fewer letters is not taken for a name.
const PLAIN_LETTERS: usize = 5;

/// Why a definition is a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SeedReason {
    /// A trace names the place.
    Frame,
    /// `Owner.name`, both there.
    Qualified,
    /// Its very name, and nothing else has it.
    Named,
    /// Its very name, which others have too.
    Ambiguous,
    OtherCase,
    /// Two or three words that are its name when they are joined.
    Joined,
    /// A plain word.
    Plain,
    /// The best answer of the search.
    Described,
    /// What the last prompt was about.
    Earlier,
}

impl SeedReason {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Frame => "named in a trace",
            Self::Qualified => "named with its owner",
            Self::Named => "named",
            Self::Ambiguous => "named, with others of that name",
            Self::OtherCase => "named in other case",
            Self::Joined => "named in words",
            Self::Plain => "a word is its name",
            Self::Described => "best answer of the search",
            Self::Earlier => "what the last prompt was about",
        }
    }

    /// The prompt writes the name.
    #[must_use]
    pub const fn is_name(self) -> bool {
        match self {
            Self::Qualified | Self::Named | Self::Ambiguous | Self::OtherCase | Self::Joined => true,
            Self::Frame | Self::Plain | Self::Described | Self::Earlier => false,
        }
    }

    /// No other definition has the name as good a right to be meant.
    #[must_use]
    pub const fn is_one(self) -> bool {
        match self {
            Self::Ambiguous | Self::OtherCase | Self::Plain => false,
            Self::Frame | Self::Qualified | Self::Named | Self::Joined | Self::Described | Self::Earlier => true,
        }
    }

    /// The prompt points at this very definition.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        match self {
            Self::Frame | Self::Qualified | Self::Named => true,
            Self::Ambiguous | Self::OtherCase | Self::Joined | Self::Plain | Self::Described | Self::Earlier => false,
        }
    }
}

/// A definition the prompt is about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Seed {
    pub place: Place,
    /// Dense index of the chunk that begins it.
    pub chunk: u32,
    /// From 0 to 1.
    pub confidence: f32,
    pub reason: SeedReason,
}

/// By chunk: its score in the search, and what that owes to a name it defines.
pub(super) type Scores = FxHashMap<u32, (f32, f32)>;

/// What seeds are chosen by.
pub(super) struct Clues<'a> {
    pub prompt: &'a Sanitized,
    pub query: &'a Query,
    pub view: &'a View,
    pub graph: Graph<'a>,
    pub scores: &'a Scores,
    /// Best chunks of the search.
    pub best: &'a [u32],
}

/// Seeds, the surest first; of equal ones those that the search puts first.
pub(super) fn seeds(clues: &Clues<'_>, stemmer: &mut Stemmer) -> Result<Vec<Seed>, StoreError> {
    let mut found = clues.of_frames()?;
    for (name, qualifier) in clues.names() {
        found.extend(clues.of_name(&name, &qualifier)?);
    }
    for name in clues.joined() {
        found.extend(clues.of_words(&name, SeedReason::Joined, JOINED)?);
    }
    found.extend(clues.plain()?);
    found.extend(clues.described(stemmer)?);
    let score = |seed: &Seed| clues.score(seed.chunk).0;
    found.sort_by(|left, right| {
        right.confidence.total_cmp(&left.confidence).then_with(|| score(right).total_cmp(&score(left)))
    });
    let mut seen = rustc_hash::FxHashSet::default();
    found.retain(|seed| seen.insert(seed.chunk));
    found.truncate(MAX_SEEDS);
    Ok(found)
}

impl Clues<'_> {
    /// Places of a trace that lie in the project, the innermost first.
    fn of_frames(&self) -> Result<Vec<Seed>, StoreError> {
        let mut frames: Vec<&Frame> = self.prompt.frames.iter().collect();
        if frames.first().is_some_and(|frame| !frame.innermost_first) {
            frames.reverse();
        }
        let mut found = Vec::new();
        for (depth, frame) in frames.into_iter().enumerate() {
            if found.len() >= MAX_SEEDS {
                break;
            }
            let Some(file) = self.file_of(&frame.path) else { continue };
            let confidence = FRAME - 0.02 * depth.min(10) as f32;
            found.extend(
                self.at(file, frame)?
                    .and_then(|place| self.seed(place, confidence, SeedReason::Frame).transpose())
                    .transpose()?,
            );
        }
        Ok(found)
    }

    /// The file whose path the written one ends with, or that ends with it; the longest such.
    fn file_of(&self, written: &str) -> Option<FileId> {
        let written = written.trim_start_matches("./");
        // A bare file name at the end of a longer path says nothing: libraries have files of these names, too.
        let ends = |long: &str, short: &str| {
            let rest = long.strip_suffix(short);
            rest.is_some_and(|rest| {
                rest.is_empty() || (rest.ends_with('/') && (short.contains('/') || short == written))
            })
        };
        let files = self.view.layout.files.iter();
        let fitting = files.filter(|file| ends(written, file.path.as_str()) || ends(file.path.as_str(), written));
        let shared = |path: &str| path.len().min(written.len());
        fitting
            .max_by_key(|file| (shared(file.path.as_str()), std::cmp::Reverse(file.path.as_str().len())))
            .map(|file| file.file)
    }

    /// The innermost definition around a line, or the one of that name when lines have moved.
    fn at(&self, file: FileId, frame: &Frame) -> Result<Option<Place>, StoreError> {
        let Some(file) = self.graph.file(file)? else { return Ok(None) };
        let name = frame.function.rsplit(['.', ':', ' ']).next().unwrap_or_default();
        let holds = |symbol: &Symbol| symbol.lines.start <= frame.line && frame.line <= symbol.lines.end;
        let around = file.places().filter(|(_, symbol)| symbol.kind.is_callable() || symbol.kind.is_container());
        let known = name.chars().next().is_some_and(char::is_alphabetic);
        let mut fitting: Vec<_> =
            around.filter(|(_, symbol)| holds(symbol) || (!name.is_empty() && *symbol.name == *name)).collect();
        fitting.sort_by_key(|(_, symbol)| (*symbol.name != *name, !holds(symbol), symbol.lines.count()));
        // A function that is not there was another file's.
        let found = fitting.first().filter(|(_, symbol)| !known || *symbol.name == *name);
        Ok(found.map(|(place, _)| *place))
    }

    /// Identifiers of the prompt with what stands before them; of what is only shown, those that follow.
    fn names(&self) -> Vec<(String, Vec<Box<str>>)> {
        let mut names: Vec<(String, Vec<Box<str>>)> = Vec::new();
        let mut add = |text: &str, qualifier: Vec<Box<str>>| {
            let known = names.iter().any(|(name, _)| name == text);
            if names.len() < MAX_NAMES && !known && text.len() > 1 {
                names.push((text.to_owned(), qualifier));
            }
        };
        // What is left of a sentence may be one plain word, which names nothing on purpose.
        let alone = !self.prompt.words.contains(char::is_whitespace);
        for name in &self.query.names {
            let on_purpose = alone || tokens::is_identifier(&name.text) || name.text.starts_with(char::is_uppercase);
            let named = matches!(name.role, Role::Symbol | Role::Identifier | Role::Capitalised);
            let is_word = !name.text.starts_with(char::is_numeric);
            if named && is_word && (on_purpose || !name.qualifier.is_empty()) {
                add(&name.text, name.qualifier.clone());
            }
        }
        for mention in &self.prompt.mentions {
            if let Mention::Code(code) = mention {
                tokens::words(code).last().into_iter().for_each(|word| add(word, Vec::new()));
            }
        }
        names
    }

    /// Neighbouring words written as one, where none of them is a word that stands everywhere.
    fn joined(&self) -> Vec<String> {
        let words: Vec<&str> = tokens::words(&self.prompt.words).take(MAX_JOINED_WORDS).collect();
        let is_part = |word: &&str| word.len() > 1 && !is_stop(&word.to_lowercase());
        let mut joined: Vec<String> = Vec::new();
        for size in [3, 2] {
            for run in words.windows(size).filter(|run| run.iter().all(is_part)) {
                let name = run.concat();
                if joined.len() < MAX_NAMES && !joined.contains(&name) {
                    joined.push(name);
                }
            }
        }
        joined
    }

    /// Functions and types among the best answers whose name is a word of the prompt; a word that names many names none.
    fn plain(&self) -> Result<Vec<Seed>, StoreError> {
        let named = |chunk: &&u32| self.score(**chunk).1 > 0.0 && self.is_code(**chunk);
        if self.best.iter().filter(named).count() > MAX_PLAIN {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for chunk in self.best.iter().filter(named) {
            let Some(place) = self.defined_by(*chunk)? else { continue };
            let plain = |_: &super::calls::File, symbol: &Symbol| symbol.name.chars().count() >= PLAIN_LETTERS;
            if self.graph.symbol(place, plain)? == Some(true) {
                found.extend(self.seed(place, PLAIN, SeedReason::Plain)?);
            }
        }
        Ok(found)
    }

    fn of_name(&self, name: &str, qualifier: &[Box<str>]) -> Result<Option<Seed>, StoreError> {
        let all = self.graph.reader.find_symbols(name)?;
        let exact = all.iter().any(|found| found.name == name);
        let same = all.iter().filter(|found| !exact || found.name == name);
        let mut ranked: Vec<(u32, &SymbolRef)> = same.filter_map(|found| Some((self.dense(found)?, found))).collect();
        let count = ranked.len();
        ranked.sort_by(|left, right| {
            self.rank(right.0).partial_cmp(&self.rank(left.0)).unwrap_or(std::cmp::Ordering::Equal)
        });
        for (chunk, found) in ranked.iter().take(MAX_TRIED) {
            let place = Place { file: found.file, symbol: found.symbol };
            if self.graph.symbol(place, |_, symbol| symbol.kind == SymbolKind::Section)? == Some(true) {
                continue;
            }
            let second = ranked.iter().find(|(other, _)| other != chunk).map_or(0.0, |(other, _)| self.score(*other).1);
            // The search gives a definition whose owner is named too twice as much for it.
            let owned = !qualifier.is_empty() && self.score(*chunk).1 > 1.5 * second;
            let (confidence, reason) = match () {
                () if !exact => (OTHER_CASE, SeedReason::OtherCase),
                () if owned => (QUALIFIED, SeedReason::Qualified),
                () if count == 1 => (NAMED, SeedReason::Named),
                () => (AMBIGUOUS, SeedReason::Ambiguous),
            };
            return self.seed(place, confidence, reason);
        }
        Ok(None)
    }

    /// A definition that joined words name: only a function or a type.
    fn of_words(&self, name: &str, reason: SeedReason, confidence: f32) -> Result<Option<Seed>, StoreError> {
        let all = self.graph.reader.find_symbols(name)?;
        let code = |found: &&SymbolRef| self.dense(found).is_some_and(|chunk| self.is_code(chunk));
        let same: Vec<&SymbolRef> = all.iter().filter(code).collect();
        if same.len() > MAX_JOINED {
            return Ok(None);
        }
        let rank = |found: &&&SymbolRef| self.dense(found).map_or((false, 0.0, 0.0), |chunk| self.rank(chunk));
        let best =
            same.iter().max_by(|left, right| rank(left).partial_cmp(&rank(right)).unwrap_or(std::cmp::Ordering::Equal));
        best.map_or(Ok(None), |best| self.seed(Place { file: best.file, symbol: best.symbol }, confidence, reason))
    }

    fn score(&self, chunk: u32) -> (f32, f32) {
        self.scores.get(&chunk).copied().unwrap_or_default()
    }

    /// Code before tests, then by what the search says.
    fn rank(&self, chunk: u32) -> (bool, f32, f32) {
        let flags = self.view.layout.chunk_flags.get(chunk as usize).copied().unwrap_or_default();
        let (score, definition) = self.score(chunk);
        (flags.named && !flags.test, definition, score)
    }

    /// It begins a function or a type that is no test.
    fn is_code(&self, chunk: u32) -> bool {
        let flags = self.view.layout.chunk_flags.get(chunk as usize).copied().unwrap_or_default();
        flags.named && (flags.callable || flags.container) && !flags.test
    }

    /// Functions and types among the best answers, by how many words of the prompt are in their names.
    fn described(&self, stemmer: &mut Stemmer) -> Result<Vec<Seed>, StoreError> {
        let wanted = self.query.stems.get(..self.query.content).unwrap_or_default();
        let code = self.best.iter().filter(|chunk| {
            let file = self.view.file_of.get(**chunk as usize).copied().unwrap_or_default();
            !self.view.facts(file, stemmer).traits.is_aside()
        });
        let code: Vec<u32> = code.copied().take(DESCRIBED_BY).collect();
        let top = self.scores.values().map(|(score, _)| *score).fold(f32::MIN_POSITIVE, f32::max);
        let mut found = Vec::new();
        for chunk in code {
            let Some(place) = self.defined_by(chunk)? else { continue };
            let told = |file: &super::calls::File, symbol: &Symbol| {
                (format!("{} {} {}", symbol.name, symbol.owner, file.row.path.file_name()), symbol.kind.is_callable())
            };
            let Some((names, callable)) = self.graph.symbol(place, told)? else { continue };
            let mut stems: Vec<Box<str>> = Vec::new();
            tokens::words(&names).for_each(|word| tokens::parts(word, |part| stems.push(stemmer.stem(part).into())));
            let hit = wanted.iter().filter(|wanted| stems.iter().any(|stem| akin(wanted, stem))).count();
            let share = (hit as f32 / wanted.len().clamp(1, 4) as f32).min(1.0);
            let named = if hit > 0 { DESCRIBED_NAMED } else { 0.0 };
            let runs = if callable && hit > 0 { DESCRIBED_RUNS } else { 0.0 };
            let rank = self.score(chunk).0 / top;
            let confidence = DESCRIBED + named + (runs + DESCRIBED_SHARE * share) * rank.clamp(0.0, 1.0);
            found.extend(self.seed(place, confidence, SeedReason::Described)?);
        }
        Ok(found)
    }

    /// The function or type that a chunk begins or is a piece of.
    fn defined_by(&self, chunk: u32) -> Result<Option<Place>, StoreError> {
        let layout = self.view.file_of.get(chunk as usize).and_then(|file| self.view.layout.files.get(*file as usize));
        let Some(layout) = layout else { return Ok(None) };
        let Some(file) = self.graph.file(layout.file)? else { return Ok(None) };
        let symbol = file.outline.chunks.get((chunk - layout.first) as usize).and_then(|chunk| chunk.symbol);
        let Some(symbol) = symbol else { return Ok(None) };
        let fits = |symbol: &Symbol| (symbol.kind.is_callable() || symbol.kind.is_container()) && !symbol.test;
        Ok(file.symbol(symbol).is_some_and(fits).then_some(Place { file: layout.file, symbol }))
    }

    fn dense(&self, found: &SymbolRef) -> Option<u32> {
        self.view.dense(found.file, found.chunk?)
    }

    fn seed(&self, place: Place, confidence: f32, reason: SeedReason) -> Result<Option<Seed>, StoreError> {
        let chunk = self.view.chunk_of(self.graph, place)?;
        Ok(chunk.map(|chunk| Seed { place, chunk, confidence, reason }))
    }
}
