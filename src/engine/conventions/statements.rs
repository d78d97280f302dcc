//! Conventions in words: one statement a topic, each with its numbers. Read [`Statement`] first.

use super::{Conventions, Count, LanguageConventions, Lengths, Named, Naming, StyleCount, Tests};

/// What can be said about one topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub topic: &'static str,
    /// Phrases without a final dot, each with its numbers.
    pub parts: Vec<String>,
}

impl Conventions {
    /// Markdown of at most `max_chars` characters: a section a language; statements that do not fit are left out. Empty when there is
    /// nothing to say.
    #[must_use]
    pub fn briefing(&self, max_chars: usize) -> String {
        let mut text = String::from("## How code is written here\n");
        let mut left = max_chars.saturating_sub(text.chars().count());
        let mut said = false;
        for language in &self.languages {
            let mut head = format!("\n**{}** ({} source files)\n", language.language, language.files);
            for statement in language.statements() {
                let line = format!("{head}- {}: {}\n", statement.topic, statement.parts.join("; "));
                let length = line.chars().count();
                if length <= left {
                    text.push_str(&line);
                    left -= length;
                    head.clear();
                    said = true;
                }
            }
        }
        if said { text } else { String::new() }
    }
}

impl LanguageConventions {
    /// What can be said, most useful first.
    #[must_use]
    pub fn statements(&self) -> Vec<Statement> {
        let imports = if self.modules.is_empty() { Vec::new() } else { vec![counts(&self.modules, " file")] };
        let topics = [
            ("names", self.names()),
            ("tests", self.tests.as_ref().map(tests).unwrap_or_default()),
            ("errors", self.error_style()),
            ("docs", self.docs()),
            ("length", self.lengths()),
            ("calls", self.top_calls()),
            ("imports", imports),
        ];
        let said = topics.into_iter().filter(|(_, parts)| !parts.is_empty());
        said.map(|(topic, parts)| Statement { topic, parts }).collect()
    }

    fn names(&self) -> Vec<String> {
        let word = |naming: &Naming| match naming.of {
            Named::Constants => self.constants_are.clone(),
            Named::Functions | Named::Types | Named::Files => naming.of.as_str().to_owned(),
        };
        self.naming.iter().map(|naming| format!("{} {}", word(naming), style(naming))).collect()
    }

    fn docs(&self) -> Vec<String> {
        let shares = self.documentation.iter().map(|docs| {
            let share = percent(docs.documented, docs.public);
            format!("{share}% of {} public {}", docs.public, docs.of.as_str())
        });
        let mut parts: Vec<String> = shares.collect();
        let form = self.doc_forms.first().filter(|form| !parts.is_empty() && form.count * 2 > self.documented);
        parts
            .extend(form.map(|form| format!("written as `{}` ({}%)", form.what, percent(form.count, self.documented))));
        if !parts.is_empty() && !self.doc_tags.is_empty() {
            let tags = self.doc_tags.iter().map(|tag| format!("`{}` {}", tag.what, tag.count));
            parts.push(format!("with {}", tags.collect::<Vec<_>>().join(", ")));
        }
        parts
    }

    fn lengths(&self) -> Vec<String> {
        let told = |of: &str, lengths: Option<Lengths>| {
            lengths.map(|lengths| format!("{of} median {}, 90% up to {} lines", lengths.median, lengths.p90))
        };
        [told("functions", self.function_lines), told("files", self.file_lines)].into_iter().flatten().collect()
    }

    fn error_style(&self) -> Vec<String> {
        let habits = self.errors.iter().map(|habit| match habit.of {
            Some(of) => format!("{} {} ({}%)", habit.what, habit.count, percent(habit.count, of)),
            None => format!("{} {}", habit.what, habit.count),
        });
        let own = self.error_types.iter().map(|of| format!("{} {}:{}", of.name, of.path, of.line));
        let parts = [
            ("", habits.collect::<Vec<_>>().join(", ")),
            ("most raised ", counts(&self.raised, "")),
            ("own types ", own.collect::<Vec<_>>().join(", ")),
        ];
        parts.into_iter().filter(|(_, text)| !text.is_empty()).map(|(head, text)| format!("{head}{text}")).collect()
    }

    fn top_calls(&self) -> Vec<String> {
        let told = self.calls.iter().map(|of| {
            let plural = if of.files == 1 { "" } else { "s" };
            format!("{} {}:{} ({} in {} file{plural})", of.name, of.path, of.line, of.calls, of.files)
        });
        told.collect()
    }
}

fn style(naming: &Naming) -> String {
    let share = |style: &StyleCount| percent(style.count, naming.names);
    let dominant = naming.dominant.and_then(|case| naming.styles.iter().find(|style| style.style == case));
    if let Some(style) = dominant {
        return format!("{} ({}% of {})", style.style.as_str(), share(style), naming.names);
    }
    let shares = naming.styles.iter().map(|style| format!("{} {}%", style.style.as_str(), share(style)));
    format!("mixed ({} of {})", shares.collect::<Vec<_>>().join(", "), naming.names)
}

fn tests(tests: &Tests) -> Vec<String> {
    let mut parts = Vec::new();
    if tests.files > 0 {
        parts.push(format!("{} test files to {} of source", tests.files, tests.sources));
    }
    if tests.inline > 0 {
        parts.push(format!("{} of {} source files hold tests {}", tests.inline, tests.sources, tests.inline_form));
    }
    if !tests.folders.is_empty() {
        let places = tests.folders.iter().map(|of| {
            let place = if of.what.ends_with('/') { "in " } else { "" };
            format!("{place}{} ({})", of.what, of.count)
        });
        parts.push(places.collect::<Vec<_>>().join(", "));
    }
    let lists =
        [("named", &tests.patterns, ""), ("using", &tests.frameworks, " file"), ("declared by", &tests.calls, " file")];
    let told = lists.into_iter().filter(|(_, list, _)| !list.is_empty());
    parts.extend(told.map(|(head, list, unit)| format!("{head} {}", counts(list, unit))));
    parts
}

/// `a (3), b (2)`, or `a (3 files), b (1 file)`.
fn counts(counts: &[Count], unit: &str) -> String {
    let plural = |count: u64| if unit.is_empty() || count == 1 { "" } else { "s" };
    let told = counts.iter().map(|of| format!("{} ({}{unit}{})", of.what, of.count, plural(of.count)));
    told.collect::<Vec<_>>().join(", ")
}

/// Rounded down, so that 100 means all.
fn percent(part: u64, whole: u64) -> u64 {
    part * 100 / whole.max(1)
}
