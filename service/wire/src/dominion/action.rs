//! What a player does. Cards that do not exist stay unnamed: the rules refuse them (DOM-14.5).

use gamekeeper_rules::dominion::{Action, Card, Named};

use super::pb::{self, action::Kind};
use crate::Malformed;
use crate::names::{Name, all_named};

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each action"
)]
pub(super) fn action(message: pb::Action) -> Result<Action, Malformed> {
    let kind = message
        .kind
        .ok_or_else(|| Malformed::missing("action.kind"))?;
    Ok(match kind {
        Kind::PlayAction(it) => Action::PlayAction {
            card: Card::named(it.card),
        },
        Kind::EndActionPhase(pb::EndActionPhase {}) => Action::EndActionPhase,
        Kind::PlayTreasures(it) => Action::PlayTreasures {
            cards: all_named(&it.cards),
        },
        Kind::PlayAllTreasures(pb::PlayAllTreasures {}) => Action::PlayAllTreasures,
        Kind::BuyCard(it) => Action::BuyCard {
            card: Card::named(it.card),
        },
        Kind::EndTurn(it) => Action::EndTurn {
            discard_top: it.discard_top.map(Card::named),
        },
        Kind::RevealReaction(it) => Action::RevealReaction {
            card: Card::named(it.card),
        },
        Kind::DeclineReaction(pb::DeclineReaction {}) => Action::DeclineReaction,
        Kind::CellarDiscard(it) => Action::CellarDiscard {
            cards: all_named(&it.cards),
        },
        Kind::ChancellorDecide(it) => Action::ChancellorDecide {
            discard_deck: it.discard_deck,
        },
        Kind::ChapelTrash(it) => Action::ChapelTrash {
            cards: all_named(&it.cards),
        },
        Kind::GainCard(it) => Action::GainCard {
            card: Card::named(it.card),
        },
        Kind::RemodelTrash(it) => Action::RemodelTrash {
            card: Card::named(it.card),
        },
        Kind::MineTrash(it) => Action::MineTrash {
            card: it.card.map(Card::named),
        },
        Kind::LibraryDecide(it) => Action::LibraryDecide {
            set_aside: it.set_aside,
        },
        Kind::MilitiaDiscard(it) => Action::MilitiaDiscard {
            cards: all_named(&it.cards),
        },
        Kind::BureaucratTopdeck(it) => Action::BureaucratTopdeck {
            card: Card::named(it.card),
        },
        Kind::SpyDecide(it) => Action::SpyDecide {
            discard: it.discard,
        },
        Kind::ThiefTrash(it) => Action::ThiefTrash {
            card: Card::named(it.card),
        },
        Kind::ThiefGain(it) => Action::ThiefGain {
            cards: all_named(&it.cards),
        },
        Kind::ThroneRoomChoose(it) => Action::ThroneRoomChoose {
            card: it.card.map(Card::named),
        },
    })
}

pub(super) fn message(action: &Action) -> pb::Action {
    pb::Action {
        kind: Some(kind(action)),
    }
}

fn kind(action: &Action) -> Kind {
    match action {
        Action::PlayAction { card } => Kind::PlayAction(pb::PlayAction {
            card: number(*card),
        }),
        Action::EndActionPhase => Kind::EndActionPhase(pb::EndActionPhase {}),
        Action::PlayTreasures { cards } => Kind::PlayTreasures(pb::PlayTreasures {
            cards: numbers(cards),
        }),
        Action::PlayAllTreasures => Kind::PlayAllTreasures(pb::PlayAllTreasures {}),
        Action::BuyCard { card } => Kind::BuyCard(pb::BuyCard {
            card: number(*card),
        }),
        Action::EndTurn { discard_top } => Kind::EndTurn(pb::EndTurn {
            discard_top: discard_top.map(number),
        }),
        Action::RevealReaction { card } => Kind::RevealReaction(pb::RevealReaction {
            card: number(*card),
        }),
        Action::DeclineReaction => Kind::DeclineReaction(pb::DeclineReaction {}),
        Action::CellarDiscard { cards } => Kind::CellarDiscard(pb::CellarDiscard {
            cards: numbers(cards),
        }),
        Action::ChancellorDecide { discard_deck } => Kind::ChancellorDecide(pb::ChancellorDecide {
            discard_deck: *discard_deck,
        }),
        Action::ChapelTrash { cards } => Kind::ChapelTrash(pb::ChapelTrash {
            cards: numbers(cards),
        }),
        Action::GainCard { card } => Kind::GainCard(pb::GainCard {
            card: number(*card),
        }),
        Action::RemodelTrash { card } => Kind::RemodelTrash(pb::RemodelTrash {
            card: number(*card),
        }),
        Action::MineTrash { card } => Kind::MineTrash(pb::MineTrash {
            card: card.map(number),
        }),
        Action::LibraryDecide { set_aside } => Kind::LibraryDecide(pb::LibraryDecide {
            set_aside: *set_aside,
        }),
        Action::MilitiaDiscard { cards } => Kind::MilitiaDiscard(pb::MilitiaDiscard {
            cards: numbers(cards),
        }),
        Action::BureaucratTopdeck { card } => Kind::BureaucratTopdeck(pb::BureaucratTopdeck {
            card: number(*card),
        }),
        Action::SpyDecide { discard } => Kind::SpyDecide(pb::SpyDecide { discard: *discard }),
        Action::ThiefTrash { card } => Kind::ThiefTrash(pb::ThiefTrash {
            card: number(*card),
        }),
        Action::ThiefGain { cards } => Kind::ThiefGain(pb::ThiefGain {
            cards: numbers(cards),
        }),
        Action::ThroneRoomChoose { card } => Kind::ThroneRoomChoose(pb::ThroneRoomChoose {
            card: card.map(number),
        }),
    }
}

