//! From single operations to candidates: who could play which role, with which parameters.
//!
//! One file a family of types. Each tries a few scripted steps; what survives goes on walks.

pub(super) mod asking;
pub(super) mod barrier;
pub(super) mod event;
pub(super) mod exclusion;
pub(super) mod handing;
pub(super) mod kinds;
pub(super) mod passing;
pub(super) mod read_write;
pub(super) mod weights;

use super::spec::{Cast, Machine, Member};
use crate::types::Role;

/// Operations in roles, and the machines they may be, the most lenient protocol first.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) machines: Vec<Machine>,
    pub(super) cast: Cast,
}

impl Candidate {
    fn new(machines: Vec<Machine>, cast: impl IntoIterator<Item = (Role, usize)>) -> Self {
        let one = |(role, op)| (role, vec![Member::plain(op)]);
        Self {
            machines,
            cast: cast.into_iter().map(one).collect(),
        }
    }
}
