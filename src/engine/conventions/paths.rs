//! What a path says of a file: whether it is a test, stands aside (examples, foreign code), and by which pattern tests are named.
//! It looks at no content. Read [`Role`] first.

/// What a file is, by its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Source,
    /// A test or something that tests need.
    Test,
    /// Examples, documentation, measurements, code of others: it says little of how the project is written.
    Aside,
}

/// Words in the name of a test file, in the cases they are written in.
const TEST_WORDS: [&str; 8] = ["test", "tests", "spec", "specs", "Test", "Tests", "Spec", "Specs"];
const ASIDE: [&str; 20] = [
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "doc",
    "docs",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "fuzz",
    "vendor",
    "vendored",
    "third_party",
    "third-party",
    "thirdparty",
    "node_modules",
    "contrib",
];

/// The role of a file, relative to the root.
pub(super) fn role(path: &str) -> Role {
    let folders = || folders(path).map(|folder| folder.trim_start_matches(['_', '.']).to_lowercase());
    if folders().any(|folder| ASIDE.contains(&folder.as_str())) {
        Role::Aside
    } else if name_pattern(path).is_some() || folder_of_tests(path).is_some() {
        Role::Test
    } else {
        Role::Source
    }
}

/// `test_*.py`, `*.test.ts`, `*Tests.swift`, …; `None` when the name does not tell a test.
pub(super) fn name_pattern(path: &str) -> Option<String> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let (stem, extension) = file.rsplit_once('.')?;
    if matches!(stem, "test" | "tests" | "Tests") {
        return Some(file.to_owned());
    }
    TEST_WORDS.iter().find_map(|word| {
        let capital = word.starts_with(char::is_uppercase);
        if let Some(joint) = stem.strip_suffix(word).and_then(|rest| rest.chars().next_back()) {
            let own_word = if capital { joint.is_lowercase() || joint.is_numeric() } else { false };
            if own_word {
                return Some(format!("*{word}.{extension}"));
            }
            if is_joint(joint) {
                return Some(format!("*{joint}{word}.{extension}"));
            }
        }
        let next = stem.strip_prefix(word).and_then(|rest| rest.chars().next())?;
        if is_joint(next) {
            return Some(format!("{word}{next}*.{extension}"));
        }
        (capital && next.is_uppercase()).then(|| format!("{word}*.{extension}"))
    })
}

/// The path down to the outermost folder that holds tests.
pub(super) fn folder_of_tests(path: &str) -> Option<&str> {
    let mut end = 0;
    folders(path).find_map(|folder| {
        end += folder.len() + 1;
        let lower = folder.to_lowercase();
        let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let edge = [words.next(), words.next_back()];
        let named = edge.into_iter().flatten().any(|word| matches!(word, "test" | "tests" | "spec" | "specs"));
        let joined = ["Test", "Tests", "Spec", "Specs"].iter().any(|word| folder.ends_with(word));
        (named || joined).then(|| path.get(..end)).flatten()
    })
}

/// A file name up to the first dot or plus.
pub(super) fn stem(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.split(['.', '+']).next().unwrap_or(file)
}

fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.rsplit_once('/').map(|(dir, _)| dir.split('/')).into_iter().flatten()
}

const fn is_joint(c: char) -> bool {
    matches!(c, '_' | '-' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_known_by_the_edge_of_their_names() {
        let pattern = |path| name_pattern(path).unwrap_or_default();
        assert_eq!(pattern("a/test_cart.py"), "test_*.py");
        assert_eq!(pattern("a/cart_test.go"), "*_test.go");
        assert_eq!(pattern("a/cart.test.ts"), "*.test.ts");
        assert_eq!(pattern("a/cart.spec.tsx"), "*.spec.tsx");
        assert_eq!(pattern("a/CartTests.swift"), "*Tests.swift");
        assert_eq!(pattern("a/TestCart.php"), "Test*.php");
        assert_eq!(pattern("a/test-cart.c"), "test-*.c");
        assert_eq!(pattern("a/cart_spec.rb"), "*_spec.rb");
        assert_eq!(pattern("a/tests.py"), "tests.py");
        for name in ["a/testing.py", "a/latest.ts", "a/Contest.java", "a/spec.rb", "a/Makefile", "a/inspect.py"] {
            assert_eq!(pattern(name), "", "{name}");
        }
    }

    #[test]
    fn folders_tell_tests_and_what_stands_aside() {
        assert_eq!(folder_of_tests("gson/src/test/java/a/B.java"), Some("gson/src/test/"));
        assert_eq!(folder_of_tests("Src/Shop.Tests/Cart.cs"), Some("Src/Shop.Tests/"));
        assert_eq!(folder_of_tests("src/__tests__/a.js"), Some("src/__tests__/"));
        assert_eq!(folder_of_tests("src/latest/a.js"), None);
        assert_eq!(role("examples/auth/index.js"), Role::Aside);
        assert_eq!(role("_examples/rest/main.go"), Role::Aside);
        assert_eq!(role("tests/helper.py"), Role::Test);
        assert_eq!(role("src/cart.py"), Role::Source);
    }
}
