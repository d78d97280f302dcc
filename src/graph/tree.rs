//! Edges -> trees: who leads to a node and where a node leads, breadth first. It knows neither files nor names; what a node is and
//! which of its steps may be taken is the matter of whoever implements [`Calls`]. Read [`grow`] first.

use std::collections::VecDeque;
use std::hash::Hash;

use rustc_hash::FxHashSet;

use crate::model::{EdgeKind, Resolution};

/// Against the edges or along them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    /// To those who call.
    Callers,
    /// To what is called.
    Callees,
}

/// All edges between two nodes, by the surest of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step<N> {
    pub node: N,
    /// Line of the first site in the caller's file.
    pub line: u32,
    /// Number of sites.
    pub sites: u32,
    pub kind: EdgeKind,
    pub resolution: Resolution,
    /// Percent.
    pub confidence: u8,
}

/// What a node leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steps<N> {
    /// In the order in which they are shown.
    pub steps: Vec<Step<N>>,
    /// Edges that were not asked for: too unsure, or out of the project.
    pub hidden: u32,
}

/// A graph as a tree asks for it: the same question has the same answer.
pub trait Calls {
    type Node: Copy + Eq + Hash;
    type Error;

    /// # Errors
    /// The graph cannot be read.
    fn steps(&self, node: Self::Node, way: Way) -> Result<Steps<Self::Node>, Self::Error>;

    /// Number of edges that lead to a node.
    ///
    /// # Errors
    /// The graph cannot be read.
    fn fan_in(&self, node: Self::Node) -> Result<u32, Self::Error>;
}

/// How far a tree grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Levels below the root.
    pub depth: u32,
    /// Most steps of a node below the root.
    pub branches: usize,
    /// Most nodes, the root not counted. The first level may take them all.
    pub nodes: usize,
}

/// Why a tree ends where it could go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It does not end here, or there is nothing more.
    None,
    /// The node stands above itself.
    Cycle,
    /// The node stands elsewhere in the tree, and what follows stands there.
    Repeated,
}

/// A node in its place in a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch<N> {
    /// Index of the branch that it hangs on; `None` is the root.
    pub parent: Option<usize>,
    /// 1 below the root.
    pub depth: u32,
    pub step: Step<N>,
    pub end: End,
    pub below: Below,
}

/// What is not shown below a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Below {
    /// Steps that had no room.
    pub more: u32,
    /// See [`Steps::hidden`].
    pub hidden: u32,
}

/// A root and its branches, by level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree<N> {
    pub root: N,
    pub below: Below,
    pub branches: Vec<Branch<N>>,
}

impl<N> Tree<N> {
    /// The same tree with other nodes.
    ///
    /// # Errors
    /// The first one of `to`.
    pub fn try_map<M, E>(self, mut to: impl FnMut(N) -> Result<M, E>) -> Result<Tree<M>, E> {
        let root = to(self.root)?;
        let branch = |branch: Branch<N>| -> Result<Branch<M>, E> {
            let Branch { parent, depth, step, end, below } = branch;
            let Step { node, line, sites, kind, resolution, confidence } = step;
            let step = Step { node: to(node)?, line, sites, kind, resolution, confidence };
            Ok(Branch { parent, depth, step, end, below })
        };
        let branches = self.branches.into_iter().map(branch).collect::<Result<_, E>>()?;
        Ok(Tree { root, below: self.below, branches })
    }

    /// Indexes of the branches that hang on one, in order.
    pub fn children(&self, parent: Option<usize>) -> impl Iterator<Item = usize> {
        self.branches.iter().enumerate().filter(move |(_, branch)| branch.parent == parent).map(|(at, _)| at)
    }
}

/// Of more nodes than this with the same confidence, those shown are the first, whatever leads to them.
const MOST_RANKED: usize = 64;

