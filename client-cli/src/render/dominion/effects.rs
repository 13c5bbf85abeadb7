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
    let teller = Teller { info, cards };
    let frames = view.stack.iter().filter_map(|frame| frame.kind.as_ref());
    let mut lines: Vec<_> = frames
        .map(|kind| format!("  {}", teller.effect(kind)))
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

/// Puts effects into words.
struct Teller<'a> {
    info: &'a GameInfo,
    cards: &'a Cards<'a>,
}

impl Teller<'_> {
    fn effect(&self, kind: &Kind) -> String {
        match kind {
            Kind::Resolve(frame) => format!("{} takes effect", self.cards.name(frame.card)),
            Kind::ThroneChoose(pb::ThroneChooseFrame {}) => "Throne Room: choose a card".to_owned(),
            Kind::ThroneSecond(frame) => {
                format!("Throne Room: then {} again", self.cards.name(frame.card))
            }
            Kind::Gain(frame) => gain(frame),
            Kind::Cellar(pb::CellarFrame {}) => "Cellar".to_owned(),
            Kind::Chapel(pb::ChapelFrame {}) => "Chapel".to_owned(),
            Kind::Chancellor(pb::ChancellorFrame {}) => "Chancellor".to_owned(),
            Kind::RemodelTrash(pb::RemodelTrashFrame {}) => "Remodel: trash a card".to_owned(),
            Kind::MineTrash(pb::MineTrashFrame {}) => "Mine: trash a Treasure".to_owned(),
            Kind::Library(frame) => {
                let drawn = self.list("drawn", frame.drawn.as_slice());
                told("Library", [drawn, self.list("set aside", &frame.set_aside)])
            }
            Kind::ThiefGain(frame) => told("Thief", [self.list("may gain", &frame.trashed)]),
            Kind::Reactions(frame) => {
                let name = format!("reactions to {}", self.cards.name(frame.card));
                self.attack(&name, &frame.queue, &frame.immune, [])
            }
            Kind::Militia(frame) => self.attack("Militia", &frame.queue, &frame.immune, []),
            Kind::Bureaucrat(frame) => self.attack("Bureaucrat", &frame.queue, &frame.immune, []),
            Kind::Spy(frame) => {
                let shown = self.list("shown", frame.revealed.as_slice());
                self.attack("Spy", &frame.queue, &frame.immune, [shown])
            }
            Kind::Thief(frame) => {
                let shown = self.list("shown", &frame.revealed);
                let trashed = self.list("trashed", &frame.trashed);
                self.attack("Thief", &frame.queue, &frame.immune, [shown, trashed])
            }
        }
    }

    /// An effect that goes from seat to seat.
    fn attack<const N: usize>(
        &self,
        name: &str,
        queue: &[u32],
        immune: &[u32],
        facts: [String; N],
    ) -> String {
        let seats = [self.seats("next", queue), self.seats("immune", immune)];
        told(name, facts.into_iter().chain(seats))
    }

    fn seats(&self, what: &str, seats: &[u32]) -> String {
        let player = |seat: &u32| phrase::player(self.info, *seat);
        let names: Vec<_> = seats.iter().map(player).collect();
        fact(what, &names.join(", "))
    }

    fn list(&self, what: &str, list: &[i32]) -> String {
        fact(what, &self.cards.runs(list))
    }
}

/// What there is nothing to tell of is not told.
fn told(name: &str, facts: impl IntoIterator<Item = String>) -> String {
    let facts: Vec<_> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
    if facts.is_empty() {
        name.to_owned()
    } else {
        format!("{name}: {}", facts.join("; "))
    }
}

fn fact(what: &str, value: &str) -> String {
    if value.is_empty() {
        String::new()
    } else {
        format!("{what} {value}")
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
