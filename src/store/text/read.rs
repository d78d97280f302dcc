//! What search asks fts.db. It ranks nothing and knows no query syntax: words in, postings out. Read [`TextReader`] first.

use std::path::Path;

use super::super::database::Database;
use super::super::error::{Kind, StoreError, undecodable};
use super::super::inverted::{self, BLOCK_FILES};
use super::super::tokens::{self, Stemmer};
use super::layout::{self, Layout, Slot};
use super::postings::{self, CHUNK_FIELDS, Chunks, FILE_FIELDS, FileCounts};
use crate::model::FileId;

/// Words of a phrase that are asked for; further ones are left out.
const PHRASE_WORDS: usize = 32;

/// Exact sums over the whole index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Corpus {
    pub files: u32,
    pub chunks: u32,
    /// Tokens of all files per file field.
    pub file_tokens: [u64; FILE_FIELDS],
    /// Tokens of all chunks per chunk field.
    pub chunk_tokens: [u64; CHUNK_FIELDS],
}

/// In how many files and chunks a term stands. A term in a field of the file alone counts for no chunk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Df {
    pub files: u32,
    pub chunks: u32,
}

/// Where postings are.
#[derive(Debug, Clone, Copy)]
enum Table {
    Posting,
    Pair,
}

/// A connection to fts.db that reads. It never waits for a writer.
#[derive(Debug)]
pub struct TextReader {
    database: Database,
}

