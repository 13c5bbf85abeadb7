//! Unfinished effects, and the pending choice.

use super::{name, runs};
use crate::dominion::data::Card;
use crate::dominion::stage::{Destination, EffectFrame, Gain};
use crate::dominion::view::{Choice, View};
use crate::table::text::{BOLD, styled, wrap};
use crate::table::{Names, Seat};

/// Prints the unfinished effects, the one being resolved last, and the cards to choose from.
pub fn unfinished(view: &View, names: Names<'_>, columns: usize) -> Option<String> {
    let effect = |frame: &EffectFrame| format!("  {}", effect(frame, names));
    let choice = view.question.as_ref().and_then(|question| question.choice);
    let mut lines: Vec<String> = view.stack.iter().map(effect).collect();
    lines.extend(choice.map(|choice| self::choice(&choice, columns)));
    if lines.is_empty() {
        return None;
    }
    let heading = styled(BOLD, "In progress");
    Some(format!("\n{heading}\n{}", lines.join("\n")))
}

fn choice(
    Choice {
        cards,
        min: least,
        max: most,
    }: &Choice,
    columns: usize,
) -> String {
    let number = if least == most {
        least.to_string()
    } else {
        format!("{least} to {most}")
    };
    let first = format!("  choose {number} of ");
    wrap(&runs(&super::each(cards)), ", ", &first, "    ", columns)
}

pub fn effect(frame: &EffectFrame, names: Names<'_>) -> String {
    // An effect that goes from seat to seat.
    let attack = |name: &str, queue: &[Seat], immune: &[Seat], facts: &[String]| {
        let seats = [seats("next", queue, names), seats("immune", immune, names)];
        effect_text(name, &[facts, &seats].concat())
    };
    match frame {
        EffectFrame::Resolve { card, .. } => format!("{} takes effect", name(*card)),
        EffectFrame::ThroneChoose => "Throne Room: choose a card".to_owned(),
        EffectFrame::ThroneSecond { card } => format!("Throne Room: then {} again", name(*card)),
        EffectFrame::Gain(wanted) => gain(wanted),
        EffectFrame::Cellar => "Cellar".to_owned(),
        EffectFrame::Chapel => "Chapel".to_owned(),
        EffectFrame::Chancellor => "Chancellor".to_owned(),
        EffectFrame::RemodelTrash => "Remodel: trash a card".to_owned(),
        EffectFrame::MineTrash => "Mine: trash a Treasure".to_owned(),
        EffectFrame::Library { drawn, set_aside } => {
            let drawn = list("drawn", drawn.as_slice());
            effect_text("Library", &[drawn, list("set aside", set_aside)])
        }
        EffectFrame::ThiefGain { trashed } => effect_text("Thief", &[list("may gain", trashed)]),
        EffectFrame::Reactions {
            card,
            queue,
            immune,
        } => attack(&format!("reactions to {}", name(*card)), queue, immune, &[]),
        EffectFrame::Militia { queue, immune } => attack("Militia", queue, immune, &[]),
        EffectFrame::Bureaucrat { queue, immune } => attack("Bureaucrat", queue, immune, &[]),
        EffectFrame::Spy {
            queue,
            immune,
            revealed,
        } => attack("Spy", queue, immune, &[list("shown", revealed.as_slice())]),
        EffectFrame::Thief {
            queue,
            immune,
            revealed,
            trashed,
        } => {
            let facts = [list("shown", revealed), list("trashed", trashed)];
            attack("Thief", queue, immune, &facts)
        }
    }
}

fn gain(wanted: &Gain) -> String {
    let what = if wanted.treasure_only {
        "a Treasure"
    } else {
        "a card"
    };
    let to = match wanted.destination {
        Destination::Hand | Destination::DrawPile => format!(" {}", wanted.destination),
        Destination::DiscardPile => String::new(),
    };
    format!("gain {what} for at most {} coins{to}", wanted.max_cost)
}

fn seats(what: &str, seats: &[Seat], names: Names<'_>) -> String {
    let players: Vec<_> = seats
        .iter()
        .map(|seat| names.of(*seat).to_string())
        .collect();
    fact(what, &players)
}

fn list(what: &str, cards: &[Card]) -> String {
    fact(what, &runs(cards))
}

fn fact(what: &str, values: &[String]) -> String {
    if values.is_empty() {
        String::new()
    } else {
        format!("{what} {}", values.join(", "))
    }
}

/// An effect with its facts after a colon; only the name if there are none.
fn effect_text(name: &str, facts: &[String]) -> String {
    let facts: Vec<&str> = facts
        .iter()
        .map(String::as_str)
        .filter(|fact| !fact.is_empty())
        .collect();
    if facts.is_empty() {
        name.to_owned()
    } else {
        format!("{name}: {}", facts.join("; "))
    }
}
