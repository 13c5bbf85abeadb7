//! Effects that are not finished.

use gamekeeper_rules::dominion::{Frame, Gain};

use super::pb::{self, frame::Kind};
use crate::names::{Name, numbers};
use crate::seat_numbers;

pub(super) fn message(frame: &Frame) -> pb::Frame {
    pb::Frame {
        kind: Some(kind(frame)),
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "one plain table: a row for each frame"
)]
fn kind(frame: &Frame) -> Kind {
    match frame {
        Frame::Reactions {
            card,
            queue,
            immune,
        } => Kind::Reactions(pb::ReactionsFrame {
            card: card.number(),
            queue: seat_numbers(queue),
            immune: seat_numbers(immune),
        }),
        Frame::Resolve { card, immune } => Kind::Resolve(pb::ResolveFrame {
            card: card.number(),
            immune: seat_numbers(immune),
        }),
        Frame::ThroneChoose => Kind::ThroneChoose(pb::ThroneChooseFrame {}),
        Frame::ThroneSecond { card } => Kind::ThroneSecond(pb::ThroneSecondFrame {
            card: card.number(),
        }),
        Frame::Gain(Gain {
            max_cost,
            treasure_only,
            destination,
        }) => Kind::Gain(pb::GainFrame {
            max_cost: u32::from(*max_cost),
            treasure_only: *treasure_only,
            destination: destination.number(),
        }),
        Frame::Cellar => Kind::Cellar(pb::CellarFrame {}),
        Frame::Chapel => Kind::Chapel(pb::ChapelFrame {}),
        Frame::Chancellor => Kind::Chancellor(pb::ChancellorFrame {}),
        Frame::RemodelTrash => Kind::RemodelTrash(pb::RemodelTrashFrame {}),
        Frame::MineTrash => Kind::MineTrash(pb::MineTrashFrame {}),
        Frame::Library { drawn, set_aside } => Kind::Library(pb::LibraryFrame {
            drawn: drawn.map(Name::number),
            set_aside: numbers(set_aside),
        }),
        Frame::Militia { queue, immune } => Kind::Militia(pb::MilitiaFrame {
            queue: seat_numbers(queue),
            immune: seat_numbers(immune),
        }),
        Frame::Bureaucrat { queue, immune } => Kind::Bureaucrat(pb::BureaucratFrame {
            queue: seat_numbers(queue),
            immune: seat_numbers(immune),
        }),
        Frame::Spy {
            queue,
            immune,
            revealed,
        } => Kind::Spy(pb::SpyFrame {
            queue: seat_numbers(queue),
            immune: seat_numbers(immune),
            revealed: revealed.map(Name::number),
        }),
        Frame::Thief {
            queue,
            immune,
            revealed,
            trashed,
        } => Kind::Thief(pb::ThiefFrame {
            queue: seat_numbers(queue),
            immune: seat_numbers(immune),
            revealed: numbers(revealed),
            trashed: numbers(trashed),
        }),
        Frame::ThiefGain { trashed } => Kind::ThiefGain(pb::ThiefGainFrame {
            trashed: numbers(trashed),
        }),
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::dominion::{Card, Destination};
    use gamekeeper_rules::table::Seat;

    use super::*;
    use crate::contract::{check_kinds, kinds};

    const SEATS: [Seat; 2] = [Seat::at(2), Seat::at(0)];
    const CARD: Card = Card::Thief;

    /// Every kind of frame, in the order of the contract.
    fn samples() -> Vec<Frame> {
        let queue = || SEATS.into_iter().collect();
        let immune = || SEATS.into_iter().collect();
        vec![
            Frame::Reactions {
                card: CARD,
                queue: queue(),
                immune: immune(),
            },
            Frame::Resolve {
                card: CARD,
                immune: immune(),
            },
            Frame::ThroneChoose,
            Frame::ThroneSecond { card: CARD },
            Frame::Gain(Gain {
                max_cost: 5,
                treasure_only: true,
                destination: Destination::Hand,
            }),
            Frame::Cellar,
            Frame::Chapel,
            Frame::Chancellor,
            Frame::RemodelTrash,
            Frame::MineTrash,
            Frame::Library {
                drawn: None,
                set_aside: vec![CARD],
            },
            Frame::Militia {
                queue: queue(),
                immune: immune(),
            },
            Frame::Bureaucrat {
                queue: queue(),
                immune: immune(),
            },
            Frame::Spy {
                queue: queue(),
                immune: immune(),
                revealed: Some(CARD),
            },
            Frame::Thief {
                queue: queue(),
                immune: immune(),
                revealed: [CARD, Card::Gold].into(),
                trashed: [Card::Copper].into_iter().collect(),
            },
            Frame::ThiefGain {
                trashed: [Card::Copper].into_iter().collect(),
            },
        ]
    }

    #[test]
    fn every_kind_of_the_contract_is_sent() {
        let samples = samples();
        let named: Vec<_> = samples.iter().map(Frame::kind).collect();
        assert_eq!(named, kinds("gamekeeper.dominion.v1", "Frame"));
        let sent: Vec<_> = samples.iter().map(message).collect();
        check_kinds("gamekeeper.dominion.v1", "Frame", &sent);
    }

    #[test]
    fn a_thief_field_by_field() {
        let expected = pb::ThiefFrame {
            queue: vec![3, 1],
            immune: vec![3, 1],
            revealed: vec![pb::Card::Thief as i32, pb::Card::Gold as i32],
            trashed: vec![pb::Card::Copper as i32],
        };
        assert_eq!(kind(&samples()[14]), Kind::Thief(expected));
    }

    #[test]
    fn a_hidden_card_is_not_set() {
        let library = |drawn| {
            kind(&Frame::Library {
                drawn,
                set_aside: vec![CARD],
            })
        };
        let expected = pb::LibraryFrame {
            drawn: None,
            set_aside: vec![pb::Card::Thief as i32],
        };
        let seen = pb::LibraryFrame {
            drawn: Some(pb::Card::Copper as i32),
            ..expected.clone()
        };
        assert_eq!(library(None), Kind::Library(expected));
        assert_eq!(library(Some(Card::Copper)), Kind::Library(seen));
    }
}
