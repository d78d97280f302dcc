//! The index as ranking sees it: everything of one commit that is the same for every query, in dense arrays. It holds no postings and
//! no text. Read [`View`] first.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use super::calls::Graph;
use super::factors::{self, Traits};
use super::paths::Neighbours;
use super::retrieve::saturated;
use crate::graph::Place;
use crate::model::FileId;
use crate::store::StoreError;
use crate::store::code::CodeReader;
use crate::store::names::effective_name;
use crate::store::text::{CHUNK_FIELDS, ChunkField, Corpus, FileField, Layout, TextReader};
use crate::store::tokens::{self, Stemmer};

/// Weight of each [`ChunkField`] and how much its length counts.
const CHUNK_WEIGHTS: [(f32, f32); CHUNK_FIELDS] = [(2.0, 0.3), (0.75, 0.3), (1.0, 0.75), (1.0, 0.75), (0.7, 0.75)];
/// The same of a file's name and folders, as fields of each of its chunks.
const STEM_WEIGHT: (f32, f32) = (1.0, 0.3);
const DIR_WEIGHT: (f32, f32) = (0.5, 0.3);
/// The same for the card of a file: names, signatures, docs, imports. Its folders weigh [`CARD_DIR`] whatever their number.
const CARD_WEIGHTS: [(f32, f32); CARD_FIELDS] = [(2.0, 0.5), (1.0, 0.75), (1.0, 0.75), (0.5, 0.75)];
pub(super) const CARD_DIR: f32 = 1.0;

/// Fields of a card that have a length: names, signatures, docs, imports.
pub(super) const CARD_FIELDS: usize = 4;
/// Fields of a chunk that the card of its file sums up, in order of the card's fields.
pub(super) const SUMMED: [ChunkField; 3] = [ChunkField::Name, ChunkField::Signature, ChunkField::Doc];

/// One commit of the index.
#[derive(Debug, Default)]
pub(super) struct View {
    pub commit: i64,
    pub layout: Layout,
    /// By dense chunk index: index of its file.
    pub file_of: Vec<u32>,
    /// By dense chunk index: what one occurrence in each field is worth.
    pub chunk_worth: Vec<[f32; CHUNK_FIELDS]>,
    /// The same of the commonest occurrence, one in code and nowhere else, as it counts in the end.
    pub code_once: Vec<f32>,
    /// By file.
    pub files: Vec<FileWorth>,
    neighbours: Neighbours,
    host: Box<str>,
    /// Names made of nothing but these say nothing.
    project: Vec<Box<str>>,
    facts: Vec<OnceCell<Box<FileFacts>>>,
    langs: OnceCell<Vec<Box<str>>>,
}

/// Where the chunks of a file stand and what one occurrence in it is worth.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileWorth {
    /// Dense index of its first chunk.
    pub first: u32,
    pub chunks: u32,
    /// In its name and in its folders, to each of its chunks.
    pub path: [f32; 2],
    /// In each field, to its card.
    pub card: [f32; CARD_FIELDS],
}

/// Where the project lies.
#[derive(Debug, Clone)]
pub(super) struct Home {
    /// Name of its folder.
    pub project: Box<str>,
    /// System, as `std::env::consts::OS` calls it.
    pub host: Box<str>,
}

/// What ranking knows of a file from its path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FileFacts {
    /// Stems of the name it goes by.
    pub name: Vec<Box<str>>,
    /// Stems of its folder.
    pub folder: Vec<Box<str>>,
    /// It goes by the project's name.
    pub is_project: bool,
    pub traits: Traits,
}

impl View {
    /// Reads the whole layout.
    pub(super) fn load(reader: &TextReader, commit: i64, home: &Home) -> Result<Self, StoreError> {
        let (corpus, layout) = (reader.corpus()?, reader.layout()?);
        let mut stemmer = Stemmer::new();
        let mut view = Self {
            commit,
            file_of: Vec::with_capacity(layout.chunk_lens.len()),
            neighbours: Neighbours::of(layout.files.iter().map(|file| file.path.as_str())),
            host: home.host.clone(),
            project: stems(&home.project, &mut stemmer),
            facts: vec![OnceCell::new(); layout.files.len()],
            ..Self::default()
        };
        view.weigh(&layout, &corpus);
        view.layout = layout;
        Ok(view)
    }

