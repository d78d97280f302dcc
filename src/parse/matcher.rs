//! Patterns × tree -> matches. Every way in which a pattern fits a node is one match, but for quantified steps, which take as
//! much as they can, and steps without captures, of which one way is enough. Read [`for_each_match`] first.

use super::pattern::{Check, Pattern, Predicate, Repeat, Step, Test};
use super::query::Grammar;
use super::tree::{Node, Siblings, SyntaxTree};

/// Children tried for one pattern at one node: so many, and so many more for each node inside it. Bounds nested loops over siblings.
const MIN_TRIES: u32 = 2_000;
const TRIES_PER_NODE: u32 = 8;
/// Longest run that a quantifier takes; bounds the depth of the recursion.
const MAX_RUN: u32 = 200;

/// Captures of a match: index of the capture, node.
pub(super) type Captures<'t> = [(u16, Node<'t>)];

/// Hands every match to `sink`, roots in preorder.
pub(super) fn for_each_match<'t>(
    grammar: &Grammar,
    tree: &'t SyntaxTree,
    text: &str,
    mut sink: impl FnMut(&Pattern, &Captures<'t>),
) {
    let mut matcher = Matcher { captures: Vec::new(), tries: 0 };
    let mut last: Vec<(u16, u32)> = Vec::new();
    for at in 0..tree.len() {
        let node = tree.node(at);
        for pattern in grammar.rooted_at(node.kind_id()) {
            matcher.tries = MIN_TRIES.saturating_add(TRIES_PER_NODE.saturating_mul(node.size()));
            last.clear();
            matcher.node(&pattern.root, node, &mut |matcher| {
                let new = last.len() != matcher.captures.len() || !last.iter().zip(&matcher.captures).all(is_same);
                if new && pattern.predicates.iter().all(|predicate| holds(predicate, &matcher.captures, text)) {
                    sink(pattern, &matcher.captures);
                    last.clear();
                    last.extend(matcher.captures.iter().map(|(capture, node)| (*capture, node.at())));
                }
                // Predicates judge a way that fits; they do not make an optional step give up its node.
                true
            });
        }
    }
}

fn is_same((known, found): (&(u16, u32), &(u16, Node<'_>))) -> bool {
    *known == (found.0, found.1.at())
}

/// Runs what is left of the pattern; `true` when it fits.
type Rest<'r, 't> = &'r mut dyn FnMut(&mut Matcher<'t>) -> bool;

struct Matcher<'t> {
    captures: Vec<(u16, Node<'t>)>,
    tries: u32,
}

impl<'t> Matcher<'t> {
    /// All ways in which `step` fits `node`, each followed by `rest`.
    fn node(&mut self, step: &Step, node: Node<'t>, rest: Rest<'_, 't>) -> bool {
        if !fits(step, node) {
            return false;
        }
        let mark = self.captures.len();
        self.captures.extend(step.captures.iter().map(|capture| (*capture, node)));
        let found = match &step.test {
            Test::Choice(choices) => {
                let mut found = false;
                for choice in choices {
                    found |= self.node(choice, node, rest);
                }
                found
            }
            Test::Any | Test::Named | Test::Kinds(_) if step.children.is_empty() => rest(self),
            Test::Any | Test::Named | Test::Kinds(_) => {
                self.inside(&Row { parent: step, next: 0, run: 0 }, node.children(), rest)
            }
        };
        self.captures.truncate(mark);
        found
    }

    /// The steps of a row from the next one on, against the siblings from one on.
    fn inside(&mut self, row: &Row<'_>, siblings: Siblings<'t>, rest: Rest<'_, 't>) -> bool {
        let Some(step) = row.step() else {
            let open = row.parent.closed && siblings.into_iter().any(Node::is_solid);
            return !open && rest(self);
        };
        let greedy = matches!(step.repeat, Repeat::Any | Repeat::Some);
        let found = if row.run < MAX_RUN {
            let after = if greedy { Row { run: row.run + 1, ..*row } } else { row.past() };
            self.candidates(row, &after, siblings.clone(), rest)
        } else {
            false
        };
        let may_skip = matches!(step.repeat, Repeat::Optional | Repeat::Any) || row.run > 0;
        if found || !may_skip { found } else { self.inside(&row.past(), siblings, rest) }
    }

    /// Each sibling that may stand for the next step of `row`, followed by the row `after` it.
    fn candidates(&mut self, row: &Row<'_>, after: &Row<'_>, mut siblings: Siblings<'t>, rest: Rest<'_, 't>) -> bool {
        let Some(step) = row.step() else { return false };
        let one_is_enough = step.silent || after.run > 0;
        let anchored = step.anchored && row.run == 0;
        let mut found = false;
        while let Some(node) = siblings.next() {
            self.tries = self.tries.saturating_sub(1);
            if self.tries == 0 {
                break;
            }
            found |= self.node(step, node, &mut |matcher| matcher.inside(after, siblings.clone(), rest));
            if (found && one_is_enough) || (anchored && node.is_solid()) {
                break;
            }
        }
        found
    }
}

/// A place in the child steps of a step.
#[derive(Clone, Copy)]
struct Row<'p> {
    parent: &'p Step,
    next: usize,
    /// Nodes that the quantified step at `next` has taken.
    run: u32,
}

