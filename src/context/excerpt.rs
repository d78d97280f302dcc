//! What stays of a block that has no room for all: its head and the lines that matter, in their order, with a sign where lines are
//! left out. Read [`excerpt`].

use std::collections::BTreeSet;

use crate::model::Block;

/// Stands for lines that are left out.
const GAP: &str = "…";
/// Lines beside one that matters that are shown with it, when there is room.
const AROUND: [i64; 3] = [1, -1, 2];

/// At most `room` bytes of a block's text; `None` when not even its head fits.
pub(super) fn excerpt(block: &Block, room: usize) -> Option<String> {
    let lines: Vec<&str> = block.text.lines().collect();
    let head = block.marks.first().copied().unwrap_or_default();
    let mut kept = BTreeSet::new();
    let mut left = room;
    if !keep(&lines, i64::from(head), &mut kept, &mut left) {
        return None;
    }
    let matters = || block.marks.iter().map(|mark| i64::from(*mark));
    for mark in matters() {
        keep(&lines, mark, &mut kept, &mut left);
    }
    for step in AROUND {
        for mark in matters() {
            keep(&lines, mark + step, &mut kept, &mut left);
        }
    }
    Some(joined(&lines, &kept, !block.frame.is_empty()))
}

/// Whether the line stands there now. A gap may be needed before and after it.
fn keep(lines: &[&str], at: i64, kept: &mut BTreeSet<usize>, left: &mut usize) -> bool {
    let Some((at, line)) = usize::try_from(at).ok().and_then(|at| Some((at, lines.get(at)?))) else { return false };
    if kept.contains(&at) {
        return true;
    }
    if line.trim().is_empty() {
        return false;
    }
    let cost = line.len() + 1 + 2 * (GAP.len() + 1);
    let fits = cost <= *left;
    if fits {
        *left -= cost;
        kept.insert(at);
    }
    fits
}

/// What is `framed` begins with the head of its type and a gap already.
fn joined(lines: &[&str], kept: &BTreeSet<usize>, framed: bool) -> String {
    let mut out = String::new();
    let mut next = 0;
    for &at in kept {
        // A blank line says no more than the sign for it.
        let between = lines.get(next..at).unwrap_or_default();
        let framed = next == 0 && framed;
        if !framed && between.iter().any(|line| !line.trim().is_empty()) {
            out.push_str(GAP);
            out.push('\n');
        }
        out.push_str(lines.get(at).copied().unwrap_or_default());
        out.push('\n');
        next = at + 1;
    }
    if lines.get(next..).unwrap_or_default().iter().any(|line| !line.trim().is_empty()) {
        out.push_str(GAP);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::fixture::block;
    use super::*;

    #[test]
    fn the_head_and_the_lines_that_matter_stay() {
        let mut long =
            block("src/a.rs", 1, "fn a() {\n    one();\n    two();\n    three();\n    four();\n    five();\n}\n");
        long.marks = vec![0, 4];
        assert_eq!(excerpt(&long, 70).unwrap(), "fn a() {\n    one();\n…\n    four();\n…\n}\n");
        assert_eq!(excerpt(&long, 20).unwrap(), "fn a() {\n…\n");
        assert_eq!(excerpt(&long, 5), None);
        assert_eq!(excerpt(&long, 1_000).unwrap().lines().filter(|line| *line == GAP).count(), 0);
    }
}
