//! Blocks of our own in texts that are not JSON: a table of a TOML file, a marked section of a Markdown file. All other lines stay as they
//! are. It reads and writes no file. Read [`set_table`] first.

/// `text` with the TOML table `name` of these lines, in the place of one that is there.
pub(super) fn set_table(text: &str, name: &str, lines: &str) -> String {
    let block = format!("[{name}]\n{lines}");
    let block = if text.contains("\r\n") { block.replace('\n', "\r\n") } else { block };
    match table(text, name) {
        Some(span) => replaced(text, span, &block),
        None => appended(text, &block),
    }
}

pub(super) fn remove_table(text: &str, name: &str) -> String {
    table(text, name).map_or_else(|| text.to_owned(), |span| without(text, span))
}

/// `text` with a section between markers.
pub(super) fn set_section(text: &str, (begin, end): (&str, &str), body: &str) -> String {
    let block = format!("{begin}\n{body}{end}\n");
    let block = if text.contains("\r\n") { block.replace('\n', "\r\n") } else { block };
    match section(text, (begin, end)) {
        Some(span) => replaced(text, span, &block),
        None => appended(text, &block),
    }
}

pub(super) fn remove_section(text: &str, markers: (&str, &str)) -> String {
    section(text, markers).map_or_else(|| text.to_owned(), |span| without(text, span))
}

type Span = std::ops::Range<usize>;

/// From the header to the line before the next table, without the blank lines and remarks that belong to that one.
fn table(text: &str, name: &str) -> Option<Span> {
    let is_header = |line: &str| {
        let line = line.split('#').next().unwrap_or_default().trim();
        let inner = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        inner
            .is_some_and(|inner| inner.split('.').map(|part| part.trim().trim_matches(['"', '\''])).eq(name.split('.')))
    };
    let mut lines = numbered(text).skip_while(|(_, line)| !is_header(line));
    let (start, header) = lines.next()?;
    let body = lines.take_while(|(_, line)| !line.trim_start().starts_with('['));
    let held = body.filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#')).last();
    let (last, line) = held.unwrap_or((start, header));
    Some(start..last + line.len())
}

fn section(text: &str, (begin, end): (&str, &str)) -> Option<Span> {
    let start = numbered(text).find(|(_, line)| line.trim() == begin)?.0;
    let (last, line) = numbered(text).find(|(at, line)| *at > start && line.trim() == end)?;
    Some(start..last + line.len())
}

/// Lines with their ends and where they begin.
fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        at += line.len();
        (at - line.len(), line)
    })
}

fn replaced(text: &str, span: Span, block: &str) -> String {
    let (head, tail) = (text.get(..span.start).unwrap_or_default(), text.get(span.end..).unwrap_or_default());
    format!("{head}{block}{tail}")
}

/// With a blank line before the block.
fn appended(text: &str, block: &str) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    match text {
        "" => block.to_owned(),
        _ if text.ends_with('\n') => format!("{text}{newline}{block}"),
        _ => format!("{text}{newline}{newline}{block}"),
    }
}

/// The blank line before the block goes with it.
fn without(text: &str, span: Span) -> String {
    let head = text.get(..span.start).unwrap_or_default();
    let head = ["\r\n\r\n", "\n\n"]
        .into_iter()
        .find(|blank| head.ends_with(blank))
        .map_or(head, |blank| head.get(..head.len() - blank.len() / 2).unwrap_or(head));
    format!("{head}{}", text.get(span.end..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKERS: (&str, &str) = ("<!-- x -->", "<!-- /x -->");

    #[test]
    fn a_table_comes_and_goes_without_a_trace() {
        for text in ["", "model = \"m\"\n", "# top\n[a]\nb = 1\n\n# of c\n[c]\nd = [\n  1,\n]\n", "[a]\r\nb = 1\r\n"] {
            let with = set_table(text, "s.x", "command = \"x\"\nargs = [\"y\"]\n");
            let parsed: toml::Table = with.parse().unwrap();
            assert_eq!(parsed["s"]["x"]["command"].as_str(), Some("x"), "{with}");
            assert_eq!(set_table(&with, "s.x", "command = \"x\"\nargs = [\"y\"]\n"), with);
            assert_eq!(remove_table(&with, "s.x"), text, "{with}");
        }
    }

    #[test]
    fn a_table_is_replaced_in_its_place() {
        let text = "[s.\"x\"] # old\ncommand = \"old\"\n\n# of a\n[a]\nb = 1\n";
        assert_eq!(set_table(text, "s.x", "command = \"new\"\n"), "[s.x]\ncommand = \"new\"\n\n# of a\n[a]\nb = 1\n");
    }

    #[test]
    fn a_section_comes_and_goes_without_a_trace() {
        for text in ["", "# Title\n\ntext\n", "# Title\r\n\r\ntext\r\n"] {
            let with = set_section(text, MARKERS, "ours\n");
            assert_eq!(set_section(&with, MARKERS, "ours\n"), with);
            assert_eq!(remove_section(&with, MARKERS), text);
        }
    }
}
