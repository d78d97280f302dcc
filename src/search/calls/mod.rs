//! The call graph as it is stored, read for one question after another: `stored` has files, symbols, edges and the hierarchy of types;
//! `walk` has callers and callees as they are asked for. It grows no tree and ranks nothing. Read [`Graph`] first, then [`Walk`].

mod stored;
mod walk;

pub use stored::{Cache, File, Graph};
pub use walk::{DISPATCH_CONFIDENCE, EdgeFilter, HIGH_CONFIDENCE, Link, Node, Walk};
