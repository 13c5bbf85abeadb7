//! The options of a game, as the rules accept them.

use gamekeeper_rules::mythotopia::Options;

use super::pb;
use crate::mapping::message;

// Every choice is spelled out, defaults included.
message! {
    Options => pb::Options,
    |options| {
        colors: options.colors,
        more_choice: options.more_choice,
        castle_token_value: Some(options.switches.castle_token_value),
        end_game_wars: options.switches.end_game_wars,
        road_substitution_scope: options.switches.road_substitution_scope,
        hand_limit_stacking: options.switches.hand_limit_stacking,
        vp_floor: Some(options.switches.vp_floor),
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::mythotopia::{Mythotopia, Refusal};
    use gamekeeper_rules::table::Refusal as _;

    use super::*;
    use crate::mapping::ToPb as _;
    use crate::mapping::tests::options;

    fn checked(sent: &pb::Options) -> Result<Options, Refusal> {
        options::<Mythotopia>(3, sent.clone())
    }

    fn code(message: &pb::Options) -> Option<&'static str> {
        checked(message).err().map(|refusal| refusal.code())
    }

    #[test]
    fn nothing_set_is_the_plain_game() {
        let plain: pb::Options = checked(&pb::Options::default()).unwrap().to_pb();
        assert_eq!(plain.colors, [1, 2, 3]);
        assert_eq!(
            (plain.castle_token_value, plain.vp_floor),
            (Some(2), Some(12))
        );
    }

    #[test]
    fn options_come_back_from_their_message() {
        let requested = pb::Options {
            colors: vec![4, 0, 1],
            more_choice: true,
            castle_token_value: Some(1),
            end_game_wars: 2,
            road_substitution_scope: 2,
            hand_limit_stacking: 2,
            vp_floor: Some(0),
        };
        let options = checked(&requested).unwrap();
        let spelled_out: pb::Options = options.to_pb();
        assert_eq!(checked(&spelled_out), Ok(options));
        assert_eq!(
            spelled_out,
            pb::Options {
                colors: vec![4, 2, 1],
                ..requested
            }
        );
    }

    #[test]
    fn what_does_not_exist_is_left_to_the_rules() {
        let unknown = pb::Options {
            end_game_wars: 3,
            ..pb::Options::default()
        };
        assert_eq!(code(&unknown), Some("INVALID_OPTION"));
        let unknown = pb::Options {
            colors: vec![5],
            ..pb::Options::default()
        };
        assert_eq!(code(&unknown), Some("INVALID_OPTION"));
        let wrong = pb::Options {
            vp_floor: Some(101),
            ..pb::Options::default()
        };
        assert_eq!(code(&wrong), Some("INVALID_OPTION"));
    }
}
