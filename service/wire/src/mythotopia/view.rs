//! The rows of views that differ between rules and contract.

use enumset::EnumSet;
use gamekeeper_rules::mythotopia::data::{Border, Card, CardSet, Province};
use gamekeeper_rules::mythotopia::{Decision, SetupChoice, Side, Strength};
use gamekeeper_rules::table::Pending;

use super::pb;
use crate::Malformed;
use crate::mapping::{FromView, decision_number, message, open_decision, view_field};

message! {
    [u8; 3] => pb::Tokens,
    |[ones, twos, threes]| { ones: *ones, twos: *twos, threes: *threes }
}

/// Tokens that are left out are none.
impl FromView<Option<pb::Tokens>> for [u8; 3] {
    fn from_view(sent: Option<pb::Tokens>) -> Result<Self, Malformed> {
        let pb::Tokens { ones, twos, threes } = sent.unwrap_or_default();
        Ok([
            view_field("ones", ones)?,
            view_field("twos", twos)?,
            view_field("threes", threes)?,
        ])
    }
}

message! {
    Pending => pb::OpenDecision,
    |open| { seat: open.seat, decision: decision_number(Decision::WORDS, open.decision) }
}

impl FromView<pb::OpenDecision> for Pending {
    fn from_view(sent: pb::OpenDecision) -> Result<Self, Malformed> {
        open_decision(Decision::WORDS, (sent.seat, sent.decision))
    }
}

/// The provinces of a border, in either order.
impl FromView<pb::Border> for Border {
    fn from_view(sent: pb::Border) -> Result<Self, Malformed> {
        let a: Province = view_field("a", sent.a)?;
        let b: Province = view_field("b", sent.b)?;
        let between = |border: &Self| {
            let row = border.row();
            (row.a, row.b) == (a, b) || (row.a, row.b) == (b, a)
        };
        let border = Self::all().find(between);
        border.ok_or_else(|| Malformed::new("", "is no border"))
    }
}

/// Cards, each once.
impl FromView<Vec<i32>> for CardSet {
    fn from_view(sent: Vec<i32>) -> Result<Self, Malformed> {
        Ok(Vec::<Card>::from_view(sent)?.into_iter().collect())
    }
}

impl FromView<pb::Strength> for Strength {
    fn from_view(sent: pb::Strength) -> Result<Self, Malformed> {
        let side = match sent.seat {
            0 => Side::Neutral,
            seat => Side::Player(view_field("seat", seat)?),
        };
        Ok(Self {
            side,
            strength: view_field("value", sent.value)?,
        })
    }
}

impl FromView<pb::SetupChoice> for SetupChoice {
    fn from_view(sent: pb::SetupChoice) -> Result<Self, Malformed> {
        let provinces: EnumSet<Province> = view_field("provinces", sent.provinces)?;
        match (sent.citadel, provinces.iter().next()) {
            (false, _) => Ok(Self::Discard(provinces)),
            (true, Some(province)) if provinces.len() == 1 => Ok(Self::Citadel(province)),
            (true, _) => Err(Malformed::new("provinces", "is not one province")),
        }
    }
}
