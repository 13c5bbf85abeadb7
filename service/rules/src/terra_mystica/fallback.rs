//! **Fallbacks**: the default actions of seats whose players have left.

use super::action::{Action, Transforms, Work};
use super::data::{BonusCard, Goods};
use crate::table::Fallback;
use crate::table::Try::{Least, This};

const NO_WORK: Work = Work {
    transforms: Transforms::new_const(),
    build_at: None,
};

/// The value of the action of a bonus card, in power: about that of a worker.
const CARD_ACTION: u16 = 3;

/// The value of the bonus card that this action takes, for the other players: its income in the power that buys it
/// (TM-6.10).
fn card_value(action: &Action) -> u16 {
    let (Action::PassTurn { card: Some(card) } | Action::ChooseBonusCard { card }) = action else {
        return 0;
    };
    let Goods {
        coins,
        workers,
        priests,
        power,
    } = card.income();
    let with_action = matches!(card, BonusCard::Bon1 | BonusCard::Bon2);
    coins + 3 * workers + 5 * priests + power + if with_action { CARD_ACTION } else { 0 }
}

/// The fallback actions. Decisions without a row are answered with the first legal action.
pub const FALLBACKS: &[Fallback<Action>] = &[
    Fallback::of(
        "choose_bonus_card",
        "takes the least valuable bonus card",
        &[Least("choose_bonus_card", card_value)],
    ),
    Fallback::of(
        "turn",
        "ends the turn, or passes and takes the least valuable bonus card",
        &[This(|| Action::EndTurn), Least("pass_turn", card_value)],
    ),
    Fallback::of(
        "power_decision",
        "declines the power",
        &[This(|| Action::DecidePower { accept: false })],
    ),
    Fallback::of(
        "follow_up",
        "ordains nobody, or uses no spade",
        &[
            This(|| Action::OrdainPriests { count: 0 }),
            This(|| Action::UseStrongholdSpades { work: NO_WORK }),
        ],
    ),
    Fallback::of(
        "cult_spades",
        "uses no spade",
        &[This(|| Action::UseCultSpades {
            transforms: Transforms::new_const(),
        })],
    ),
];
