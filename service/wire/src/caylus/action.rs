//! Actions. Names and spaces that do not exist are passed on as unknown: the rules refuse them
//! (CAY-6.11).

use gamekeeper_rules::caylus::{Action, FavorEffect};
use gamekeeper_rules::table::Given;

use super::pb::{self, action::Kind};
use crate::Malformed;
use crate::rows::{FromPb, ToField, Value, field, message, oneof, write};

oneof! {
    both Action => Kind in pb;
    fields {
        PlaceWorker { target },
        PassTurn {},
        MoveGateWorker { target },
        RecallGateWorker {},
        MoveProvost { delta },
        Joust { accept },
        InnChoice { stay },
        SellCube { resource },
        BuyCubes { resources },
        Alchemy { payment },
        BuildCraft { tile, any_payment },
        BuildPrestige { tile, space },
        TransformBuilding { space },
        Decline {},
        ChooseOwnerBonus { resource },
        TakeFavor { line, column, effect },
        BuildCastleBatch { second, third },
        FinishCastle {},
    }
    by_hand {
        to {
            Action::Produce { option } => Produce { option: *option },
            Action::Trade { option } => Trade { option: *option },
        }
        from {
            Produce(it) => Action::Produce { option: option(it.option) },
            Trade(it) => Action::Trade { option: option(it.option) },
        }
    }
}

/// The number of an option; `None` for one that no building has.
fn option(number: Option<u32>) -> Option<u8> {
    number.and_then(|number| u8::try_from(number).ok())
}

// In resource order.
message! {
    [i32; 5] => pb::CubePayment,
    |[food, wood, stone, cloth, gold]| {
        food: *food, wood: *wood, stone: *stone, cloth: *cloth, gold: *gold,
    }
}

impl FromPb<Option<pb::CubePayment>> for [i32; 5] {
    fn from_pb(sent: Option<pb::CubePayment>) -> Result<Self, Malformed> {
        let pb::CubePayment {
            food,
            wood,
            stone,
            cloth,
            gold,
        } = sent.unwrap_or_default();
        Ok([food, wood, stone, cloth, gold])
    }
}

/// A name that may be left out; one that does not exist is still sent as a number.
impl<T: Copy, P> ToField<Option<P>> for Given<T>
where
    Option<T>: Value<P>,
{
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        match self {
            Self::Absent => {}
            Self::Unknown => None::<T>.write_as(number, out),
            Self::Known(name) => Some(*name).write_as(number, out),
        }
    }
}

impl<T, P> FromPb<Option<P>> for Given<T>
where
    Option<T>: FromPb<P>,
{
    fn from_pb(sent: Option<P>) -> Result<Self, Malformed> {
        let Some(sent) = sent else {
            return Ok(Self::Absent);
        };
        Ok(Option::from_pb(sent)?.map_or(Self::Unknown, Self::Known))
    }
}

/// An effect without parameters is unset.
impl ToField<Option<pb::FavorEffect>> for FavorEffect {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        if *self != Self::NONE {
            self.write_as(number, out);
        }
    }
}

impl Value<pb::FavorEffect> for FavorEffect {
    fn write(&self, out: &mut Vec<u8>) {
        let fields = pb::FavorEffect::FIELDS;
        write(&fields.resource, &self.resource, out);
        write(&fields.give, &self.give, out);
        write(&fields.take, &self.take, out);
        write(&fields.tile, &self.tile, out);
        write(&fields.any_payment, &self.any_payment, out);
        write(&fields.space, &self.space, out);
    }
}

impl FromPb<Option<pb::FavorEffect>> for FavorEffect {
    fn from_pb(sent: Option<pb::FavorEffect>) -> Result<Self, Malformed> {
        let sent = sent.unwrap_or_default();
        Ok(Self {
            resource: field("resource", sent.resource)?,
            give: field("give", sent.give)?,
            take: field("take", sent.take)?,
            tile: field("tile", sent.tile)?,
            any_payment: field("any_payment", sent.any_payment)?,
            space: field("space", sent.space)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::caylus::data::FavorLine;

    use super::*;

    #[test]
    fn what_does_not_exist_is_left_to_the_rules() {
        let read = |kind| Action::from_pb(kind).unwrap();
        for number in [0, 29, 284, u32::MAX] {
            let kind = Kind::TransformBuilding(pb::TransformBuilding { space: number });
            assert_eq!(read(kind), Action::TransformBuilding { space: None });
            let effect = Some(pb::FavorEffect {
                space: Some(number),
                ..pb::FavorEffect::default()
            });
            let favor = pb::TakeFavor {
                line: 5,
                column: 256,
                effect,
            };
            let expected = Action::TakeFavor {
                line: None,
                column: 256,
                effect: FavorEffect {
                    space: Given::Unknown,
                    ..FavorEffect::NONE
                },
            };
            assert_eq!(read(Kind::TakeFavor(favor)), expected);
        }
        for resource in [0, 6, -1] {
            let sell = Kind::SellCube(pb::SellCube { resource });
            assert_eq!(read(sell), Action::SellCube { resource: None });
        }
        for option in [None, Some(256)] {
            let produce = Kind::Produce(pb::Produce { option });
            assert_eq!(read(produce), Action::Produce { option: None });
        }
        let nothing_paid = Kind::Alchemy(pb::Alchemy { payment: None });
        assert_eq!(read(nothing_paid), Action::Alchemy { payment: [0; 5] });
        let empty = Some(pb::FavorEffect::default());
        let favor = pb::TakeFavor {
            line: 1,
            column: 0,
            effect: empty,
        };
        let plain = Action::TakeFavor {
            line: Some(FavorLine::Prestige),
            column: 0,
            effect: FavorEffect::NONE,
        };
        assert_eq!(read(Kind::TakeFavor(favor)), plain);
    }
}