impl TextReader {
    /// Opens `fts.db` at `path`.
    ///
    /// # Errors
    /// [`StoreError::Missing`], [`StoreError::Damaged`], [`StoreError::Version`].
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { database: Database::open_reader(path, Kind::Text)? })
    }

    /// Everything read while it lives is of one commit.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn snapshot(&self) -> Result<rusqlite::Transaction<'_>, StoreError> {
        self.database.snapshot()
    }

    /// Number of the last commit. A [`Layout`] that was read at the same number is still true.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn commit(&self) -> Result<i64, StoreError> {
        Ok(self.database.state("commit")?.unwrap_or_default())
    }

    /// # Errors
    /// See [`StoreError`].
    pub fn corpus(&self) -> Result<Corpus, StoreError> {
        Corpus::load(&self.database)
    }

    /// All files and chunks.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn layout(&self) -> Result<Layout, StoreError> {
        let mut all = Layout::default();
        self.database.each("SELECT id, data FROM block ORDER BY id", (), |row| {
            let first = row.get::<_, u32>(0)? * BLOCK_FILES;
            layout::decode(row.get_ref(1)?.as_blob()?, |number, slot| all.push(FileId(first + number), slot))
                .ok_or_else(|| undecodable("a block of the layout"))
        })?;
        Ok(all)
    }

    /// How common a term (a stem, or a pair `a+b`) is; zero when it is unknown.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn df(&self, term: &str) -> Result<Df, StoreError> {
        let Some((number, table)) = self.number(term)? else { return Ok(Df::default()) };
        let sql = match table {
            Table::Posting => "SELECT total(files), total(chunks) FROM posting WHERE key BETWEEN ?1 AND ?2",
            Table::Pair => "SELECT total(files), total(chunks) FROM pair WHERE key BETWEEN ?1 AND ?2",
        };
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, f64>(0)?, row.get::<_, f64>(1)?));
        let sums = self.database.first(sql, inverted::row_keys(number), read)?;
        let (files, chunks) = sums.unwrap_or_default();
        Ok(Df { files: whole(files), chunks: whole(chunks) })
    }

    /// Calls `visit` with every file that has the term (a stem, or a pair `a+b`), by ascending id: counts of its file fields,
    /// and its chunks.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn postings(
        &self,
        term: &str,
        mut visit: impl FnMut(FileId, FileCounts, &mut Chunks<'_>),
    ) -> Result<Df, StoreError> {
        let mut df = Df::default();
        let Some((number, table)) = self.number(term)? else { return Ok(df) };
        let sql = match table {
            Table::Posting => "SELECT key, files, chunks, data FROM posting WHERE key BETWEEN ?1 AND ?2 ORDER BY key",
            Table::Pair => "SELECT key, files, chunks, data FROM pair WHERE key BETWEEN ?1 AND ?2 ORDER BY key",
        };
        self.database.each(sql, inverted::row_keys(number), |row| {
            df.files += row.get::<_, u32>(1)?;
            df.chunks += row.get::<_, u32>(2)?;
            let first = inverted::first_file(row.get(0)?);
            decode_row(first, row.get_ref(3)?.as_blob()?, &mut visit).ok_or_else(|| undecodable("a posting"))
        })?;
        Ok(df)
    }

    /// The same of a stem in `files` only, which ascend. Reads nothing of blocks that have none of them.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn postings_of(
        &self,
        stem: &str,
        files: &[FileId],
        mut visit: impl FnMut(FileId, FileCounts, &mut Chunks<'_>),
    ) -> Result<(), StoreError> {
        let Some(number) = self.stem_number(stem)? else { return Ok(()) };
        let mut select = self.database.statement("SELECT data FROM posting WHERE key = ?1")?;
        for of_block in files.chunk_by(|left, right| left.0 / BLOCK_FILES == right.0 / BLOCK_FILES) {
            let block = of_block.first().map_or(0, |file| file.0 / BLOCK_FILES);
            let mut take = |file, counts: FileCounts, chunks: &mut Chunks<'_>| {
                if of_block.binary_search(&file).is_ok() {
                    visit(file, counts, chunks);
                }
            };
            let decode = |row: &rusqlite::Row<'_>| {
                let data = row.get_ref(0)?.as_blob()?;
                decode_row(block * BLOCK_FILES, data, &mut take).ok_or_else(|| undecodable("a posting"))
            };
            select.first([inverted::row_key(number.into(), block)], decode)?;
        }
        Ok(())
    }

    /// Stems of the index that start with `stem` and are at most `longer` characters longer, without itself: the shortest
    /// first, then by alphabet, `keep` of them.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn expand(&self, stem: &str, longer: usize, keep: usize) -> Result<Vec<String>, StoreError> {
        let most = stem.chars().count() + longer;
        let mut found: Vec<(usize, String, u32)> = Vec::new();
        let sql = "SELECT text, id FROM term WHERE text > ?1 AND text < ?1 || char(1114111)";
        self.database.each(sql, [stem], |row| {
            let text = row.get_ref(0)?.as_str()?;
            let chars = text.chars().count();
            if chars <= most && text.starts_with(stem) {
                found.push((chars, text.to_owned(), row.get(1)?));
            }
            Ok(())
        })?;
        found.sort_unstable();
        let mut kept = Vec::new();
        for (_, text, number) in found {
            if kept.len() == keep {
                break;
            }
            if self.is_used(number)? {
                kept.push(text);
            }
        }
        Ok(kept)
    }

    /// Chunks that hold all of `words`, anywhere: identifiers whole, other words by their stems. In order of file id. More than
    /// `limit` are none: what stands everywhere is no evidence, and which of them came first would depend on ids. Words may
    /// hold anything.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn phrase(&self, words: &[&str], limit: usize) -> Result<Vec<(FileId, u16)>, StoreError> {
        let Phrase { names, stems } = Phrase::of(words);
        let mut found = if names.is_empty() { None } else { Some(self.chunks_with_names(&names)?) };
        let mut by_df = Vec::new();
        for stem in stems {
            by_df.push((self.df(&stem)?.chunks, stem));
        }
        by_df.sort_unstable();
        for (_, stem) in by_df {
            if found.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
            found = Some(self.chunks_with_stem(&stem, found.as_deref())?);
        }
        Ok(found.filter(|found| found.len() <= limit).unwrap_or_default())
    }

    fn chunks_with_names(&self, names: &[String]) -> Result<Vec<(FileId, u16)>, StoreError> {
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let mut found = Vec::new();
        let sql = "SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH ?1 ORDER BY rowid";
        self.database.each(sql, [quoted.join(" ")], |row| {
            let rowid: i64 = row.get(0)?;
            let ordinal = u16::try_from(rowid & 0xffff).map_err(|_| undecodable("a row of chunk_fts"))?;
            let file = u32::try_from(rowid >> 16).map_err(|_| undecodable("a row of chunk_fts"))?;
            found.push((FileId(file), ordinal));
            Ok(())
        })?;
        Ok(found)
    }

    /// Chunks with the stem; of those in `among`, which is sorted, where it is given.
    fn chunks_with_stem(&self, stem: &str, among: Option<&[(FileId, u16)]>) -> Result<Vec<(FileId, u16)>, StoreError> {
        let mut found = Vec::new();
        self.postings(stem, |file, _, chunks| {
            let all = chunks.map(|(ordinal, _)| (file, ordinal));
            match among {
                Some(among) => found.extend(all.filter(|chunk| among.binary_search(chunk).is_ok())),
                None => found.extend(all),
            }
        })?;
        Ok(found)
    }

    /// Rows of postings whose counts are not those of their entries.
    pub(in crate::store) fn wrong_postings(&self) -> Result<usize, StoreError> {
        let mut wrong = 0;
        let sql = "SELECT key, files, chunks, data FROM posting UNION ALL SELECT key, files, chunks, data FROM pair";
        self.database.each(sql, (), |row| {
            let first = inverted::first_file(row.get(0)?);
            let stated = Df { files: row.get(1)?, chunks: row.get(2)? };
            let mut found = Df::default();
            let whole = decode_row(first, row.get_ref(3)?.as_blob()?, &mut |_, _, chunks| {
                found.files += 1;
                found.chunks += u32::try_from(chunks.count()).unwrap_or(u32::MAX);
            });
            wrong += usize::from(whole.is_none() || found != stated);
            Ok(())
        })?;
        Ok(wrong)
    }

    pub(in crate::store) const fn database(&self) -> &Database {
        &self.database
    }

    /// Number of a stem or a pair, and where its postings are.
    fn number(&self, term: &str) -> Result<Option<(u64, Table)>, StoreError> {
        let Some((left, right)) = term.split_once('+') else {
            return Ok(self.stem_number(term)?.map(|number| (number.into(), Table::Posting)));
        };
        let (Some(left), Some(right)) = (self.stem_number(left)?, self.stem_number(right)?) else { return Ok(None) };
        Ok(super::pair_number(left, right).map(|number| (number, Table::Pair)))
    }

    fn stem_number(&self, stem: &str) -> Result<Option<u32>, StoreError> {
        self.database.first("SELECT id FROM term WHERE text = ?1", [stem], |row| row.get(0))
    }

    fn is_used(&self, term: u32) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM posting WHERE key BETWEEN ?1 AND ?2 LIMIT 1";
        Ok(self.database.first(sql, inverted::row_keys(term.into()), |_| Ok(()))?.is_some())
    }
}

