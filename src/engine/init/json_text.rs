//! Changes in the text of a JSON file that leave everything else as it was written: order, white space, comments, keys that nobody here
//! knows. It reads and writes no file. Read [`set`] first.

use serde_json::{Map, Value};

use super::json_tree::{Kind, Node, Parsed, broken, next_comma, parse};

/// The file's value, without its comments; an empty text is an empty object.
pub(crate) fn read(text: &str) -> Parsed<Value> {
    Ok(parse(text)?.map_or_else(|| Value::Object(Map::new()), |node| node.value()))
}

/// `text` with `value` (JSON, indented by two) in the place of the member that `path` leads to. Objects on the way are made.
pub(crate) fn set(text: &str, path: &[&str], value: &str) -> Parsed<String> {
    let Some(root) = parse(text)? else {
        let newline = if text.ends_with("\r\n") { "\r\n" } else { "\n" };
        return Ok(format!("{}{newline}", nested(path, value, 0, &Style { unit: "  ".to_owned(), newline })));
    };
    let style = Style::of(text, &root);
    let (mut at, mut depth) = (&root, 0);
    while let Some((name, rest)) = path.get(depth..).and_then(<[&str]>::split_first) {
        let Kind::Object(members) = &at.kind else { return Err(broken(text, at.start, "an object was expected")) };
        let Some(member) = members.iter().rev().find(|member| member.name == *name) else {
            let member = format!("{}: {}", quoted(name), nested(rest, value, depth + 1, &style));
            return Ok(inserted(text, at, &member, depth, &style));
        };
        at = &member.value;
        depth += 1;
    }
    if at.value() == read(value)? {
        return Ok(text.to_owned());
    }
    Ok(spliced(text, at.start..at.end, &indented(value, depth, &style)))
}

/// `text` with `item` at the end of the array that `path` leads to, which is made where it is missing.
pub(crate) fn push(text: &str, path: &[&str], item: &str) -> Parsed<String> {
    let root = parse(text)?;
    let Some((root, array)) = root.as_ref().and_then(|root| Some((root, root.at(path)?))) else {
        return set(text, path, &format!("[\n{}\n]", shifted(item, "  ", "\n")));
    };
    let Kind::Array(_) = &array.kind else { return Err(broken(text, array.start, "a list was expected")) };
    let style = Style::of(text, root);
    let item = indented(item, path.len() + 1, &style);
    Ok(inserted(text, array, &item, path.len(), &style))
}

/// `text` without the member that `path` leads to, and without the objects around it that are empty then.
pub(crate) fn remove(text: &str, path: &[&str]) -> Parsed<String> {
    let Some(root) = parse(text)? else { return Ok(text.to_owned()) };
    let Some((name, above)) = path.split_last() else { return Ok(text.to_owned()) };
    let Some(Node { kind: Kind::Object(members), start, end }) = root.at(above) else { return Ok(text.to_owned()) };
    let Some(index) = members.iter().position(|member| member.name == *name) else { return Ok(text.to_owned()) };
    if members.len() == 1 && !above.is_empty() {
        return remove(text, above);
    }
    let spans: Vec<_> = members.iter().map(|member| member.start..member.value.end).collect();
    Ok(cut(text, (*start, *end), &spans, index))
}

/// `text` without those items of a list that `matches` takes, and without the list and the objects around it when they are empty then.
pub(crate) fn remove_items(text: &str, path: &[&str], matches: impl Fn(&Value) -> bool) -> Parsed<String> {
    let mut text = text.to_owned();
    loop {
        let Some(root) = parse(&text)? else { return Ok(text) };
        let Some(Node { kind: Kind::Array(items), start, end }) = root.at(path) else { return Ok(text) };
        let Some(index) = items.iter().position(|item| matches(&item.value())) else { return Ok(text) };
        if items.len() == 1 {
            return remove(&text, path);
        }
        let spans: Vec<_> = items.iter().map(|item| item.start..item.end).collect();
        text = cut(&text, (*start, *end), &spans, index);
    }
}

/// As [`remove_items`], in the lists called `name` of all items of the list that `path` leads to. A list that is empty then stays.
pub(crate) fn remove_items_within(
    text: &str,
    path: &[&str],
    name: &str,
    matches: impl Fn(&Value) -> bool,
) -> Parsed<String> {
    let mut text = text.to_owned();
    loop {
        let Some(root) = parse(&text)? else { return Ok(text) };
        let Some(Node { kind: Kind::Array(outer), .. }) = root.at(path) else { return Ok(text) };
        let inner = outer.iter().filter_map(|item| item.at(&[name]));
        let mut found = inner.filter_map(|list| match &list.kind {
            Kind::Array(items) => Some((list, items, items.iter().position(|item| matches(&item.value()))?)),
            Kind::Object(_) | Kind::Scalar(_) => None,
        });
        let Some((list, items, index)) = found.next() else { return Ok(text) };
        let spans: Vec<_> = items.iter().map(|item| item.start..item.end).collect();
        text = cut(&text, (list.start, list.end), &spans, index);
    }
}

