//! Options (MYT-5.1).

use super::*;
use gamekeeper_rules::table::OptionalParam;

pub(super) fn of_options(said: &mut Said) {
    let wish = |colors: &[Color]| Draft {
        colors: colors
            .iter()
            .map(|&color| OptionalParam::Known(color))
            .collect(),
        ..Draft::default()
    };
    said.options(5, &Draft::default());
    said.options(2, &wish(&[Color::Yellow]));
    said.options(3, &wish(&[Color::Red, Color::Red]));
    said.options(2, &wish(&[Color::Red, Color::Blue, Color::Green]));
    let more_choice = true;
    said.options(
        2,
        &Draft {
            more_choice,
            ..Draft::default()
        },
    );
    let castle_token_value = Some(3);
    said.options(
        3,
        &Draft {
            castle_token_value,
            ..Draft::default()
        },
    );
    let vp_floor = Some(101);
    said.options(
        3,
        &Draft {
            vp_floor,
            ..Draft::default()
        },
    );
    let end_game_wars = OptionalParam::Unknown;
    said.options(
        3,
        &Draft {
            end_game_wars,
            ..Draft::default()
        },
    );
}
