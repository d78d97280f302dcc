//! The one integration binary. Every area is a module here: a second binary would be linked against all grammars again.

#[cfg(test)]
mod cli;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod goldens;
#[cfg(test)]
mod incremental;
#[cfg(test)]
mod project;
#[cfg(test)]
mod robust;
#[cfg(test)]
mod tidy;
#[cfg(test)]
mod tokens;