impl Corpus {
    /// Mean length of each file field; 0 in an empty index.
    #[must_use]
    pub fn file_len_avg(&self) -> [f32; FILE_FIELDS] {
        self.file_tokens.map(|tokens| mean(tokens, self.files))
    }

    /// Mean length of each chunk field; 0 in an empty index.
    #[must_use]
    pub fn chunk_len_avg(&self) -> [f32; CHUNK_FIELDS] {
        self.chunk_tokens.map(|tokens| mean(tokens, self.chunks))
    }

    pub(super) fn add(&mut self, slot: &Slot) {
        self.count(slot, |sum, by| *sum += by);
        self.files += 1;
        self.chunks += u32::try_from(slot.chunks.len()).unwrap_or(u32::MAX);
    }

    pub(super) fn subtract(&mut self, slot: &Slot) {
        self.count(slot, |sum, by| *sum = sum.saturating_sub(by));
        self.files = self.files.saturating_sub(1);
        self.chunks = self.chunks.saturating_sub(u32::try_from(slot.chunks.len()).unwrap_or(u32::MAX));
    }

    pub(super) fn load(database: &Database) -> Result<Self, StoreError> {
        let mut corpus = Self::default();
        let mut numbers = [0u64; 2 + FILE_FIELDS + CHUNK_FIELDS];
        database.each("SELECT key, value FROM state WHERE key GLOB 'sum_*'", (), |row| {
            let key = row.get_ref(0)?.as_str()?;
            let place = key.strip_prefix("sum_").and_then(|number| number.parse::<usize>().ok());
            let number = place.and_then(|place| numbers.get_mut(place)).ok_or_else(|| undecodable("a sum"))?;
            *number = row.get::<_, i64>(1)?.cast_unsigned();
            Ok(())
        })?;
        let [files, chunks, lens @ ..] = numbers;
        corpus.files = u32::try_from(files).unwrap_or(u32::MAX);
        corpus.chunks = u32::try_from(chunks).unwrap_or(u32::MAX);
        for (sum, len) in corpus.file_tokens.iter_mut().chain(&mut corpus.chunk_tokens).zip(lens) {
            *sum = len;
        }
        Ok(corpus)
    }