/// How the file is written.
struct Style {
    unit: String,
    newline: &'static str,
}

impl Style {
    fn of(text: &str, root: &Node) -> Self {
        let first = match &root.kind {
            Kind::Object(members) => members.first().map(|member| member.start),
            Kind::Array(_) | Kind::Scalar(_) => None,
        };
        let before = first.and_then(|first| text.get(..first)).unwrap_or_default();
        let unit = before.rsplit_once('\n').map(|(_, unit)| unit);
        let unit = unit.filter(|unit| !unit.is_empty() && unit.chars().all(|c| c == ' ' || c == '\t')).unwrap_or("  ");
        Self { unit: unit.to_owned(), newline: if text.contains("\r\n") { "\r\n" } else { "\n" } }
    }

    fn indent(&self, depth: usize) -> String {
        self.unit.repeat(depth)
    }
}

/// `value` below objects of the names in `path`, from a member at `depth`.
fn nested(path: &[&str], value: &str, depth: usize, style: &Style) -> String {
    let Some((name, rest)) = path.split_first() else { return indented(value, depth, style) };
    let (inner, outer) = (style.indent(depth + 1), style.indent(depth));
    let (line, value) = (style.newline, nested(rest, value, depth + 1, style));
    format!("{{{line}{inner}{}: {value}{line}{outer}}}", quoted(name))
}

fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}

/// JSON that is indented by two, as the file is, from its second line on `depth` deep.
fn indented(value: &str, depth: usize, style: &Style) -> String {
    let mut lines = value.lines();
    let mut out = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let bare = line.trim_start_matches(' ');
        out.push_str(style.newline);
        out.push_str(&style.indent(depth + (line.len() - bare.len()) / 2));
        out.push_str(bare);
    }
    out
}

fn shifted(text: &str, by: &str, newline: &str) -> String {
    text.lines().map(|line| format!("{by}{line}")).collect::<Vec<_>>().join(newline)
}

/// `part` as the last one of a container that stands `depth` deep.
fn inserted(text: &str, container: &Node, part: &str, depth: usize, style: &Style) -> String {
    let (line, inner, outer) = (style.newline, style.indent(depth + 1), style.indent(depth));
    let close = container.end - 1;
    let Some(last) = container.last_part() else {
        let inside = text.get(container.start + 1..close).unwrap_or_default().trim_end();
        return spliced(text, container.start + 1..close, &format!("{inside}{line}{inner}{part}{line}{outer}"));
    };
    let comma = next_comma(text, last);
    let (has_comma, after) = (comma.is_some(), comma.map_or(last, |comma| comma + 1));
    let tail = text.get(after..close).unwrap_or_default();
    // A remark at the end of the last line stays with it.
    let (remark, rest) = match tail.find('\n') {
        Some(end) => tail.split_at(tail.get(..end).map_or(end, |line| line.trim_end().len())),
        None => ("", ""),
    };
    let comma = if has_comma { "" } else { "," };
    let ending = if rest.is_empty() { format!("{line}{outer}") } else { rest.to_owned() };
    spliced(text, after..close, &format!("{comma}{remark}{line}{inner}{part}{ending}"))
}

/// Without the part at `index`, its comma, and the white space that it brought.
fn cut(text: &str, (open, close): (usize, usize), spans: &[std::ops::Range<usize>], index: usize) -> String {
    let Some(span) = spans.get(index) else { return text.to_owned() };
    let is_bare = |from: usize, to: usize| {
        text.get(from..to).is_some_and(|gap| gap.chars().all(|c| c.is_whitespace() || c == ','))
    };
    let before = index.checked_sub(1).and_then(|index| spans.get(index)).map(|span| span.end);
    let after = spans.get(index + 1).map(|span| span.start);
    match (before, after) {
        (Some(before), _) if is_bare(before, span.start) => spliced(text, before..span.end, ""),
        (_, Some(after)) if is_bare(span.end, after) => spliced(text, span.start..after, ""),
        (None, None) if is_bare(open + 1, span.start) && is_bare(span.end, close - 1) => {
            spliced(text, open + 1..close - 1, "")
        }
        // Remarks on both sides stay; the comma before the part goes with it where none follows.
        (Some(before), None) => {
            let gap = text.get(before..span.start).unwrap_or_default();
            let without = spliced(text, before + gap.trim_end().len()..span.end, "");
            match gap.find(',') {
                Some(comma) => spliced(&without, before + comma..before + comma + 1, ""),
                None => without,
            }
        }
        (_, Some(after)) => {
            let comma = text.get(span.end..after).and_then(|gap| gap.find(','));
            spliced(text, span.start..comma.map_or(span.end, |comma| span.end + comma + 1), "")
        }
        (None, None) => spliced(text, span.clone(), ""),
    }
}

