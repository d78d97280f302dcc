//! How code deals with errors, by the lines of its text: comments and tests are left out. It parses nothing; what a line may hold is
//! in the table of words. Read [`scan`] first.

use super::words::{Sign, Words};
use crate::model::Span;

/// Characters before a statement that does not begin its line.
const BEFORE_STATEMENT: &str = "{});:>?|";
/// Ends of the names of types that stand for errors.
const ERROR_NAMES: [&str; 3] = ["Error", "Exception", "Err"];
/// A name may have these between its parts.
const PARTS: [char; 3] = ['.', ':', '\\'];

/// A type of that name stands for an error.
pub(super) fn is_error(name: &str) -> bool {
    ERROR_NAMES.iter().any(|end| name.ends_with(end))
}

/// Hands on what each line of code outside `left_out` (sorted, disjoint) is a sign of, and the name of what it raises.
pub(super) fn scan(
    text: &str,
    left_out: &[Span],
    words: &'static Words,
    mut take: impl FnMut(&'static str, Option<&str>),
) {
    let mut spans = left_out.iter().peekable();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let first = at + line.len() - line.trim_start().len();
        at += line.len();
        while spans.next_if(|span| (span.end as usize) <= first).is_some() {}
        if spans.peek().is_some_and(|span| (span.start as usize) <= first) {
            continue;
        }
        for habit in words.habits {
            match habit.sign {
                Sign::Statement(start) if statement(line, start).is_some() => take(habit.what, None),
                Sign::Raises(start) => {
                    if let Some(rest) = statement(line, start) {
                        take(habit.what, raised(rest));
                    }
                }
                Sign::Holds(any) if any.iter().any(|part| line.contains(part)) => take(habit.what, None),
                Sign::Statement(_) | Sign::Holds(_) | Sign::Signature(_) => {}
            }
        }
    }
}

/// What follows `start` where a statement of the line begins with it.
fn statement<'l>(line: &'l str, start: &str) -> Option<&'l str> {
    let at = line.find(start)?;
    let before = line.get(..at)?.trim_end();
    let begins = before.chars().next_back().is_none_or(|c| BEFORE_STATEMENT.contains(c)) || before.ends_with("else");
    begins.then(|| line.get(at + start.len()..)).flatten()
}

/// The type that is raised: the last part of a name that is called an error, or else that begins with a capital letter.
fn raised(rest: &str) -> Option<&str> {
    let rest = rest.trim_start().strip_prefix("new ").unwrap_or(rest).trim_start();
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || PARTS.contains(&c))).unwrap_or(rest.len());
    let name = rest.get(..end)?;
    let capital = |part: &&str| part.starts_with(char::is_uppercase);
    let parts = || name.rsplit(PARTS).filter(capital);
    parts().find(|part| is_error(part)).or_else(|| parts().next()).or_else(|| name.strip_prefix("std::"))
}

#[cfg(test)]
mod tests {
    use super::super::words;
    use super::*;

    fn found(lang: &str, text: &str, left_out: &[Span]) -> Vec<String> {
        let mut found = Vec::new();
        scan(text, left_out, words::of(lang), |what, name| found.push(format!("{what} {}", name.unwrap_or("-"))));
        found
    }

    #[test]
    fn statements_are_told_from_words() {
        let text = "raise ValueError('x')\n  raise errors.NotFound from e\nraise\nraise error\nx = 'we raise money'\nexcept KeyError:\n";
        let expected = ["`raise` ValueError", "`raise` NotFound", "`raise` -", "`except` -"];
        assert_eq!(found("python", text, &[]), expected);
    }

    #[test]
    fn a_statement_may_follow_another_on_its_line() {
        let text = "if (x) throw new TypeError('x');\n} catch (e) {\nthrow err\n\\ throw x\n";
        assert_eq!(found("javascript", text, &[]), ["`throw` TypeError", "`catch` blocks -", "`throw` -"]);
        assert_eq!(found("cpp", "throw std::runtime_error(x);", &[]), ["`throw` runtime_error"]);
        assert_eq!(found("csharp", "throw CartException.Create(x);", &[]), ["`throw` CartException"]);
        assert_eq!(found("php", "throw new \\App\\CartException('x');", &[]), ["`throw` CartException"]);
    }

    #[test]
    fn comments_and_tests_are_left_out() {
        let text = "# raise A\nraise B\n";
        assert_eq!(found("python", text, &[Span { start: 0, end: 9 }]), ["`raise` B"]);
        assert_eq!(found("python", text, &[Span { start: 0, end: 18 }]), [""; 0]);
        assert_eq!(found("klingon", text, &[]), [""; 0]);
    }
}