/// The tree of a node, breadth first. A node is followed once, where it is met first. Where there is no room for all steps of a
/// node, the surest stay, of equally sure ones those with the most edges to them.
///
/// # Errors
/// The graph cannot be read.
pub fn grow<C: Calls>(calls: &C, root: C::Node, way: Way, shape: Shape) -> Result<Tree<C::Node>, C::Error> {
    let mut tree = Tree { root, below: Below::default(), branches: Vec::new() };
    let mut seen = FxHashSet::from_iter([root]);
    let mut pending = VecDeque::from([(None, root, 0)]);
    while let Some((at, node, depth)) = pending.pop_front() {
        if depth == shape.depth {
            continue;
        }
        let Steps { steps, hidden } = calls.steps(node, way)?;
        let most = if at.is_some() { shape.branches } else { shape.nodes };
        let room = most.min(shape.nodes.saturating_sub(tree.branches.len()));
        let more = steps.len().saturating_sub(room) as u32;
        tree.set_below(at, Below { more, hidden });
        for step in chosen(calls, steps, room)? {
            let end = match seen.insert(step.node) {
                true => End::None,
                false if tree.is_above(at, step.node) => End::Cycle,
                false => End::Repeated,
            };
            if end == End::None {
                pending.push_back((Some(tree.branches.len()), step.node, depth + 1));
            }
            tree.branches.push(Branch { parent: at, depth: depth + 1, step, end, below: Below::default() });
        }
    }
    Ok(tree)
}

impl<N: Copy + Eq> Tree<N> {
    fn set_below(&mut self, at: Option<usize>, below: Below) {
        match at.and_then(|at| self.branches.get_mut(at)) {
            Some(branch) => branch.below = below,
            None => self.below = below,
        }
    }

    /// `node` is the branch `at`, stands above it, or is the root.
    fn is_above(&self, mut at: Option<usize>, node: N) -> bool {
        while let Some(branch) = at.and_then(|at| self.branches.get(at)) {
            if branch.step.node == node {
                return true;
            }
            at = branch.parent;
        }
        self.root == node
    }
}

