//! How often an edge of each kind is right, in percent: one table. The figures are the shares that `benchmark --graph` prints
//! by resolution, rounded down; run it after a change of the ladder. Read [`of`] first.

use crate::model::{EdgeKind, Resolution};

/// Bases are named, not called: a wrong one is a wrong import.
pub(super) const INHERIT: u8 = 95;

const CALLBACK: u8 = 80;

/// Confidence of an edge; of an edge to nothing, that there is indeed nothing.
pub(super) const fn of(resolution: Resolution, kind: EdgeKind, found: bool) -> u8 {
    if !found {
        return if matches!(resolution, Resolution::External) { 90 } else { 0 };
    }
    let base = match resolution {
        Resolution::Local
        | Resolution::SelfMember
        | Resolution::Inherited
        | Resolution::ReceiverType
        | Resolution::Package => 98,
        Resolution::Import => 97,
        Resolution::Reexport => 89,
        Resolution::Dispatch => 60,
        Resolution::UniqueName => 22,
        Resolution::Ambiguous | Resolution::External => 0,
    };
    // A name that is passed need not be called.
    if matches!(kind, EdgeKind::Callback) && base > CALLBACK { CALLBACK } else { base }
}
