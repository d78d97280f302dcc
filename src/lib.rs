//! The memory that an AI coding assistant has of a codebase. The rooms, in reading order.

pub mod cli;
pub mod config;
pub mod context;
pub mod daemon;
pub mod engine;
pub mod eval;
pub mod graph;
pub mod hook;
pub mod index;
pub mod mcp;
pub mod model;
pub mod parse;
pub mod project;
pub mod scan;
pub mod search;
pub mod store;
