//! The rows of views that differ between rules and contract.

use gamekeeper_rules::kingsburg::data::Advisor;
use gamekeeper_rules::kingsburg::{DiePlace, DieView};

use super::pb;
use crate::mapping::{ToPb, message};

message! {
    DieView => pb::DieView,
    |view| {
        die: view.die, white: view.die.is_white(), value: view.value, place: view.place,
        advisor: advisor_at(view.place),
    }
}

impl ToPb<i32> for DiePlace {
    fn to_pb(&self) -> i32 {
        match self {
            Self::Pool => pb::DiePlace::Pool,
            Self::Court(_) => pb::DiePlace::Court,
            Self::SetAside => pb::DiePlace::SetAside,
        }
        .into()
    }
}

/// Returns the advisor on whose space a die lies.
fn advisor_at(die_place: DiePlace) -> Option<Advisor> {
    match die_place {
        DiePlace::Court(advisor) => Some(advisor),
        DiePlace::Pool | DiePlace::SetAside => None,
    }
}
