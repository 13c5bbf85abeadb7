//! Table events in words.

use gamekeeper_rules::table::{Kind, Names, Seat};
use gamekeeper_rules::table_life::{Proposal, TableEvent};

#[test]
#[expect(clippy::too_many_lines, reason = "a row for each sentence")]
fn every_table_event_has_a_sentence_with_names() {
    let players = ["Ann".to_owned(), "Ben".to_owned()];
    let [ann, ben] = [Seat::FIRST, Seat::at(1)];
    let (late, version) = (Some(ann), 7);
    let proposed = |proposal| TableEvent::Proposed {
        seat: ann,
        proposal,
    };
    let added = |seats: &[Seat], ms| TableEvent::TimeAdded {
        seats: seats.iter().copied().collect(),
        ms,
    };
    let ended = |agreed_by| TableEvent::Ended {
        agreed_by,
        scored: false,
    };
    let sentences = [
        (TableEvent::Resigned { seat: ben }, "Ben leaves the game."),
        (TableEvent::SeatFilled { seat: ben }, "Ben plays again."),
        (
            TableEvent::TimedOut {
                seat: ben,
                claimed_by: None,
            },
            "Ben runs out of time.",
        ),
        (
            TableEvent::TimedOut {
                seat: ben,
                claimed_by: late,
            },
            "Ben runs out of time, as Ann claims.",
        ),
        (added(&[ann], 1_000), "Ann gets 1 second more."),
        (
            added(&[ann, ben], 1_500),
            "Ann and Ben get 1500 milliseconds more.",
        ),
        (
            TableEvent::OutagePassed {
                seats: [ann].into_iter().collect(),
                ms: 90_000,
            },
            "Ann gets 90 seconds more, since the service could not be reached.",
        ),
        (
            TableEvent::Paused { agreed_by: None },
            "The clocks are stopped.",
        ),
        (
            TableEvent::Paused { agreed_by: late },
            "Ann agrees, and the clocks are stopped.",
        ),
        (TableEvent::Resumed { seat: None }, "The clocks run again."),
        (
            TableEvent::Resumed { seat: late },
            "Ann lets the clocks run again.",
        ),
        (
            proposed(Proposal::TakeBack {
                to_version: version,
            }),
            "Ann asks to go back to version 7.",
        ),
        (proposed(Proposal::Pause), "Ann asks to stop the clocks."),
        (
            proposed(Proposal::End { scored: true }),
            "Ann asks to end the game, ranked by the points of now.",
        ),
        (
            proposed(Proposal::End { scored: false }),
            "Ann asks to end the game without a result.",
        ),
        (ended(None), "The game is ended."),
        (ended(late), "Ann agrees, and the game ends."),
        (
            TableEvent::Answered {
                seat: ben,
                agrees: true,
            },
            "Ben agrees.",
        ),
        (
            TableEvent::Answered {
                seat: ben,
                agrees: false,
            },
            "Ben does not agree.",
        ),
        (
            TableEvent::TakenBack {
                seat: ann,
                to_version: version,
                agreed_by: Some(ben),
            },
            "Ann goes back to version 7.",
        ),
    ];
    for (event, sentence) in sentences {
        assert_eq!(event.sentence(Names::new(&players)), sentence);
        assert!(!event.kind().is_empty());
    }
}
