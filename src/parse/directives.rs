//! Conditional compilation cuts statements and lists of bases where no grammar follows (`#if A` before an `else if`, `#if B` before
//! `, IBase`). Such lines are blanked before parsing: all branches are read, no byte moves, no condition is judged.
//! Read [`blanked`] first.

use std::borrow::Cow;

/// `text` with white space in place of lines that are a `#` and one of `words`.
pub(super) fn blanked<'t>(text: &'t str, words: &[String]) -> Cow<'t, str> {
    if !text.contains('#') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if is_directive(line, words) {
            let content = line.trim_end_matches(['\r', '\n']);
            out.extend(std::iter::repeat_n(' ', content.len()));
            out.push_str(line.get(content.len()..).unwrap_or_default());
        } else {
            out.push_str(line);
        }
    }
    Cow::Owned(out)
}

fn is_directive(line: &str, words: &[String]) -> bool {
    let Some(directive) = line.trim_start_matches('\u{feff}').trim_start().strip_prefix('#') else { return false };
    let directive = directive.trim_start();
    let end = directive.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(directive.len());
    directive.get(..end).is_some_and(|word| words.iter().any(|known| known == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directive_becomes_white_space_of_its_length() {
        let words = ["if".to_owned(), "endif".to_owned()];
        let text = "class A : B\r\n  # if X && ä\r\n, C\n#endif // end\n#region if\n{ }";
        let seen = blanked(text, &words);
        assert_eq!(seen, "class A : B\r\n              \r\n, C\n             \n#region if\n{ }");
        assert_eq!(seen.len(), text.len());
    }

    #[test]
    fn a_text_without_directives_is_not_copied() {
        assert!(matches!(blanked("class A { }", &["if".to_owned()]), Cow::Borrowed(_)));
    }
}