/// At most `room` of the steps, in their order.
fn chosen<C: Calls>(calls: &C, steps: Vec<Step<C::Node>>, room: usize) -> Result<Vec<Step<C::Node>>, C::Error> {
    if steps.len() <= room {
        return Ok(steps);
    }
    let mut ranked: Vec<(usize, Step<C::Node>, u32)> =
        steps.into_iter().enumerate().map(|(at, step)| (at, step, 0)).collect();
    ranked.sort_by_key(|(_, step, _)| std::cmp::Reverse(step.confidence));
    let last = room.checked_sub(1).and_then(|last| ranked.get(last)).map(|(_, step, _)| step.confidence);
    let tied = ranked.iter_mut().filter(|(_, step, _)| Some(step.confidence) == last);
    let mut tied: Vec<_> = tied.collect();
    if tied.len() <= MOST_RANKED {
        for (_, step, fan_in) in &mut tied {
            *fan_in = calls.fan_in(step.node)?;
        }
    }
    ranked.sort_by_key(|(_, step, fan_in)| std::cmp::Reverse((step.confidence, *fan_in)));
    ranked.truncate(room);
    ranked.sort_by_key(|(at, ..)| *at);
    Ok(ranked.into_iter().map(|(_, step, _)| step).collect())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::fmt::Write as _;

    use expect_test::{Expect, expect};

    use super::*;

    /// `a>b 90` a line; fan-in is the number of lines that lead to a node.
    struct Lines(Vec<(char, char, u8)>);

    impl Lines {
        fn new(text: &str) -> Self {
            let edge = |line: &str| {
                let mut chars = line.trim().chars();
                let (from, to) = (chars.next()?, chars.nth(1)?);
                Some((from, to, chars.as_str().trim().parse().unwrap_or(90)))
            };
            Self(text.split(',').filter_map(edge).collect())
        }
    }

    impl Calls for Lines {
        type Node = char;
        type Error = Infallible;

        fn steps(&self, node: char, way: Way) -> Result<Steps<char>, Infallible> {
            let end = |edge: &(char, char, u8)| match way {
                Way::Callers => (edge.1, edge.0),
                Way::Callees => (edge.0, edge.1),
            };
            let all = self.0.iter().filter(|edge| end(edge).0 == node);
            let (shown, hidden): (Vec<_>, Vec<_>) = all.partition(|edge| edge.2 >= 70);
            let step = |edge: &(char, char, u8)| Step {
                node: end(edge).1,
                line: 1,
                sites: 1,
                kind: EdgeKind::Call,
                resolution: Resolution::Local,
                confidence: edge.2,
            };
            Ok(Steps { steps: shown.into_iter().map(step).collect(), hidden: hidden.len() as u32 })
        }

        fn fan_in(&self, node: char) -> Result<u32, Infallible> {
            Ok(self.0.iter().filter(|edge| edge.1 == node).count() as u32)
        }
    }

    const SHAPE: Shape = Shape { depth: 9, branches: 9, nodes: 99 };

    fn check(edges: &str, way: Way, shape: Shape, expected: &Expect) {
        let Ok(tree) = grow(&Lines::new(edges), 'a', way, shape);
        let mut text = format!("a {}\n", below(tree.below));
        for branch in &tree.branches {
            let end = match branch.end {
                End::None => "",
                End::Cycle => " cycle",
                End::Repeated => " repeated",
            };
            let parent = branch.parent.map_or('a', |at| tree.branches[at].step.node);
            let indent = "  ".repeat(branch.depth as usize);
            let below = below(branch.below);
            writeln!(text, "{indent}{parent}-{}{end} {below}", branch.step.node).unwrap();
        }
        expected.assert_eq(&text);
    }

    fn below(below: Below) -> String {
        format!("more={} hidden={}", below.more, below.hidden)
    }

    #[test]
    fn levels_come_one_after_the_other() {
        check(
            "a>b,a>c,b>d,c>e",
            Way::Callees,
            SHAPE,
            &expect![[r#"
            a more=0 hidden=0
              a-b more=0 hidden=0
              a-c more=0 hidden=0
                b-d more=0 hidden=0
                c-e more=0 hidden=0
        "#]],
        );
        check(
            "b>a,c>b,d>c",
            Way::Callers,
            Shape { depth: 2, ..SHAPE },
            &expect![[r#"
            a more=0 hidden=0
              a-b more=0 hidden=0
                b-c more=0 hidden=0
        "#]],
        );
    }

    #[test]
    fn cycles_and_second_meetings_are_marked_and_not_followed() {
        check(
            "a>a,a>b,b>c,c>a,c>b,a>c,c>d",
            Way::Callees,
            SHAPE,
            &expect![[r#"
            a more=0 hidden=0
              a-a cycle more=0 hidden=0
              a-b more=0 hidden=0
              a-c more=0 hidden=0
                b-c repeated more=0 hidden=0
                c-a cycle more=0 hidden=0
                c-b repeated more=0 hidden=0
                c-d more=0 hidden=0
        "#]],
        );
    }

    #[test]
    fn without_room_the_surest_stay_and_of_equals_those_that_much_leads_to() {
        let edges = "a>b 80,a>c 95,a>d 80,a>e 80,x>e,y>e,x>d,a>f 40";
        check(
            edges,
            Way::Callees,
            Shape { nodes: 2, ..SHAPE },
            &expect![[r#"
            a more=2 hidden=1
              a-c more=0 hidden=0
              a-e more=0 hidden=0
        "#]],
        );
        check(
            "a>b,b>c 80,b>d 90",
            Way::Callees,
            Shape { branches: 1, ..SHAPE },
            &expect![[r#"
            a more=0 hidden=0
              a-b more=1 hidden=0
                b-d more=0 hidden=0
        "#]],
        );
    }
}