    pub(super) fn save(&self, database: &Database) -> Result<(), StoreError> {
        let counts = [u64::from(self.files), u64::from(self.chunks)];
        let sums = counts.into_iter().chain(self.file_tokens).chain(self.chunk_tokens);
        for (place, sum) in sums.enumerate() {
            database.set_state(&format!("sum_{place}"), sum.cast_signed())?;
        }
        Ok(())
    }

    fn count(&mut self, slot: &Slot, change: impl Fn(&mut u64, u64)) {
        for (sum, len) in self.file_tokens.iter_mut().zip(slot.file_lens) {
            change(sum, u64::from(len));
        }
        for chunk in &slot.chunks {
            for (sum, len) in self.chunk_tokens.iter_mut().zip(chunk.lens) {
                change(sum, u64::from(len));
            }
        }
    }
}

/// Hands on every file of a row.
#[inline]
fn decode_row(first: u32, data: &[u8], visit: &mut impl FnMut(FileId, FileCounts, &mut Chunks<'_>)) -> Option<()> {
    let (mut at, mut next) = (0, 0);
    while at < data.len() {
        let slot = inverted::next_slot(data, &mut at, &mut next)?;
        let (file, mut chunks) = postings::decode(data, at)?;
        visit(FileId(first + slot), file, &mut chunks);
        at = chunks.end()?;
    }
    Some(())
}

/// What the words of a phrase are looked up by.
#[derive(Debug, Default)]
struct Phrase {
    names: Vec<String>,
    stems: Vec<String>,
}

impl Phrase {
    fn of(words: &[&str]) -> Self {
        let mut stemmer = Stemmer::new();
        let mut phrase = Self::default();
        for word in words.iter().flat_map(|word| tokens::words(word)).take(PHRASE_WORDS) {
            if tokens::is_identifier(word) {
                phrase.names.push(word.to_lowercase());
            } else {
                tokens::exact_parts(word, |part| phrase.stems.push(stemmer.stem(part).to_owned()));
            }
        }
        phrase
    }
}

fn mean(sum: u64, count: u32) -> f32 {
    if count == 0 {
        return 0.0;
    }
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "a mean needs no more than f32 has"
    )]
    let mean = (sum as f64 / f64::from(count)) as f32;
    mean
}

fn whole(sum: f64) -> u32 {
    sum as u32
}

