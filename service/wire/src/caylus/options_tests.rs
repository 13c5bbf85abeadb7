//! Tests that options are read and written by name.

use gamekeeper_rules::caylus::data::NEUTRAL_TILES;
use gamekeeper_rules::caylus::{Caylus, OptionFlaw, Options, Refusal};
use gamekeeper_rules::table::Seat;

use super::pb;
use crate::mapping::ToPb;
use crate::mapping::tests::options;

fn checked(sent: pb::Options) -> Result<Options, Refusal> {
    options::<Caylus>(3, sent)
}

#[test]
fn nothing_set_is_the_plain_game() {
    let plain: pb::Options = checked(pb::Options::default()).unwrap().to_pb();
    assert_eq!(plain, pb::Options::default());
}

#[test]
fn options_come_back_from_their_message() {
    for simplified_favors in [false, true] {
        for neutral_order in [None, Some(NEUTRAL_TILES)] {
            for turn_order in [None, Some(Seat::all(3).rev().collect())] {
                let options = Options {
                    players: 3,
                    simplified_favors,
                    neutral_order,
                    turn_order,
                };
                assert_eq!(checked(options.to_pb()), Ok(options));
            }
        }
    }
}

#[test]
fn what_does_not_exist_is_left_to_the_rules() {
    let mut unknown: Vec<i32> = NEUTRAL_TILES.to_pb();
    unknown[3] = 99;
    let requested = [
        pb::Options {
            neutral_order: unknown,
            ..pb::Options::default()
        },
        pb::Options {
            turn_order: vec![1, 2, 4],
            ..pb::Options::default()
        },
    ];
    let flaws = [OptionFlaw::NeutralOrder, OptionFlaw::TurnOrder { seats: 3 }];
    let fields = ["neutral_order", "turn_order"];
    for ((message, field), flaw) in requested.into_iter().zip(fields).zip(flaws) {
        let refusal = Refusal::InvalidOption { field, flaw };
        assert_eq!(checked(message), Err(refusal));
    }
}
