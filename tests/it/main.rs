//! The one integration binary. Every area is a module here: a second binary would be linked against all grammars again.

#[cfg(test)]
mod benchmark;
#[cfg(test)]
mod cli;
#[cfg(test)]
mod conventions;
mod daemon;
#[cfg(test)]
mod edge_cases;
#[cfg(test)]
mod edges;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod goldens;
#[cfg(test)]
mod graph;
#[cfg(test)]
mod hook;
#[cfg(test)]
mod incremental;
#[cfg(test)]
mod init;
#[cfg(test)]
mod links;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod project;
#[cfg(test)]
mod robust;
#[cfg(test)]
mod serving;
#[cfg(test)]
mod tidy;
#[cfg(test)]
mod tokens;