#[cfg(test)]
mod tests {
    use super::super::super::StorePaths;
    use super::super::super::fixtures::{update, write};
    use super::*;
    use crate::model::RelPath;

    fn store(files: &[(&str, &[&str])]) -> (tempfile::TempDir, TextReader) {
        let dir = tempfile::tempdir().unwrap();
        let paths = StorePaths::new(dir.path());
        write(&paths, |writer| files.iter().for_each(|(path, words)| writer.put(update(path, words)).unwrap()));
        let reader = TextReader::open(&paths.fts()).unwrap();
        (dir, reader)
    }

    #[test]
    fn phrases_want_names_whole_and_words_by_stem() {
        let (_dir, text) = store(&[
            ("a.py", &["get_items", "render"]),
            ("b.py", &["get", "items", "rendering"]),
            ("c.py", &["数据库连接"]),
        ]);
        let found = |words: &[&str]| text.phrase(words, 10).unwrap();
        assert_eq!(found(&["get_items"]), [(FileId(0), 0)]);
        assert_eq!(found(&["item", "rendered"]), [(FileId(0), 0), (FileId(1), 0), (FileId(1), 1)]);
        assert_eq!(found(&["GET_ITEMS", "render"]), [(FileId(0), 0)]);
        assert_eq!(found(&["据库连"]), [(FileId(2), 0)]);
        assert_eq!(found(&["get_items", "absent"]), []);
        assert_eq!(text.phrase(&["render"], 1).unwrap(), []);
    }

    #[test]
    fn no_words_make_an_error_of_exact_search() {
        let (_dir, text) = store(&[("a.py", &["get_items"])]);
        let long = "long_name ".repeat(10_000);
        for word in [
            "", "\"", "a\"b_c", "NEAR(a_b", "name:a_b", "*", "-a_b", "^a_b", "a_b\0c_d", "'", "(", "AND", "_", "$",
            &long,
        ] {
            text.phrase(&[word], 10).unwrap();
            text.expand(word, 6, 4).unwrap();
            text.df(word).unwrap();
        }
        assert_eq!(text.phrase(&["(\"get_items*"], 10).unwrap(), [(FileId(0), 0)]);
    }

    #[test]
    fn expansions_are_used_stems_nearest_first() {
        let (dir, text) = store(&[("a.py", &["abcd", "abcdxy", "abcdx", "abcda", "abcd_e"]), ("b.py", &["abcdq"])]);
        assert_eq!(text.expand("abcd", 2, 3).unwrap(), ["abcda", "abcdq", "abcdx"]);
        assert_eq!(text.expand("abcd", 1, 9).unwrap(), ["abcda", "abcdq", "abcdx"]);
        let paths = StorePaths::new(dir.path());
        write(&paths, |writer| writer.remove(RelPath::new("b.py")).unwrap());
        assert_eq!(text.expand("abcd", 2, 9).unwrap(), ["abcda", "abcdx", "abcdxi"]);
    }

    #[test]
    fn pairs_are_asked_for_with_a_plus() {
        let (_dir, text) = store(&[("a.py", &["get_item"])]);
        assert_eq!(text.df("get+item").unwrap(), Df { files: 1, chunks: 1 });
        assert_eq!(text.df("item+get").unwrap(), Df::default());
    }

    #[test]
    fn means_are_of_what_is_there() {
        let (_dir, text) = store(&[("a.py", &["one", "two"]), ("b.py", &[])]);
        let corpus = text.corpus().unwrap();
        assert_eq!((corpus.files, corpus.chunks, corpus.chunk_tokens), (2, 2, [2, 0, 0, 0, 3]));
        assert_eq!(corpus.chunk_len_avg().map(|mean| (mean * 10.0) as u32), [10, 0, 0, 0, 15]);
        assert_eq!(Corpus::default().chunk_len_avg().map(f32::to_bits), [0; 5]);
    }
}
