//! Tests of rows: both directions, paths of malformed fields, names on both sides.

use arrayvec::ArrayVec;
use gamekeeper_proto::Field;
use gamekeeper_proto::gamekeeper::kingsburg::v1 as pb;
use gamekeeper_rules::kingsburg::InitialOrder;
use gamekeeper_rules::kingsburg::data::Color;
use gamekeeper_rules::table::{ClosedSet, NumberIn, OptionalParam};

use prost::Message;

use super::{
    FromPb, ToPb, action, encoded_detail, enum_number, from_number, message, oneof, refusals, write,
};
use crate::{Malformed, Wire};

#[derive(Clone, PartialEq, prost::Oneof)]
enum Kind {
    #[prost(message, tag = "1")]
    KeepRoll(pb::KeepRoll),
    #[prost(message, tag = "2")]
    RerollDie(pb::RerollDie),
    #[prost(message, tag = "3")]
    RecruitSoldier(pb::RecruitSoldier),
    #[prost(message, tag = "17")]
    Influence(pb::Influence),
}

#[expect(non_snake_case, reason = "the names of variants")]
struct FieldsOfKind {
    KeepRoll: Field<pb::KeepRoll>,
    RerollDie: Field<pb::RerollDie>,
    RecruitSoldier: Field<pb::RecruitSoldier>,
    Influence: Field<pb::Influence>,
}

impl Kind {
    const FIELDS: FieldsOfKind = FieldsOfKind {
        KeepRoll: Field::new(1),
        RerollDie: Field::new(2),
        RecruitSoldier: Field::new(3),
        Influence: Field::new(17),
    };
}

/// A message that contains the oneof.
#[derive(Clone, PartialEq, Message)]
struct Around {
    #[prost(oneof = "Kind", tags = "1, 2, 3, 17")]
    kind: Option<Kind>,
}

#[derive(Debug, PartialEq)]
struct Payment {
    gold: u32,
    wood: u32,
    stone: u32,
}

message! { both Payment => pb::RecruitSoldier { gold, wood, stone } }

/// A number below 10.
#[derive(Debug, PartialEq)]
struct Digit(u32);

impl ToPb<u32> for Digit {
    fn to_pb(&self) -> u32 {
        self.0
    }
}

impl FromPb<u32> for Digit {
    fn from_pb(sent: u32) -> Result<Self, Malformed> {
        let digit = Some(sent).filter(|&sent| sent < 10).map(Self);
        digit.ok_or_else(|| Malformed::new("", format!("{sent} is no digit")))
    }
}

#[derive(Debug, PartialEq)]
struct Dice {
    advisor: i32,
    dice: ArrayVec<Digit, 3>,
    plus2: Digit,
    market_offset: i32,
    use_envoy: bool,
}

message! { both Dice => pb::Influence { advisor, dice, plus2, market_offset, use_envoy } }

#[derive(Debug, PartialEq)]
enum Toy {
    KeepRoll,
    RerollDie { die: Digit },
    RecruitSoldier(Payment),
    Influence(Dice),
}

oneof! {
    both Toy => Kind;
    fields { KeepRoll = pb::KeepRoll {}, RerollDie = pb::RerollDie { die } }
    inner { RecruitSoldier, Influence }
}

#[test]
fn malformed_fields_are_reported_with_their_path() {
    let influence = |dice: &[u32], plus2| {
        Kind::Influence(pb::Influence {
            dice: dice.to_vec(),
            plus2,
            ..pb::Influence::default()
        })
    };
    let wrong = [
        (None, "action.kind: is missing"),
        (
            Some(Kind::RerollDie(pb::RerollDie { die: 11 })),
            "action.reroll_die.die: 11 is no digit",
        ),
        (
            Some(influence(&[1, 2, 12], 13)),
            "action.influence.dice[2]: 12 is no digit",
        ),
        (
            Some(influence(&[1], 13)),
            "action.influence.plus2: 13 is no digit",
        ),
        (
            Some(influence(&[1; 4], 0)),
            "action.influence.dice: has 4 entries; at most 3 are allowed",
        ),
    ];
    for (kind, text) in wrong {
        assert_eq!(action::<Toy, _>(kind).unwrap_err().to_string(), text);
    }
}