fn spliced(text: &str, span: std::ops::Range<usize>, new: &str) -> String {
    let (head, tail) = (text.get(..span.start).unwrap_or_default(), text.get(span.end..).unwrap_or_default());
    format!("{head}{new}{tail}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SERVER: &str = "{\n  \"command\": \"x\"\n}";

    fn set_then_removed(text: &str) -> (String, String) {
        let with = set(text, &["servers", "x"], SERVER).unwrap();
        let without = remove(&with, &["servers", "x"]).unwrap();
        (with, without)
    }

    #[test]
    fn what_was_set_is_removed_to_the_byte() {
        for text in [
            "{\n  \"a\": 1\n}\n",
            "{\n    \"servers\": {\n        \"y\": {}\n    },\n    \"z\": [1, 2]\n}",
            "{\n\t\"a\": 1, // why\n\t\"b\": 2 // so\n}\n",
            "{\r\n  \"a\": 1\r\n}\r\n",
        ] {
            let (with, without) = set_then_removed(text);
            assert_eq!(read(&with).unwrap()["servers"]["x"]["command"], "x", "{with}");
            assert_eq!(without.replace(',', ""), text.replace(',', ""), "{with}");
            assert_eq!(read(&without).unwrap(), read(text).unwrap());
        }
    }

    #[test]
    fn a_new_member_is_written_as_the_others_are() {
        let (with, _) = set_then_removed("{\n    \"a\": 1 // first\n}\n");
        expect_test::expect![[r#"
            {
                "a": 1, // first
                "servers": {
                    "x": {
                        "command": "x"
                    }
                }
            }
        "#]]
        .assert_eq(&with);
    }

    #[test]
    fn comments_and_trailing_commas_are_read_and_kept() {
        let text = "// top\n{\n  /* one */ \"a\": [1, 2,],\n  \"b\": {\"c\": \"//no\"}, // two\n}\n";
        assert_eq!(read(text).unwrap(), serde_json::json!({"a": [1, 2], "b": {"c": "//no"}}));
        let with = push(text, &["a"], "3").unwrap();
        assert_eq!(read(&with).unwrap()["a"], serde_json::json!([1, 2, 3]), "{with}");
        assert!(with.contains("// top") && with.contains("/* one */") && with.contains("// two"), "{with}");
    }

    #[test]
    fn lists_lose_what_matches_and_go_when_they_are_empty() {
        let text = "{\n  \"h\": {\n    \"E\": [\n      1,\n      2\n    ]\n  },\n  \"k\": 0\n}\n";
        let one = remove_items(text, &["h", "E"], |item| *item == 1).unwrap();
        assert_eq!(read(&one).unwrap(), serde_json::json!({"h": {"E": [2]}, "k": 0}), "{one}");
        let none = remove_items(text, &["h", "E"], |_| true).unwrap();
        assert_eq!(read(&none).unwrap(), serde_json::json!({"k": 0}), "{none}");
    }

    #[test]
    fn what_is_no_json_is_named_by_its_line() {
        assert_eq!(read("{\n  \"a\": oops\n}").unwrap_err().line, 2);
        assert!(read("{\"a\": 1} x").is_err() && read("{'a': 1}").is_err() && read("[").is_err());
        assert!(set("[1]", &["a"], "1").is_err(), "a list has no members");
        assert!(read(&"[".repeat(10_000)).is_err());
        assert_eq!(read(" \n").unwrap(), serde_json::json!({}));
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "\\PC{0,6}".prop_map(Value::from)
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-c]{1,2}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn changes_are_what_they_would_be_in_the_value(members in prop::collection::btree_map("[a-c]{1,2}", any_json(), 0..4), pretty: bool) {
            let value = Value::Object(members.into_iter().collect());
            let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
            let with = set(&text, &["new", "x"], SERVER).unwrap();
            let mut expected = value.clone();
            expected["new"]["x"]["command"] = "x".into();
            prop_assert_eq!(read(&with).unwrap(), expected);
            prop_assert_eq!(read(&remove(&with, &["new", "x"]).unwrap()).unwrap(), value);
        }

        #[test]
        fn no_text_is_too_odd(text in "\\PC{0,40}") {
            drop(read(&text));
            drop(set(&text, &["a", "b"], SERVER));
            drop(remove(&text, &["a"]));
        }
    }
}
