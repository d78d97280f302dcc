//! The style that a name is written in, and which style a set of names has. Names of one word show none in most styles and are
//! not counted. Read [`Case`] first.

use serde::{Deserialize, Serialize};

use super::tally::Counts;
use super::{Naming, StyleCount};

/// How the words of a name are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Case {
    #[serde(rename = "camelCase")]
    Camel,
    #[serde(rename = "PascalCase")]
    Pascal,
    #[serde(rename = "snake_case")]
    Snake,
    #[serde(rename = "SCREAMING_SNAKE_CASE")]
    Screaming,
    #[serde(rename = "kebab-case")]
    Kebab,
    /// Go: the case of the first letter says whether it is exported and is no style.
    #[serde(rename = "MixedCaps")]
    MixedCaps,
    /// Words are joined in more than one way.
    #[serde(rename = "other")]
    Other,
}

/// What has names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Named {
    Functions,
    Types,
    Constants,
    Files,
}

/// A style is the style of a set of names from this share on, in percent.
const DOMINANT: u64 = 80;
/// Names with a style that a statement needs.
const LEAST_NAMES: u64 = 5;
/// Shares below this are not worth a word, in percent.
const LEAST_SHARE: u64 = 5;

impl Case {
    /// The style of `name`; `None` where a single word or letters without case show none.
    #[must_use]
    pub fn of(name: &str, named: Named) -> Option<Self> {
        let name = name.trim_matches(|c: char| !c.is_alphanumeric());
        let has = |test: fn(char) -> bool| name.chars().any(test);
        let (upper, lower) = (has(char::is_uppercase), has(char::is_lowercase));
        let first_upper = name.chars().next().is_some_and(char::is_uppercase);
        let joined = name.chars().find(|c| !c.is_alphanumeric());
        let mixed = name.chars().any(|c| !c.is_alphanumeric() && Some(c) != joined);
        match (joined, upper, lower) {
            _ if mixed => Some(Self::Other),
            (_, false, false) | (None, false, true) => None,
            (None, true, false) => (named == Named::Constants && name.chars().count() > 1).then_some(Self::Screaming),
            (None, true, true) => Some(if first_upper { Self::Pascal } else { Self::Camel }),
            (Some('_'), true, false) => Some(Self::Screaming),
            (Some('_'), false, true) => Some(Self::Snake),
            (Some('-'), false, true) => Some(Self::Kebab),
            (Some(_), _, _) => Some(Self::Other),
        }
    }

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Camel => "camelCase",
            Self::Pascal => "PascalCase",
            Self::Snake => "snake_case",
            Self::Screaming => "SCREAMING_SNAKE_CASE",
            Self::Kebab => "kebab-case",
            Self::MixedCaps => "MixedCaps",
            Self::Other => "other",
        }
    }
}

impl Named {
    pub const ALL: [Self; 4] = [Self::Functions, Self::Types, Self::Constants, Self::Files];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Functions => "functions",
            Self::Types => "types",
            Self::Constants => "constants",
            Self::Files => "files",
        }
    }
}

/// What the counted styles say; `None` with too few names.
pub(super) fn naming(named: Named, counts: &Counts<(Named, Case)>) -> Option<Naming> {
    let styles: Vec<(Case, u64)> =
        counts.sorted().into_iter().filter(|(key, _)| key.0 == named).map(|(key, count)| (key.1, count)).collect();
    let of: u64 = styles.iter().map(|(_, count)| count).sum();
    let (first, most) = styles.iter().copied().find(|(style, _)| *style != Case::Other).unwrap_or((Case::Other, 0));
    let told = styles.iter().filter(|(_, count)| count * 100 >= of * LEAST_SHARE);
    (of >= LEAST_NAMES && most > 0).then(|| Naming {
        of: named,
        names: of,
        dominant: (most * 100 >= of * DOMINANT).then_some(first),
        styles: told.map(|(style, count)| StyleCount { style: *style, count: *count }).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_is_read_off_a_name() {
        let style = |name| Case::of(name, Named::Functions).map_or("none", Case::as_str);
        let styles =
            ["readAll", "ReadAll", "read_all", "READ_ALL", "read-all", "Read_All", "_read_all", "read_all?"].map(style);
        let expected = [
            "camelCase",
            "PascalCase",
            "snake_case",
            "SCREAMING_SNAKE_CASE",
            "kebab-case",
            "other",
            "snake_case",
            "snake_case",
        ];
        assert_eq!(styles, expected);
    }

    #[test]
    fn what_shows_no_style_is_not_counted() {
        for name in ["run", "x", "URL", "_", "", "読む", "名_前", "123"] {
            assert_eq!(Case::of(name, Named::Functions), None, "{name}");
        }
        assert_eq!(Case::of("größe_lesen", Named::Functions), Some(Case::Snake));
        assert_eq!(Case::of("LIMIT", Named::Constants), Some(Case::Screaming));
        assert_eq!(Case::of("T", Named::Constants), None);
    }

    #[test]
    fn a_style_dominates_or_the_names_are_mixed() {
        let mut counts = Counts::default();
        counts.extend([(Named::Functions, Case::Snake); 8]);
        counts.extend([(Named::Functions, Case::Camel); 2]);
        assert_eq!(naming(Named::Functions, &counts).unwrap().dominant, Some(Case::Snake));
        counts.add((Named::Functions, Case::Camel));
        assert_eq!(naming(Named::Functions, &counts).unwrap().dominant, None);
        assert_eq!(naming(Named::Types, &counts), None);
    }
}