fn number(card: Named) -> i32 {
    card.map_or(pb::Card::Unspecified as i32, Name::number)
}

fn numbers(cards: &[Named]) -> Vec<i32> {
    cards.iter().copied().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{check_kinds, kinds};

    const CARD: Named = Some(Card::Moat);
    const UNKNOWN: Named = None;

    /// Every kind of action, in the order of the contract, each with all its shapes.
    fn samples() -> Vec<Action> {
        let some = vec![CARD, UNKNOWN, CARD, Some(Card::Copper)];
        vec![
            Action::PlayAction { card: CARD },
            Action::PlayAction { card: UNKNOWN },
            Action::EndActionPhase,
            Action::PlayTreasures {
                cards: some.clone(),
            },
            Action::PlayAllTreasures,
            Action::BuyCard { card: CARD },
            Action::EndTurn { discard_top: None },
            Action::EndTurn {
                discard_top: Some(CARD),
            },
            Action::EndTurn {
                discard_top: Some(UNKNOWN),
            },
            Action::RevealReaction { card: CARD },
            Action::DeclineReaction,
            Action::CellarDiscard {
                cards: some.clone(),
            },
            Action::CellarDiscard { cards: vec![] },
            Action::ChancellorDecide {
                discard_deck: false,
            },
            Action::ChancellorDecide { discard_deck: true },
            Action::ChapelTrash {
                cards: some.clone(),
            },
            Action::GainCard { card: CARD },
            Action::RemodelTrash { card: CARD },
            Action::MineTrash { card: None },
            Action::MineTrash { card: Some(CARD) },
            Action::MineTrash {
                card: Some(UNKNOWN),
            },
            Action::LibraryDecide { set_aside: false },
            Action::LibraryDecide { set_aside: true },
            Action::MilitiaDiscard {
                cards: some.clone(),
            },
            Action::BureaucratTopdeck { card: CARD },
            Action::SpyDecide { discard: false },
            Action::SpyDecide { discard: true },
            Action::ThiefTrash { card: CARD },
            Action::ThiefGain { cards: some },
            Action::ThroneRoomChoose { card: None },
            Action::ThroneRoomChoose { card: Some(CARD) },
            Action::ThroneRoomChoose {
                card: Some(UNKNOWN),
            },
        ]
    }

    #[test]
    fn the_samples_are_all_kinds_of_the_contract() {
        let mut sampled: Vec<_> = samples().iter().map(Action::kind).collect();
        sampled.dedup();
        assert_eq!(sampled, kinds("gamekeeper.dominion.v1", "Action"));
        let sent: Vec<_> = samples().iter().map(message).collect();
        check_kinds("gamekeeper.dominion.v1", "Action", &sent);
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
    fn a_card_that_does_not_exist_is_left_to_the_rules() {
        for card in [0, -1, 33, i32::MAX] {
            let kind = Some(Kind::BuyCard(pb::BuyCard { card }));
            let unnamed = Action::BuyCard { card: UNKNOWN };
            assert_eq!(action(pb::Action { kind }), Ok(unnamed));
            let kind = Some(Kind::EndTurn(pb::EndTurn {
                discard_top: Some(card),
            }));
            let unnamed = Action::EndTurn {
                discard_top: Some(UNKNOWN),
            };
            assert_eq!(action(pb::Action { kind }), Ok(unnamed));
        }
    }
}
