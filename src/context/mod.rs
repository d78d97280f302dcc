//! Lanes and a budget -> the text that is put before the assistant. It finds and ranks nothing and does not know where a block came
//! from. Read [`assemble`] first.
//!
//! - `pack`: which blocks, and how much of each: `excerpt` says what stays of one that has no room for all.
//! - `markdown`: how they are written.

mod excerpt;
#[cfg(test)]
mod fixture;
mod markdown;
mod pack;

use self::pack::Pack;
use crate::model::{Block, Context, Lane, Route};

/// Everything a context is made of.
pub struct Assembly<'a> {
    pub route: Route,
    pub lanes: &'a [Lane],
    pub limits: Limits,
    /// The assistant has this very block already.
    pub given: &'a dyn Fn(&Block) -> bool,
    /// What is to be said before all else, as that the index is stale; empty for nothing.
    pub notice: String,
}

/// How much there is room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub tokens: u32,
    /// Blocks that are more than a pointer.
    pub blocks: u32,
    pub chars: u32,
}

/// Tokens of a project of so many chunks: a small one has little to say, and an assistant reads no more than this at once.
#[must_use]
pub const fn auto_tokens(chunks: u64) -> u32 {
    const LEAST: u64 = 2_000;
    const MOST: u64 = 6_000;
    let tokens = 1_500 + chunks * 5 / 2;
    if tokens < LEAST {
        LEAST as u32
    } else if tokens > MOST {
        MOST as u32
    } else {
        tokens as u32
    }
}

/// Tokens of a text that was never counted: headings, pointers, facts. Code and English have 3 to 5 bytes a token; this errs on the
/// side of more tokens.
#[must_use]
pub const fn estimate(text: &str) -> u32 {
    (text.len() as u32).div_ceil(3)
}

/// Puts as much as fits of each lane into one text, best blocks first.
#[must_use]
pub fn assemble(assembly: &Assembly<'_>) -> Context {
    let mut pack = Pack::new(assembly.limits);
    pack.reserve(&assembly.notice);
    let lanes: Vec<_> = assembly.lanes.iter().map(|lane| pack.lane(lane, assembly.given)).collect();
    let text = markdown::write(assembly, &lanes);
    let tokens = if text.is_empty() { 0 } else { pack.tokens() };
    let (mut blocks, mut left_out) = (Vec::new(), Vec::new());
    for lane in lanes {
        blocks.extend(lane.blocks);
        left_out.extend(lane.left_out);
    }
    Context { route: assembly.route, blocks, left_out, text, tokens }
}
