//! What a creator asks for.

use gamekeeper_rules::kingsburg::{Color, Draft, InitialOrder, Options, Wish};

use super::pb;
use crate::OptionText;
use crate::names::{Name, names};

names! { InitialOrder => pb::InitialOrder { Random, AsListed } }

/// The choices in words, in the order of the message.
pub(super) const TEXTS: [OptionText; 3] = [
    OptionText {
        name: "colors",
        description: "The colours of the players, in seat order.",
        values: "yellow, green, blue, red, black, each at most once",
        default_value: "the first free colour in this order",
    },
    OptionText {
        name: "initial_order",
        description: "How the first turn order comes about.",
        values: "INITIAL_ORDER_RANDOM: by lot; INITIAL_ORDER_AS_LISTED: the order of the seats",
        default_value: "INITIAL_ORDER_RANDOM",
    },
    OptionText {
        name: "two_player_set_aside",
        description: "With two players, each sets one die aside every season.",
        values: "false, true",
        default_value: "true",
    },
];

pub(super) fn draft(message: &pb::Options) -> Draft {
    Draft {
        colors: message.colors.iter().copied().map(wish).collect(),
        initial_order: wish(message.initial_order),
        two_player_set_aside: message.two_player_set_aside,
    }
}

/// 0 leaves the choice to the game; a number that names nothing is left to the rules.
fn wish<N: Name>(number: i32) -> Wish<N> {
    match number {
        0 => Wish::Unsaid,
        _ => N::named(number).map_or(Wish::Unknown, Wish::Value),
    }
}

pub(super) fn message(options: &Options) -> pb::Options {
    pb::Options {
        colors: options.colors.iter().copied().map(Color::number).collect(),
        initial_order: options.initial_order.number(),
        two_player_set_aside: Some(options.two_player_set_aside),
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::kingsburg::{Kingsburg, OptionName, Refusal};
    use gamekeeper_rules::ruleset::Ruleset;

    use super::*;
    use crate::names::tests::check_names;

    fn checked(message: &pb::Options) -> Result<Options, Refusal> {
        let players = ["Ann", "Bob", "Cid"].map(String::from);
        Kingsburg::options(&players, &draft(message)).map_err(|refused| refused.why)
    }

    #[test]
    fn names_keep_their_order() {
        check_names(&InitialOrder::ALL);
    }

    #[test]
    fn nothing_set_is_the_plain_game() {
        assert_eq!(draft(&pb::Options::default()), Draft::default());
        let plain = checked(&pb::Options::default()).unwrap();
        let expected = pb::Options {
            colors: vec![
                pb::Color::Yellow as i32,
                pb::Color::Green as i32,
                pb::Color::Blue as i32,
            ],
            initial_order: pb::InitialOrder::Random as i32,
            two_player_set_aside: Some(true),
        };
        assert_eq!(message(&plain), expected);
    }

    #[test]
    fn options_come_back_from_their_message() {
        for initial_order in [pb::InitialOrder::Random, pb::InitialOrder::AsListed] {
            for two_player_set_aside in [false, true] {
                let asked = pb::Options {
                    colors: vec![0, pb::Color::Black as i32],
                    initial_order: initial_order as i32,
                    two_player_set_aside: Some(two_player_set_aside),
                };
                let options = checked(&asked).unwrap();
                assert_eq!(options.two_player_set_aside, two_player_set_aside);
                assert_eq!(checked(&message(&options)), Ok(options));
            }
        }
    }

    #[test]
    fn what_does_not_exist_is_left_to_the_rules() {
        for number in [-1, 6, i32::MAX] {
            let colors = pb::Options {
                colors: vec![number],
                ..pb::Options::default()
            };
            let refusal = Refusal::InvalidOption(OptionName::Color);
            assert_eq!(checked(&colors), Err(refusal));
            let order = pb::Options {
                initial_order: number,
                ..pb::Options::default()
            };
            let refusal = Refusal::InvalidOption(OptionName::InitialOrder);
            assert_eq!(checked(&order), Err(refusal));
        }
    }
}
