//! Texts on which the C code of a parser ends the process or takes all memory. Nothing stops it from inside, so they are told by
//! their looks. It judges no real source. Read [`is_fatal`] first.

/// Kotlin's scanner aborts the process at the 512th string inside a string.
const KOTLIN_TEMPLATES: usize = 500;

/// Bytes; longer ones are data, prose or garbage.
const STRETCH: usize = 4096;

/// A text that the grammar of that name must not see.
pub(super) fn is_fatal(grammar: Option<&str>, text: &str) -> bool {
    grammar == Some("kotlin") && text.matches("${").count() >= KOTLIN_TEMPLATES
}

/// Is for the most part one stretch without the signs that end a statement or part a list. Where a grammar is ambiguous, the parser keeps
/// all readings of it to the end of the file and then writes out every path through them: gigabytes for some kilobytes.
pub(super) fn is_one_stretch(text: &str) -> bool {
    let least = STRETCH.max(text.len() / 2);
    text.as_bytes().split(|byte| b";{},".contains(byte)).any(|stretch| stretch.len() >= least)
}

#[cfg(test)]
mod tests {
    use crate::model::{ContentHash, RelPath, SourceFile};
    use crate::parse::{named, parse};

    fn gave_up(lang: &str, text: String) -> bool {
        let lang = named(lang).expect("a known language");
        parse(&SourceFile { path: RelPath::new("a"), lang, text, hash: ContentHash(0) }).problems.gave_up
    }

    #[test]
    fn strings_in_strings_in_kotlin_do_not_end_the_process() {
        assert!(gave_up("kotlin", "\"${".repeat(600)));
        assert!(!gave_up("kotlin", format!("val a = {}1{}", "\"${".repeat(100), "}\"".repeat(100))));
    }

    #[test]
    fn a_statement_without_end_is_left_before_its_readings_are_written_out() {
        for (lang, text) in [("java", "a=>"), ("c", "a->"), ("python", "/*")] {
            assert!(gave_up(lang, text.repeat(4000)), "{lang} {text:?}");
        }
    }

    #[test]
    fn long_lines_of_data_are_parsed() {
        let words = "\"one\", \"two words\", 3, ".repeat(800);
        assert!(!gave_up("java", format!("class A {{ Object[] a = {{ {words} }}; }}")));
        assert!(!gave_up("python", format!("a = [{words}]\n")));
    }
}
