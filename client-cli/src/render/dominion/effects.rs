//! What is going on: effects that are not finished, and the pending choice.

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::GameInfo;
use pb::frame::Kind;

use super::cards::Cards;
use crate::output::{BOLD, styled, wrap};
use crate::phrase;

/// The effects that are not finished, the one being resolved last, and what there is to choose from.
pub(super) fn unfinished(
    info: &GameInfo,
    view: &pb::View,
    cards: &Cards,
    width: usize,
) -> Option<String> {
    let frames = view.stack.iter().filter_map(|frame| frame.kind.as_ref());
    let mut lines: Vec<_> = frames
        .map(|kind| format!("  {}", effect(info, kind, cards)))
        .collect();
    if let Some(choice) = view
        .question
        .as_ref()
        .and_then(|question| question.choice.as_ref())
    {
        lines.push(self::choice(choice, cards, width));
    }
    if lines.is_empty() {
        return None;
    }
    Some(format!(
        "\n{}\n{}",
        styled(BOLD, "In progress"),
        lines.join("\n")
    ))
}

fn choice(choice: &pb::Choice, cards: &Cards, width: usize) -> String {
    let pb::Choice {
        cards: from,
        least,
        most,
    } = choice;
    let number = if least == most {
        least.to_string()
    } else {
        format!("{least} to {most}")
    };
    let words = cards.run_words(from);
    wrap(
        &words,
        ", ",
        &format!("  choose {number} of "),
        "    ",
        width,
    )
}

fn effect(info: &GameInfo, kind: &Kind, cards: &Cards) -> String {
    let told = |name: &str, facts: &[String]| {
        let facts: Vec<_> = facts
            .iter()
            .filter(|fact| !fact.is_empty())
            .cloned()
            .collect();
        if facts.is_empty() {
            name.to_owned()
        } else {
            format!("{name}: {}", facts.join("; "))
        }
    };
    let seats = |what: &str, seats: &[u32]| {
        let names: Vec<_> = seats
            .iter()
            .map(|seat| phrase::player(info, *seat))
            .collect();
        if names.is_empty() {
            String::new()
        } else {
            format!("{what} {}", names.join(", "))
        }
    };
    let list = |what: &str, list: &[i32]| {
        if list.is_empty() {
            String::new()
        } else {
            format!("{what} {}", cards.runs(list))
        }
    };
    match kind {
        Kind::Reactions(frame) => told(
            &format!("reactions to {}", cards.name(frame.card)),
            &[
                seats("to ask", &frame.queue),
                seats("immune", &frame.immune),
            ],
        ),
        Kind::Resolve(frame) => format!("{} takes effect", cards.name(frame.card)),
        Kind::ThroneChoose(pb::ThroneChooseFrame {}) => "Throne Room: a card is chosen".to_owned(),
        Kind::ThroneSecond(frame) => {
            format!(
                "Throne Room: {} will be played again",
                cards.name(frame.card)
            )
        }
        Kind::Gain(frame) => gain(frame),
        Kind::Cellar(pb::CellarFrame {}) => "Cellar".to_owned(),
        Kind::Chapel(pb::ChapelFrame {}) => "Chapel".to_owned(),
        Kind::Chancellor(pb::ChancellorFrame {}) => "Chancellor".to_owned(),
        Kind::RemodelTrash(pb::RemodelTrashFrame {}) => "Remodel: a card is trashed".to_owned(),
        Kind::MineTrash(pb::MineTrashFrame {}) => "Mine: a Treasure is trashed".to_owned(),
        Kind::Library(frame) => told(
            "Library",
            &[
                list("drawn", frame.drawn.as_slice()),
                list("set aside", &frame.set_aside),
            ],
        ),
        Kind::Militia(frame) => told(
            "Militia",
            &[seats("hits", &frame.queue), seats("immune", &frame.immune)],
        ),
        Kind::Bureaucrat(frame) => told(
            "Bureaucrat",
            &[seats("hits", &frame.queue), seats("immune", &frame.immune)],
        ),
        Kind::Spy(frame) => told(
            "Spy",
            &[
                seats("looks at", &frame.queue),
                list("shown", frame.revealed.as_slice()),
                seats("immune", &frame.immune),
            ],
        ),
        Kind::Thief(frame) => told(
            "Thief",
            &[
                seats("hits", &frame.queue),
                list("shown", &frame.revealed),
                list("trashed", &frame.trashed),
                seats("immune", &frame.immune),
            ],
        ),
        Kind::ThiefGain(frame) => told("Thief gains", &[list("from", &frame.trashed)]),
    }
}

fn gain(frame: &pb::GainFrame) -> String {
    let what = if frame.treasure_only {
        "a Treasure"
    } else {
        "a card"
    };
    let to = match frame.destination() {
        pb::Destination::Hand => " into the hand",
        pb::Destination::DrawPile => " onto the draw pile",
        pb::Destination::DiscardPile | pb::Destination::Unspecified => "",
    };
    format!("gain {what} for at most {} coins{to}", frame.max_cost)
}
