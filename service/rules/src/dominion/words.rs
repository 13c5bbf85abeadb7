//! Actions in words: cards by name, counted.

use super::action::Action;
use super::data::{Card, List};
use super::stage::EffectFrame;
use super::view::View;
use crate::table::{Count, MaybeKnown, Names};

/// The action in the words of the seat that owes the decision.
pub fn action(view: &View, action: &Action, names: Names<'_>) -> String {
    match action {
        Action::PlayAction { card } => format!("play {}", a(*card)),
        Action::EndActionPhase => String::from("end the Action phase"),
        Action::PlayTreasures { cards } => format!("play {}", List(cards)),
        Action::PlayAllTreasures => String::from("play all Treasures"),
        Action::BuyCard { card } => match card {
            Some(pile) => format!("buy {} for {}", a(*card), Count(pile.cost(), "coin")),
            None => format!("buy {}", a(*card)),
        },
        Action::EndTurn { discard_top } => match discard_top {
            Some(card) => format!("end the turn with {} on top of the discard pile", a(*card)),
            None => String::from("end the turn"),
        },
        Action::RevealReaction { card } => format!("show {}", a(*card)),
        Action::DeclineReaction => String::from("show no Reaction"),
        Action::CellarDiscard { cards } | Action::MilitiaDiscard { cards } => {
            format!("discard {}", List(cards))
        }
        Action::ChancellorDecide { discard_deck: true } => {
            String::from("turn the draw pile over onto the discard pile")
        }
        Action::ChancellorDecide {
            discard_deck: false,
        } => String::from("keep the draw pile"),
        Action::ChapelTrash { cards } => format!("trash {}", List(cards)),
        Action::GainCard { card } => format!("gain {}", a(*card)),
        Action::RemodelTrash { card } => format!("trash {}", a(*card)),
        Action::MineTrash { card } => match card {
            Some(card) => format!("trash {}", a(*card)),
            None => String::from("trash nothing"),
        },
        Action::LibraryDecide { set_aside: true } => format!("set {} aside", drawn(view)),
        Action::LibraryDecide { set_aside: false } => format!("keep {}", drawn(view)),
        Action::BureaucratTopdeck { card } => format!("put {} on the draw pile", a(*card)),
        Action::SpyDecide { discard: true } => format!("discard {}", revealed(view, names)),
        Action::SpyDecide { discard: false } => format!("put {} back", revealed(view, names)),
        Action::ThiefTrash { card } => format!("trash {}", a(*card)),
        Action::ThiefGain { cards } => format!("gain {}", List(cards)),
        Action::ThroneRoomChoose { card } => match card {
            Some(card) => format!("play {} twice", a(*card)),
            None => String::from("choose no Action card"),
        },
    }
}

/// One card with its article, if the client named one.
fn a(card: MaybeKnown<Card>) -> String {
    card.map_or_else(
        || String::from("an unknown card"),
        |card| card.a().to_string(),
    )
}

/// Library: the card in question, if the viewer may see it.
fn drawn(view: &View) -> String {
    let card = view.stack.last().and_then(|frame| {
        if let EffectFrame::Library { drawn, .. } = frame {
            *drawn
        } else {
            None
        }
    });
    card.map_or_else(|| String::from("the card"), |card| format!("the {card}"))
}

/// Spy: the revealed card and its owner.
fn revealed(view: &View, names: Names<'_>) -> String {
    if let Some(EffectFrame::Spy {
        queue,
        revealed: Some(card),
        ..
    }) = view.stack.last()
        && let Some(&owner) = queue.first()
    {
        format!("{}'s {card}", names.of(owner))
    } else {
        String::from("the card")
    }
}
