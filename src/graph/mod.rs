//! Names -> edges: which definition each reference of a file means. Pure: it asks for other files through [`Code`] and says what
//! it asked, so that whoever stores the answer knows when it is out of date. It never guesses on an unknown receiver.
//! Read [`Code`] first, then [`resolve`].

pub mod tree;

mod code;
mod confidence;
mod exports;
mod extensions;
#[cfg(test)]
mod fixture;
mod headers;
mod infer;
mod lens;
mod members;
pub mod modules;
mod names;
mod resolve;
mod scopes;
mod typed;
mod value;
mod written;

pub use code::{Code, Head, Named, Place, Unit};
pub use lens::exposed;
pub use resolve::{ImportTarget, Resolved, resolve};

/// Changes when the same facts give other edges: stored links are then made again.
pub const RESOLVER_VERSION: u32 = 1;
