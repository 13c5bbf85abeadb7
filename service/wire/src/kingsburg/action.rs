//! What a player does. Goods, buildings and purposes that do not exist stay unnamed: the rules
//! refuse them (KIN-16.9).

use gamekeeper_rules::kingsburg::{
    Action, Building, EnvoyUse, Good, Influence, NamedDice, Payment,
};

use super::pb::{self, action::Kind};
use crate::Malformed;
use crate::names::Name;

pub(super) fn action(message: pb::Action) -> Result<Action, Malformed> {
    let kind = message
        .kind
        .ok_or_else(|| Malformed::missing("action.kind"))?;
    Ok(match kind {
        Kind::ChooseAidGood(it) => Action::ChooseAidGood {
            good: Good::named(it.good),
        },
        Kind::DeclareEnvoy(it) => Action::DeclareEnvoy {
            purpose: EnvoyUse::named(it.r#use),
        },
        Kind::RerollDie(it) => Action::RerollDie { die: it.die },
        Kind::KeepRoll(pb::KeepRoll {}) => Action::KeepRoll,
        Kind::SetAsideDie(it) => Action::SetAsideDie { die: it.die },
        Kind::Influence(it) => Action::Influence(placement(&it)),
        Kind::PassInfluence(pb::PassInfluence {}) => Action::PassInfluence,
        Kind::ChooseHelpGood(it) => Action::ChooseHelpGood {
            good: Good::named(it.good),
        },
        Kind::AlchemistExchange(it) => Action::AlchemistExchange {
            give: Good::named(it.give),
        },
        Kind::DeclineExchange(pb::DeclineExchange {}) => Action::DeclineExchange,
        Kind::Build(it) => Action::Build {
            building: Building::named(it.building),
        },
        Kind::PassBuild(pb::PassBuild {}) => Action::PassBuild,
        Kind::TownHallTakeToken(pb::TownHallTakeToken {}) => Action::TownHallTakeToken,
        Kind::TownHallSellGood(it) => Action::TownHallSellGood {
            good: Good::named(it.good),
        },
        Kind::RecruitSoldier(it) => Action::RecruitSoldier(payment(it.gold, it.wood, it.stone)),
        Kind::PassRecruit(pb::PassRecruit {}) => Action::PassRecruit,
        Kind::ChooseRewardGood(it) => Action::ChooseRewardGood {
            good: Good::named(it.good),
        },
        Kind::PayLostGoods(it) => Action::PayLostGoods(payment(it.gold, it.wood, it.stone)),
        Kind::LoseBuilding(it) => Action::LoseBuilding {
            building: Building::named(it.building),
        },
    })
}

fn placement(message: &pb::Influence) -> Influence {
    Influence {
        advisor: message.advisor,
        dice: NamedDice::from_numbers(message.dice.iter().copied()),
        plus2: message.plus2,
        market_offset: message.market_offset,
        use_envoy: message.use_envoy,
    }
}

const fn payment(gold: u32, wood: u32, stone: u32) -> Payment {
    Payment { gold, wood, stone }
}

pub(super) fn message(action: &Action) -> pb::Action {
    pb::Action {
        kind: Some(kind(action)),
    }
}

fn kind(action: &Action) -> Kind {
    match *action {
        Action::ChooseAidGood { good } => {
            Kind::ChooseAidGood(pb::ChooseAidGood { good: number(good) })
        }
        Action::DeclareEnvoy { purpose } => Kind::DeclareEnvoy(pb::DeclareEnvoy {
            r#use: number(purpose),
        }),
        Action::RerollDie { die } => Kind::RerollDie(pb::RerollDie { die }),
        Action::KeepRoll => Kind::KeepRoll(pb::KeepRoll {}),
        Action::SetAsideDie { die } => Kind::SetAsideDie(pb::SetAsideDie { die }),
        Action::Influence(placement) => Kind::Influence(placement_message(placement)),
        Action::PassInfluence => Kind::PassInfluence(pb::PassInfluence {}),
        Action::ChooseHelpGood { good } => {
            Kind::ChooseHelpGood(pb::ChooseHelpGood { good: number(good) })
        }
        Action::AlchemistExchange { give } => {
            Kind::AlchemistExchange(pb::AlchemistExchange { give: number(give) })
        }
        Action::DeclineExchange => Kind::DeclineExchange(pb::DeclineExchange {}),
        Action::Build { building } => Kind::Build(pb::Build {
            building: number(building),
        }),
        Action::PassBuild => Kind::PassBuild(pb::PassBuild {}),
        Action::TownHallTakeToken => Kind::TownHallTakeToken(pb::TownHallTakeToken {}),
        Action::TownHallSellGood { good } => {
            Kind::TownHallSellGood(pb::TownHallSellGood { good: number(good) })
        }
        Action::RecruitSoldier(Payment { gold, wood, stone }) => {
            Kind::RecruitSoldier(pb::RecruitSoldier { gold, wood, stone })
        }
        Action::PassRecruit => Kind::PassRecruit(pb::PassRecruit {}),
        Action::ChooseRewardGood { good } => {
            Kind::ChooseRewardGood(pb::ChooseRewardGood { good: number(good) })
        }
        Action::PayLostGoods(Payment { gold, wood, stone }) => {
            Kind::PayLostGoods(pb::PayLostGoods { gold, wood, stone })
        }
        Action::LoseBuilding { building } => Kind::LoseBuilding(pb::LoseBuilding {
            building: number(building),
        }),
    }
}

fn placement_message(placement: Influence) -> pb::Influence {
    pb::Influence {
        advisor: placement.advisor,
        dice: placement.dice.numbers().collect(),
        plus2: placement.plus2,
        market_offset: placement.market_offset,
        use_envoy: placement.use_envoy,
    }
}

/// The number of a name; 0 if there is none.
fn number<N: Name>(name: Option<N>) -> i32 {
    name.map_or(0, Name::number)
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::kingsburg::Kingsburg;
    use gamekeeper_rules::ruleset::Ruleset;

    use super::*;
    use crate::contract::{check_kinds, kinds};

    /// Every kind of action, in the order of the contract, each with all its shapes.
    fn samples() -> Vec<Action> {
        let good = Some(Good::Stone);
        let building = Some(Building::Crane);
        let influence = |numbers: &[u32]| {
            Action::Influence(Influence {
                advisor: -1,
                dice: NamedDice::from_numbers(numbers.iter().copied()),
                plus2: u32::MAX,
                market_offset: -1,
                use_envoy: true,
            })
        };
        vec![
            Action::ChooseAidGood { good },
            Action::ChooseAidGood { good: None },
            Action::DeclareEnvoy {
                purpose: Some(EnvoyUse::Nothing),
            },
            Action::DeclareEnvoy { purpose: None },
            Action::RerollDie { die: 4 },
            Action::KeepRoll,
            Action::SetAsideDie { die: u32::MAX },
            influence(&[]),
            influence(&[0, 2, 4]),
            influence(&[1, 1, 9]),
            Action::PassInfluence,
            Action::ChooseHelpGood { good },
            Action::AlchemistExchange { give: good },
            Action::DeclineExchange,
            Action::Build { building },
            Action::Build { building: None },
            Action::PassBuild,
            Action::TownHallTakeToken,
            Action::TownHallSellGood { good },
            Action::RecruitSoldier(payment(1, 0, 1)),
            Action::PassRecruit,
            Action::ChooseRewardGood { good },
            Action::PayLostGoods(payment(u32::MAX, 2, 3)),
            Action::LoseBuilding { building },
        ]
    }

    #[test]
    fn the_samples_are_all_kinds_of_the_contract() {
        let mut sampled: Vec<_> = samples().iter().map(Kingsburg::kind).collect();
        sampled.dedup();
        assert_eq!(sampled, kinds("gamekeeper.kingsburg.v1", "Action"));
        let sent: Vec<_> = samples().iter().map(message).collect();
        check_kinds("gamekeeper.kingsburg.v1", "Action", &sent);
    }

    #[test]
    fn actions_come_back_from_their_message() {
        for sample in samples() {
            assert_eq!(action(message(&sample)), Ok(sample));
        }
    }

    #[test]
    fn an_action_without_a_kind_is_malformed() {
        let fault = Malformed::missing("action.kind");
        assert_eq!(action(pb::Action { kind: None }), Err(fault));
    }

    #[test]
    fn what_does_not_exist_is_left_to_the_rules() {
        for good in [0, -1, 4, i32::MAX] {
            let kind = Some(Kind::ChooseHelpGood(pb::ChooseHelpGood { good }));
            let unnamed = Action::ChooseHelpGood { good: None };
            assert_eq!(action(pb::Action { kind }), Ok(unnamed));
        }
        for building in [0, -1, 21, i32::MAX] {
            let kind = Some(Kind::Build(pb::Build { building }));
            let unnamed = Action::Build { building: None };
            assert_eq!(action(pb::Action { kind }), Ok(unnamed));
        }
    }

    #[test]
    fn a_placement_field_by_field() {
        let placement = pb::Influence {
            advisor: 17,
            dice: vec![3, 0],
            plus2: 2,
            market_offset: 1,
            use_envoy: true,
        };
        let kind = Some(Kind::Influence(placement));
        let expected = Influence {
            advisor: 17,
            dice: NamedDice::from_numbers([0, 3]),
            plus2: 2,
            market_offset: 1,
            use_envoy: true,
        };
        assert_eq!(
            action(pb::Action { kind }),
            Ok(Action::Influence(expected)),
            "the order of dice does not matter"
        );
    }
}
