//! The rows of actions that differ between rules and contract. Names and spaces that do not exist are passed on as
//! unknown: the rules refuse them (CAY-6.11).

use gamekeeper_rules::caylus::FavorEffect;
use gamekeeper_rules::table::OptionalParam;

use super::pb;
use crate::Malformed;
use crate::mapping::{FromPb, ToField, Value, message, write_fields};

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

/// A name can be left out; an unknown one is still sent as a number.
impl<T: Copy, P> ToField<Option<P>> for OptionalParam<T>
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

impl<T, P> FromPb<Option<P>> for OptionalParam<T>
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

// An effect without parameters is unset.
message! { from FavorEffect => pb::FavorEffect { resource, give, take, tile, any_payment, space } }

impl FromPb<Option<pb::FavorEffect>> for FavorEffect {
    fn from_pb(sent: Option<pb::FavorEffect>) -> Result<Self, Malformed> {
        Self::from_pb(sent.unwrap_or_default())
    }
}

impl Value<pb::FavorEffect> for FavorEffect {
    fn write(&self, out: &mut Vec<u8>) {
        let Self {
            resource,
            give,
            take,
            tile,
            any_payment,
            space,
        } = self;
        write_fields! {
            pb::FavorEffect {
                resource: *resource, give: *give, take: *take, tile: *tile,
                any_payment: *any_payment, space: *space,
            } => out
        }
    }
}

impl ToField<Option<pb::FavorEffect>> for FavorEffect {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        if *self != Self::NONE {
            self.write_as(number, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::caylus::Action;
    use gamekeeper_rules::caylus::data::FavorLine;

    use super::pb::action::Kind;
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
                    space: OptionalParam::Unknown,
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
