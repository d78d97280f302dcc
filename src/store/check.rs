//! Whether the two databases are whole and agree. It repairs nothing: a writer replaces what is damaged, and redoes files whose
//! hashes differ. Read [`check`] first.

use std::collections::BTreeMap;

use super::StorePaths;
use super::code::CodeReader;
use super::database::Database;
use super::error::StoreError;
use super::text::TextReader;

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Integrity {
    pub files: usize,
    /// Only a rebuild cures these; empty when all is well.
    pub damage: Vec<String>,
    /// Files that the next run does again.
    pub pending: usize,
}

impl Integrity {
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.damage.is_empty()
    }
}

/// Reads both databases from end to end and compares them file by file.
///
/// # Errors
/// [`StoreError::Missing`] without an index; [`StoreError::Damaged`] where so much is wrong that nothing can be compared.
pub fn check(paths: &StorePaths) -> Result<Integrity, StoreError> {
    let (code, text) = (CodeReader::open(&paths.metadata())?, TextReader::open(&paths.fts())?);
    let mut found = Integrity::default();
    for database in [code.database(), text.database()] {
        quick_check(database, &mut found.damage)?;
    }
    if code.database().state("generation")? != text.database().state("generation")? {
        found.damage.push("metadata.db and fts.db do not belong together".into());
    }
    compare(&code, &text, &mut found)?;
    check_sums(&text, &mut found.damage)?;
    let wrong = code.wrong_links()?;
    if wrong > 0 {
        found.damage.push(format!("metadata.db: the links of {wrong} files are wrong"));
    }
    Ok(found)
}

fn quick_check(database: &Database, damage: &mut Vec<String>) -> Result<(), StoreError> {
    let mut answers = Vec::new();
    database.each("PRAGMA quick_check(20)", (), |row| {
        let answer: String = row.get(0)?;
        // One row may hold many lines, under a title.
        answers.extend(answer.lines().filter(|line| *line != "ok" && !line.starts_with("***")).map(str::to_owned));
        Ok(())
    })?;
    let more = answers.len().saturating_sub(1);
    if let Some(first) = answers.first() {
        let rest = if more > 0 { format!(" (and {more} more)") } else { String::new() };
        damage.push(format!("{}: {first}{rest}", database.kind().file_name()));
    }
    if !database.has_its_tables()? {
        damage.push(format!("{}: its tables are not those of this version", database.kind().file_name()));
    }
    Ok(())
}

fn compare(code: &CodeReader, text: &TextReader, found: &mut Integrity) -> Result<(), StoreError> {
    let layout = text.layout()?;
    let mut texts: BTreeMap<_, _> = layout.files.iter().map(|file| (file.file, file)).collect();
    let files = code.files()?;
    found.files = files.len();
    for file in files {
        let same = texts.remove(&file.id).is_some_and(|text| text.path == file.path && text.hash == file.hash);
        found.pending += usize::from(!same);
    }
    found.pending += texts.len();
    Ok(())
}

/// The sums that are kept by adding and subtracting are those of the layout, and every posting decodes to its row's counts.
fn check_sums(text: &TextReader, damage: &mut Vec<String>) -> Result<(), StoreError> {
    let (layout, corpus) = (text.layout()?, text.corpus()?);
    let mut tokens = corpus;
    tokens.file_tokens = [0; _];
    tokens.chunk_tokens = [0; _];
    for file in &layout.files {
        tokens.file_tokens.iter_mut().zip(file.file_lens).for_each(|(sum, len)| *sum += u64::from(len));
    }
    for lens in &layout.chunk_lens {
        tokens.chunk_tokens.iter_mut().zip(lens).for_each(|(sum, len)| *sum += u64::from(*len));
    }
    let counts = (corpus.files as usize, corpus.chunks as usize);
    if tokens != corpus || counts != (layout.files.len(), layout.chunk_lens.len()) {
        damage.push("fts.db: sums of lengths are not those of its files".into());
    }
    let wrong = text.wrong_postings()?;
    if wrong > 0 {
        damage.push(format!("fts.db: {wrong} rows of postings are wrong"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{Seek as _, SeekFrom, Write as _};

    use super::super::fixtures::{store, tamper};
    use super::*;

    #[test]
    fn a_table_that_is_gone_is_damage() {
        for (sql, file) in
            [("DROP TABLE usage", StorePaths::metadata as fn(&_) -> _), ("DROP TABLE term", StorePaths::fts)]
        {
            let (_dir, paths) = store();
            assert!(check(&paths).unwrap().is_whole());
            tamper(&file(&paths), sql);
            assert!(check(&paths).map_or(true, |found| !found.is_whole()), "{sql}");
        }
    }

    #[test]
    fn a_broken_tree_is_told_in_one_line() {
        let (_dir, paths) = store();
        tamper(&paths.metadata(), "PRAGMA wal_checkpoint(TRUNCATE)");
        let pages = fs::metadata(paths.metadata()).unwrap().len() / 4096;
        let lines = (1..pages).map(|page| {
            let whole = fs::read(paths.metadata()).unwrap();
            let mut file = fs::OpenOptions::new().write(true).open(paths.metadata()).unwrap();
            file.seek(SeekFrom::Start(page * 4096)).unwrap();
            file.write_all(&[0; 4096]).unwrap();
            let found = check(&paths);
            fs::write(paths.metadata(), whole).unwrap();
            found.map_or_else(|error| vec![error.to_string()], |found| found.damage)
        });
        let lines: Vec<String> = lines.flatten().collect();
        assert!(!lines.is_empty());
        assert!(lines.iter().all(|line| !line.contains(['\n', '*'])), "{lines:?}");
    }
}