#[test]
fn rows_go_both_ways() {
    let payment = Payment {
        gold: 1,
        wood: 0,
        stone: u32::MAX,
    };
    let toys = [
        Toy::KeepRoll,
        Toy::RerollDie { die: Digit(4) },
        Toy::RecruitSoldier(payment),
    ];
    let sent = |toy: &Toy| {
        let mut bytes = Vec::new();
        write::<Option<Kind>>(&Field::new(0), toy, &mut bytes);
        let around = Around::decode(&*bytes).unwrap();
        assert_eq!(around.encode_to_vec(), bytes);
        around.kind.unwrap()
    };
    for toy in toys {
        assert_eq!(Toy::from_pb(sent(&toy)), Ok(toy));
    }
    let die = Kind::RerollDie(pb::RerollDie { die: 3 });
    assert_eq!(sent(&Toy::RerollDie { die: Digit(3) }), die);
}

/// Checks this message of options by the rules, for a game with this many players.
pub(crate) fn options<W: Wire>(
    players: usize,
    sent: W::PbOptions,
) -> Result<W::Options, W::Refusal> {
    let names: Vec<String> = (1..=players)
        .map(|number| format!("Player {number}"))
        .collect();
    W::options(&names, &W::draft(sent).unwrap()).map_err(|no| no.refused.reason)
}

/// Checks that the contract spells every name as the rules do, in the same order from 1, and that no other number
/// names anything.
pub(crate) fn check_names<T: ClosedSet>(spelled: fn(i32) -> Option<&'static str>) {
    for &name in T::ALL {
        let number = enum_number(name.index());
        let contract = spelled(number).unwrap_or_default();
        // `ACTA` of a rule document is `ACT_A` in the contract.
        let joined = |text: &str| text.replace('_', "").to_uppercase();
        let ending = joined(name.id());
        assert!(joined(contract).ends_with(&ending), "{contract}, {ending}");
        assert_eq!(from_number::<T>(number), Some(name));
    }
    let beyond = i32::try_from(T::ALL.len() + 1).unwrap();
    assert_eq!(spelled(beyond), None);
    for number in [0, -1, beyond, i32::MIN, i32::MAX] {
        assert_eq!(from_number::<T>(number), None, "{number}");
    }
}

#[test]
fn a_wish_may_be_unsaid_or_unknown() {
    for number in [-1, 6, i32::MAX] {
        assert_eq!(
            OptionalParam::<Color>::from_pb(number),
            Ok(OptionalParam::Unknown)
        );
        assert_eq!(
            OptionalParam::<InitialOrder>::from_pb(number),
            Ok(OptionalParam::Unknown)
        );
    }
    assert_eq!(
        OptionalParam::from_pb(5),
        Ok(OptionalParam::Known(Color::Black))
    );
    assert_eq!(
        OptionalParam::<Color>::from_pb(0),
        Ok(OptionalParam::Absent)
    );
}

/// Numbers of components are `uint32` in the contract; one that is no component is left to the rules.
#[test]
fn numbers_of_components_go_both_ways() {
    type Card = NumberIn<3, 35>;
    for number in [0, 2, 3, 35, 36, 256 + 3, u32::MAX] {
        let card = Option::<Card>::from_pb(Some(number)).unwrap();
        let is_card = (3..=35).contains(&number);
        assert_eq!(card.map(|card| card.to_pb()), is_card.then_some(number));
    }
    assert_eq!(Option::<Card>::from_pb(None), Ok(None));
}

/// The contract of a ruleset whose own refusals have no values.
mod plain {
    #[derive(Default)]
    pub(super) struct RefusalDetail {}
}

enum Plain {
    NotNow,
}

refusals! { Plain in plain; }

#[test]
fn refusals_without_values_have_no_detail() {
    assert!(encoded_detail::<plain::RefusalDetail>(&Plain::NotNow).is_none());
}
