//! What a creator asks for.

use gamekeeper_rules::mythotopia::data::Colour;
use gamekeeper_rules::mythotopia::{
    ColourWish, Draft, EndGameWars, ExtraProvince, HandStacking, Named, Options, RoadScope,
    Switches,
};

use super::ids::each;
use super::pb;
use crate::OptionText;
use crate::names::{Name, names};

names! { EndGameWars => pb::EndGameWars { ByStrength, DefenderWins } }
names! { RoadScope => pb::RoadSubstitutionScope { Direct, Network } }
names! { HandStacking => pb::HandLimitStacking { Additive, Max } }
names! { ExtraProvince => pb::ExtraProvinceFinalCount { SameAsStandard, OneMore } }

/// The choices in words, in the order of the message.
pub(super) const TEXTS: [OptionText; 8] = [
    OptionText {
        name: "colours",
        description: "Colours in seat order; a seat without one takes the first that is free.",
        values: "red and blue with two players; all four with more",
        default_value: "red, blue, yellow, green",
    },
    OptionText {
        name: "more_choice",
        description: "Everybody is dealt one province card more to choose from.",
        values: "false, true; with three or four players",
        default_value: "false",
    },
    OptionText {
        name: "castle_token_value",
        description: "The value of the tokens on the Castle card.",
        values: "1, 2",
        default_value: "2",
    },
    OptionText {
        name: "end_game_wars",
        description: "How the wars that are still open end with the game.",
        values: "by_strength, defender_wins",
        default_value: "by_strength",
    },
    OptionText {
        name: "road_substitution_scope",
        description: "Which provinces' cards stand for each other thanks to roads.",
        values: "direct: joined by one road; network: of one road network",
        default_value: "direct",
    },
    OptionText {
        name: "hand_limit_stacking",
        description: "What Queen and Warehouse together add to the hand limit.",
        values: "additive: 3; max: 2",
        default_value: "additive",
    },
    OptionText {
        name: "vp_floor",
        description: "Nobody has fewer victory points than this.",
        values: "0 to 100",
        default_value: "12",
    },
    OptionText {
        name: "extra_province_final_count",
        description: "How many provinces remain to a player with more_choice.",
        values: "same_as_standard, one_more",
        default_value: "same_as_standard",
    },
];

pub(super) fn draft(message: &pb::Options) -> Draft {
    let wish = |&number: &i32| match number {
        0 => ColourWish::Any,
        _ => ColourWish::Exactly(Colour::named(number)),
    };
    Draft {
        colours: message.colours.iter().map(wish).collect(),
        more_choice: message.more_choice,
        castle_token_value: message.castle_token_value,
        end_game_wars: chosen(message.end_game_wars),
        road_substitution_scope: chosen(message.road_substitution_scope),
        hand_limit_stacking: chosen(message.hand_limit_stacking),
        vp_floor: message.vp_floor,
        extra_province_final_count: chosen(message.extra_province_final_count),
    }
}

/// A choice that was made; nothing, where the number is 0.
fn chosen<N: Name>(number: i32) -> Option<Named<N>> {
    (number != 0).then(|| N::named(number))
}

pub(super) fn message(options: &Options) -> pb::Options {
    spelt_out(
        options.colours.iter().copied(),
        options.more_choice,
        options.switches,
    )
}

/// Options with every choice spelt out.
pub(super) fn spelt_out(
    colours: impl Iterator<Item = Colour>,
    more_choice: bool,
    switches: Switches,
) -> pb::Options {
    pb::Options {
        colours: each(colours),
        more_choice,
        castle_token_value: Some(u32::from(switches.castle_token_value)),
        end_game_wars: switches.end_game_wars.number(),
        road_substitution_scope: switches.road_substitution_scope.number(),
        hand_limit_stacking: switches.hand_limit_stacking.number(),
        vp_floor: Some(u32::from(switches.vp_floor)),
        extra_province_final_count: switches.extra_province_final_count.number(),
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::mythotopia::{Mythotopia, Refusal};
    use gamekeeper_rules::ruleset::Ruleset;
    use gamekeeper_rules::table::Refusal as _;

    use super::*;
    use crate::names::tests::check_names;

    fn checked(message: &pb::Options) -> Result<Options, Refusal> {
        let players = ["Ann", "Bob", "Cid"].map(String::from);
        Mythotopia::options(&players, &draft(message)).map_err(|refused| refused.why)
    }

    fn code(message: &pb::Options) -> Option<&'static str> {
        checked(message).err().map(|refusal| refusal.code())
    }

    #[test]
    fn nothing_set_is_the_plain_game() {
        assert_eq!(draft(&pb::Options::default()), Draft::default());
        let plain = message(&checked(&pb::Options::default()).unwrap());
        assert_eq!(plain.colours, [1, 2, 3]);
        assert_eq!(
            (plain.castle_token_value, plain.vp_floor),
            (Some(2), Some(12))
        );
    }

    #[test]
    fn options_come_back_from_their_message() {
        check_names(&[EndGameWars::ByStrength, EndGameWars::DefenderWins]);
        check_names(&[RoadScope::Direct, RoadScope::Network]);
        check_names(&[HandStacking::Additive, HandStacking::Max]);
        check_names(&[ExtraProvince::SameAsStandard, ExtraProvince::OneMore]);
        let asked = pb::Options {
            colours: vec![4, 0, 1],
            more_choice: true,
            castle_token_value: Some(1),
            end_game_wars: 2,
            road_substitution_scope: 2,
            hand_limit_stacking: 2,
            vp_floor: Some(0),
            extra_province_final_count: 2,
        };
        let options = checked(&asked).unwrap();
        let spelt_out = message(&options);
        assert_eq!(checked(&spelt_out), Ok(options));
        assert_eq!(
            spelt_out,
            pb::Options {
                colours: vec![4, 2, 1],
                ..asked
            }
        );
    }

    #[test]
    fn what_does_not_exist_is_left_to_the_rules() {
        let unknown = pb::Options {
            end_game_wars: 3,
            ..pb::Options::default()
        };
        assert_eq!(code(&unknown), Some("UNKNOWN_ID"));
        let unknown = pb::Options {
            colours: vec![5],
            ..pb::Options::default()
        };
        assert_eq!(code(&unknown), Some("UNKNOWN_ID"));
        let wrong = pb::Options {
            vp_floor: Some(101),
            ..pb::Options::default()
        };
        assert_eq!(code(&wrong), Some("INVALID_ARGUMENT"));
    }
}
