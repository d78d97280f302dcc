//! A block without what takes much room and says little of how it works: of long documentation the first paragraph stays, and of a type the
//! heads of its functions come after its own. Read [`shorten`].

use super::hits::Hit;

/// Documentation of at most so many lines stays whole.
const SHORT_DOC: usize = 6;
/// Lines that stay of more.
const KEPT_DOC: usize = 4;
/// Heads of functions that are told of a type.
const MOST_MEMBERS: usize = 24;
/// Characters of a head.
const MOST_HEAD: usize = 120;

/// A text with lines left out.
pub(super) struct Short {
    pub text: String,
    /// First line, from 0, and number of the lines that are left out.
    cut: Option<(u32, u32)>,
}

impl Short {
    /// Where a line of the whole text stands; `None` when it is left out.
    pub(super) fn place(&self, line: u32) -> Option<u32> {
        match self.cut {
            Some((start, count)) if line >= start + count => Some(line - count + 1),
            Some((start, _)) if line >= start => None,
            Some(_) | None => Some(line),
        }
    }
}

pub(super) fn shorten(hit: &Hit) -> Short {
    let lines: Vec<&str> = hit.text.lines().collect();
    let cut = long_doc(hit, &lines);
    let mut text = String::with_capacity(hit.text.len());
    for (at, line) in (0u32..).zip(&lines) {
        match cut {
            Some((start, _)) if at == start => text.push_str("…\n"),
            Some((start, count)) if at > start && at < start + count => {}
            Some(_) | None => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    if !hit.members.is_empty() {
        text.push_str("…\n");
    }
    for member in hit.members.iter().take(MOST_MEMBERS) {
        let head: String = member.1.chars().take(MOST_HEAD).collect();
        text.extend([&member.0.to_string(), ": ", &head, "\n"]);
    }
    Short { text, cut }
}

/// Lines of documentation beyond its first paragraph.
fn long_doc(hit: &Hit, lines: &[&str]) -> Option<(u32, u32)> {
    let doc: Vec<&str> = hit.doc.lines().collect();
    if doc.len() <= SHORT_DOC {
        return None;
    }
    let first = doc.first()?.trim();
    let start = lines.iter().position(|line| !first.is_empty() && line.trim() == first)?;
    let paragraph = doc.iter().position(|line| line.chars().all(|char| !char.is_alphanumeric())).filter(|at| *at > 0);
    let kept = paragraph.unwrap_or(KEPT_DOC).clamp(1, KEPT_DOC);
    // The last line closes it in languages where that matters.
    let count = doc.len().checked_sub(kept + 1).filter(|count| *count > 1)?;
    (start + doc.len() <= lines.len()).then_some(((start + kept) as u32, count as u32))
}
