//! The rows of actions that differ between rules and contract. Goods, buildings and purposes that do not exist are
//! passed on as unknown: the rules refuse them (KIN-16.9).

use gamekeeper_rules::kingsburg::data::DieId;
use gamekeeper_rules::kingsburg::{Influence, NamedDice, Payment};

use super::pb;
use crate::Malformed;
use crate::mapping::{FromPb, ToField, ToPb, message, write_list};

// Variants of the action that contain one of these types.
message! { both Influence => pb::Influence { advisor, dice, plus2, market_offset, use_envoy } }
message! { both Payment => pb::RecruitSoldier { gold, wood, stone } }
message! { both Payment => pb::PayLostGoods { gold, wood, stone } }

impl ToField<Vec<u32>> for NamedDice {
    fn write_field(&self, number: u32, out: &mut Vec<u8>) {
        write_list::<u32, u32>(self.numbers(), number, out);
    }
}

impl FromPb<Vec<u32>> for NamedDice {
    fn from_pb(sent: Vec<u32>) -> Result<Self, Malformed> {
        Ok(Self::from_numbers(sent))
    }
}

impl ToPb<u32> for DieId {
    fn to_pb(&self) -> u32 {
        self.number().into()
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::kingsburg::Action;

    use super::pb::action::Kind;
    use super::*;

    #[test]
    fn what_does_not_exist_is_left_to_the_rules() {
        for building in [0, -1, 21, i32::MAX] {
            let unnamed = Action::Build { building: None };
            let sent = Kind::Build(pb::Build { building });
            assert_eq!(Action::from_pb(sent), Ok(unnamed));
        }
        for numbers in [vec![], vec![0, 2, 4], vec![1, 1, 9]] {
            let dice = NamedDice::from_pb(numbers.clone());
            let dice = dice.map(|dice| dice.numbers().collect());
            assert_eq!(dice, Ok(numbers));
        }
    }
}
