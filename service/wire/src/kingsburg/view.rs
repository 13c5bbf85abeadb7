//! The rows of views that differ between rules and contract.

use gamekeeper_rules::kingsburg::data::{Advisor, DieId};
use gamekeeper_rules::kingsburg::{Decision, DiePlace, DieView};
use gamekeeper_rules::table::Pending;

use super::pb;
use crate::Malformed;
use crate::mapping::{FromView, ToPb, decision_number, message, open_decision, view_field};

message! {
    Pending => pb::OpenDecision,
    |open| { seat: open.seat, decision: decision_number(Decision::WORDS, open.decision) }
}

impl FromView<pb::OpenDecision> for Pending {
    fn from_view(sent: pb::OpenDecision) -> Result<Self, Malformed> {
        open_decision(Decision::WORDS, (sent.seat, sent.decision))
    }
}

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

impl FromView<u32> for DieId {
    fn from_view(sent: u32) -> Result<Self, Malformed> {
        let die = Self::from_number(sent);
        die.ok_or_else(|| Malformed::new("", format!("is {sent}; 0 to 4 is allowed")))
    }
}

/// A die is white by its number.
impl FromView<pb::DieView> for DieView {
    fn from_view(sent: pb::DieView) -> Result<Self, Malformed> {
        let advisor: Option<Advisor> = view_field("advisor", sent.advisor)?;
        let place = match (sent.place(), advisor) {
            (pb::DiePlace::Court, Some(advisor)) => DiePlace::Court(advisor),
            (pb::DiePlace::Court, None) => return Err(Malformed::missing("advisor")),
            (pb::DiePlace::Pool, _) => DiePlace::Pool,
            (pb::DiePlace::SetAside, _) => DiePlace::SetAside,
            (pb::DiePlace::Unspecified, _) => return Err(Malformed::missing("place")),
        };
        Ok(Self {
            die: view_field("die", sent.die)?,
            value: view_field("value", sent.value)?,
            place,
        })
    }
}
