//! The rows of events that differ between rules and contract.

use enumset::EnumSet;
use gamekeeper_rules::mythotopia::{PlayedCard, Purpose, SetupChoice, Side, Strength};

use super::pb;
use crate::mapping::{ToPb, message};

message! {
    Strength => pb::Strength,
    |it| { seat: it.side, value: it.strength }
}

/// A side of a war: its seat, or 0 for the neutral side.
impl ToPb<u32> for Side {
    fn to_pb(&self) -> u32 {
        match self {
            Self::Neutral => 0,
            Self::Player(seat) => seat.to_pb(),
        }
    }
}

message! {
    SetupChoice => pb::SetupChoice,
    |choice| {
        provinces: match choice {
            SetupChoice::Discard(provinces) => *provinces,
            SetupChoice::Citadel(province) => EnumSet::only(*province),
        },
        citadel: matches!(choice, SetupChoice::Citadel(_)),
    }
}

message! {
    PlayedCard => pb::PlayedCard,
    |played| {
        card: played.card, zone: played.zone, purpose: played.purpose,
        symbol: if let Purpose::Symbol(symbol) | Purpose::Converted(_, symbol) = played.purpose { Some(symbol) } else { None },
        via: if let Purpose::Converted(via, _) = played.purpose { Some(via) } else { None },
    }
}

impl ToPb<i32> for Purpose {
    fn to_pb(&self) -> i32 {
        match self {
            Self::Symbol(_) | Self::Converted(..) => pb::Purpose::Symbol,
            Self::Merchant => pb::Purpose::Merchant,
            Self::WaterMill => pb::Purpose::WaterMill,
            Self::Site => pb::Purpose::Site,
            Self::Portal => pb::Purpose::Portal,
            Self::Transport => pb::Purpose::Transport,
            Self::Ability => pb::Purpose::Ability,
        }
        .into()
    }
}