impl<'p> Row<'p> {
    fn step(&self) -> Option<&'p Step> {
        self.parent.children.get(self.next)
    }

    fn past(&self) -> Self {
        Self { next: self.next + 1, run: 0, ..*self }
    }
}

fn fits(step: &Step, node: Node<'_>) -> bool {
    if step.field != 0 && step.field != node.field_id() {
        return false;
    }
    let kind = match &step.test {
        Test::Any | Test::Choice(_) => true,
        Test::Named => node.is_named(),
        Test::Kinds(kinds) => kinds.contains(&node.kind_id()),
    };
    kind && step.absent.iter().all(|field| node.children().all(|child| child.field_id() != *field))
}

fn holds(predicate: &Predicate, captures: &Captures<'_>, text: &str) -> bool {
    let texts = |capture: u16| {
        let nodes = captures.iter().filter(move |(of, _)| *of == capture);
        nodes.map(|(_, node)| text.get(node.byte_range()).unwrap_or_default())
    };
    match &predicate.check {
        Check::Words(words) => {
            texts(predicate.capture).all(|found| words.iter().any(|word| word == found) == predicate.holds)
        }
        Check::Regex(regex) => {
            texts(predicate.capture).all(|found| regex.is_match(found.as_bytes()) == predicate.holds)
        }
        Check::Same(other) => {
            let pairs = texts(predicate.capture).flat_map(|found| texts(*other).map(move |other| found == other));
            pairs.into_iter().all(|same| same == predicate.holds)
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::extract::parse_tree;
    use super::*;

    const SOURCE: &str = "\
const [one, two] = [1, 2];
// between
call(first, /* note */ second, third);
a.b = function () {};
class K { static x = 1; get y() {} z() {} }
";

    fn check(query: &str, expect: &Expect) {
        expect.assert_eq(&found(query, SOURCE).unwrap_or_else(|error| error));
    }

    /// One line a match: its captures with their text.
    fn found(query: &str, source: &str) -> Result<String, String> {
        let grammar = Grammar::read(tree_sitter_javascript::LANGUAGE.into(), query)
            .map_err(|(line, error)| format!("{line}: {error}"))?;
        let tree = SyntaxTree::new(&parse_tree(&grammar, source, None, &|| false).expect("small sources are parsed"));
        let mut lines = Vec::new();
        for_each_match(&grammar, &tree, source, |_, captures| {
            let texts = captures
                .iter()
                .map(|(capture, node)| format!("{capture}={}", source.get(node.byte_range()).unwrap_or_default()));
            lines.push(texts.collect::<Vec<_>>().join(" "));
        });
        Ok(lines.join("\n"))
    }

    #[test]
    fn every_way_is_a_match() {
        check(
            "(arguments (identifier) @argument)",
            &expect![[r"
            0=first
            0=second
            0=third"]],
        );
        check(
            "(program (lexical_declaration (variable_declarator name: (array_pattern (identifier) @name))))",
            &expect![[r"
            0=one
            0=two"]],
        );
    }

    #[test]
    fn anchors_skip_comments_and_tokens() {
        check("(arguments . (identifier) @first)", &expect!["0=first"]);
        check("(arguments (identifier) @last .)", &expect!["0=third"]);
        check(
            "(arguments (identifier) @a . (identifier) @b)",
            &expect![[r"
            0=first 1=second
            0=second 1=third"]],
        );
        check("(arguments . (number) @first)", &expect![""]);
    }

    #[test]
    fn quantifiers_take_as_much_as_they_can() {
        check("(arguments (identifier)+ @all)", &expect!["0=first 0=second 0=third"]);
        check("(arguments (identifier)* @all (identifier) @last)", &expect!["0=first 0=second 1=third"]);
        check("(arguments (number)* @none . (identifier) @first)", &expect!["1=first"]);
        check(
            "(method_definition \"get\"? @get name: (_) @name)",
            &expect![[r"
            0=get 1=y
            1=z"]],
        );
    }

    #[test]
    fn fields_choices_and_absent_fields_narrow() {
        check(
            "(assignment_expression left: (_) @left right: [(arrow_function) (function_expression !name) @right])",
            &expect!["0=a.b 1=function () {}"],
        );
        check("(field_definition !value property: (_) @name)", &expect![""]);
        check(
            "[(field_definition property: (_) @name) (method_definition name: (_) @name)]",
            &expect![[r"
            0=x
            0=y
            0=z"]],
        );
    }

    #[test]
    fn a_supertype_stands_for_its_subtypes() {
        check(
            "(program (declaration) @it)",
            &expect![[r"
            0=const [one, two] = [1, 2];
            0=class K { static x = 1; get y() {} z() {} }"]],
        );
    }

    #[test]
    fn predicates_judge_texts() {
        check(
            "(arguments (identifier) @it (#any-of? @it \"first\" \"third\"))",
            &expect![[r"
            0=first
            0=third"]],
        );
        check(
            "(arguments (identifier) @it (#not-eq? @it \"first\") (#match? @it \"^.*d$\"))",
            &expect![[r"
            0=second
            0=third"]],
        );
        check("(arguments (identifier) @a (identifier) @b (#eq? @a @b))", &expect![""]);
        // A missing node fulfils every predicate; one that is there is not given up for it.
        check("(method_definition \"get\"? @get name: (_) @name (#not-eq? @get \"get\"))", &expect!["1=z"]);
    }

    #[test]
    fn faults_in_a_query_name_the_line_and_the_reason() {
        check("(program)\n(no_such_node) @x", &expect![[r#"2: the grammar has no node "no_such_node""#]]);
        check("(pair no_such_field: (_) @x)", &expect![[r#"1: the grammar has no field "no_such_field""#]]);
        check("(_) @x", &expect!["1: a pattern has to start at one node of a known kind"]);
        check("((comment) . (identifier) @x)", &expect!["1: groups of several nodes are not supported"]);
        check("(identifier) @x (#near? @x \"y\")", &expect!["1: a node without a kind"]);
        check("(pair key: (_) @x (#near? @x \"y\"))", &expect!["1: #near? is not known with these operands"]);
    }

    #[test]
    fn loops_over_siblings_end() {
        let source = format!("f({});", "a,".repeat(3_000));
        let matches = found("(arguments (identifier) @a (identifier) @b (identifier) @c (number) @d)", &source);
        assert_eq!(matches, Ok(String::new()));
    }
}