    fn weigh(&mut self, layout: &Layout, corpus: &Corpus) {
        let chunk_avg = corpus.chunk_len_avg();
        let file_avg = corpus.file_len_avg();
        let per_file = corpus.chunks as f32 / corpus.files.max(1) as f32;
        let mut card_avg = [0.0; CARD_FIELDS];
        for (avg, field) in card_avg.iter_mut().zip(SUMMED) {
            *avg = chunk_avg[field as usize] * per_file;
        }
        card_avg[CARD_FIELDS - 1] = file_avg[FileField::Imports as usize];
        for lens in &layout.chunk_lens {
            let mut worth = [0.0; CHUNK_FIELDS];
            for (field, worth) in worth.iter_mut().enumerate() {
                *worth = occurrence(CHUNK_WEIGHTS[field], f32::from(lens[field]), chunk_avg[field]);
            }
            self.chunk_worth.push(worth);
            self.code_once.push(saturated(worth[ChunkField::Code as usize]));
        }
        for (index, file) in (0u32..).zip(&layout.files) {
            let chunks = file.first as usize..(file.first + file.chunks) as usize;
            self.file_of.extend(chunks.clone().map(|_| index));
            let [stem, dir, imports] = file.file_lens.map(f32::from);
            let path = |weight, len, field: FileField| occurrence(weight, len, file_avg[field as usize]);
            let path = [path(STEM_WEIGHT, stem, FileField::Stem), path(DIR_WEIGHT, dir, FileField::Dir)];
            let lens = layout.chunk_lens.get(chunks).unwrap_or_default();
            let summed = |field: ChunkField| lens.iter().map(|lens| f32::from(lens[field as usize])).sum();
            let lens: [f32; CARD_FIELDS] = [summed(SUMMED[0]), summed(SUMMED[1]), summed(SUMMED[2]), imports];
            let card = std::array::from_fn(|field| occurrence(CARD_WEIGHTS[field], lens[field], card_avg[field]));
            self.files.push(FileWorth { first: file.first, chunks: file.chunks, path, card });
        }
    }

    pub(super) fn chunks(&self) -> usize {
        self.file_of.len()
    }

    pub(super) fn path(&self, file: u32) -> &str {
        self.layout.files.get(file as usize).map_or("", |file| file.path.as_str())
    }

    /// Dense index of the chunk that begins a definition.
    pub(super) fn chunk_of(&self, graph: Graph<'_>, place: Place) -> Result<Option<u32>, StoreError> {
        let ordinal = graph.symbol(place, |file, _| file.chunk(place.symbol))?.flatten();
        Ok(ordinal.and_then(|ordinal| self.dense(place.file, u16::try_from(ordinal).ok()?)))
    }

    /// The file of a chunk.
    pub(super) fn file_id(&self, chunk: u32) -> Option<FileId> {
        let file = self.file_of.get(chunk as usize)?;
        self.layout.files.get(*file as usize).map(|file| file.file)
    }

    /// Dense indexes of a file's chunks.
    pub(super) fn chunks_of(&self, file: u32) -> std::ops::Range<usize> {
        self.layout
            .files
            .get(file as usize)
            .map_or(0..0, |file| file.first as usize..(file.first + file.chunks) as usize)
    }

    /// Dense index of a chunk; `None` for one that has come or gone since this was loaded.
    pub(super) fn dense(&self, file: FileId, ordinal: u16) -> Option<u32> {
        let file = self.layout.files.get(self.layout.position(file)?)?;
        (u32::from(ordinal) < file.chunks).then(|| file.first + u32::from(ordinal))
    }

    /// Made when it is first asked for.
    pub(super) fn facts(&self, file: u32, stemmer: &mut Stemmer) -> &FileFacts {
        static NONE: FileFacts =
            FileFacts { name: Vec::new(), folder: Vec::new(), is_project: false, traits: Traits::NONE };
        let index = file as usize;
        let (Some(cell), Some(layout)) = (self.facts.get(index), self.layout.files.get(index)) else { return &NONE };
        cell.get_or_init(|| {
            let effective = effective_name(&layout.path);
            let name = stems(effective.stem, stemmer);
            let folder = effective.folders.last().map(|folder| stems(folder, stemmer)).unwrap_or_default();
            let traits = factors::traits(&layout.path, layout.flags.generated, &self.neighbours, &self.host);
            let is_project = name.iter().all(|word| self.project.contains(word));
            Box::new(FileFacts { name, folder, is_project, traits })
        })
    }

    /// Whether a file is one of tests, by its path.
    pub(super) fn is_test(&self, file: u32) -> bool {
        self.facts(file, &mut Stemmer::new()).traits.is_test()
    }

    /// Language of each file; empty for one that has just gone.
    pub(super) fn langs(&self, code: &CodeReader) -> Result<&[Box<str>], StoreError> {
        if self.langs.get().is_none() {
            let known: FxHashMap<_, _> = code.files()?.into_iter().map(|row| (row.id, row.lang)).collect();
            let lang = |file: &crate::store::text::FileLayout| known.get(&file.file).cloned().unwrap_or_default();
            // Only this thread can have set it since.
            drop(self.langs.set(self.layout.files.iter().map(lang).collect()));
        }
        Ok(self.langs.get().map_or(&[], Vec::as_slice))
    }
}

pub(super) fn stems(name: &str, stemmer: &mut Stemmer) -> Vec<Box<str>> {
    let mut found = Vec::new();
    tokens::words(name).for_each(|word| tokens::parts(word, |part| found.push(stemmer.stem(part).into())));
    found
}

/// Value of one occurrence in a field of `len` tokens where the mean is `avg`.
fn occurrence((weight, slope): (f32, f32), len: f32, avg: f32) -> f32 {
    if avg > 0.0 { weight / (1.0 - slope + slope * len / avg) } else { weight }
}
