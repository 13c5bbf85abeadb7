//! Options at creation (KIN-5, KIN-16.10).

use gamekeeper_rules::kingsburg::data::{Color, Enemy};
use gamekeeper_rules::kingsburg::event::Event;
use gamekeeper_rules::kingsburg::options::{Draft, InitialOrder, Options};
use gamekeeper_rules::kingsburg::refusal::Refusal;
use gamekeeper_rules::kingsburg::{Kingsburg, View};
use gamekeeper_rules::ruleset::{Ruleset, create};
use gamekeeper_rules::table::{
    Chance, Draw, Field, OptionalParam, Refusal as _, Seat, Seed, Viewer,
};

fn names(count: usize) -> Vec<String> {
    (1..=count)
        .map(|number| format!("player {number}"))
        .collect()
}

fn with_colors(colors: &[OptionalParam<Color>]) -> Draft {
    Draft {
        colors: colors.to_vec(),
        ..Draft::default()
    }
}

fn code(players: &[String], draft: &Draft) -> &'static str {
    Kingsburg::options(players, draft).unwrap_err().code()
}

fn colors(options: &Options) -> Vec<Color> {
    options.colors.iter().copied().collect()
}

#[test]
fn kin_ac_91_two_to_five_players_whose_names_may_be_equal() {
    let plain = Draft::default();
    assert_eq!(code(&names(6), &plain), "INVALID_PLAYER_COUNT");
    assert_eq!(code(&names(1), &plain), "INVALID_PLAYER_COUNT");
    let twice = vec![
        String::from("Anna"),
        String::from("Bela"),
        String::from("Anna"),
    ];
    assert!(Kingsburg::options(&twice, &plain).is_ok());
    for count in 2..=5 {
        let options = Kingsburg::options(&names(count), &plain).unwrap();
        assert_eq!(Kingsburg::seats(&options), count);
    }
}

#[test]
fn colors_that_are_not_given_are_the_first_free_ones() {
    let plain = Kingsburg::options(&names(5), &Draft::default()).unwrap();
    assert_eq!(colors(&plain), Color::ALL);
    let draft = with_colors(&[
        OptionalParam::Absent,
        OptionalParam::Known(Color::Yellow),
        OptionalParam::Absent,
    ]);
    let options = Kingsburg::options(&names(4), &draft).unwrap();
    let expected = [Color::Green, Color::Yellow, Color::Blue, Color::Red];
    assert_eq!(colors(&options), expected);
}

#[test]
fn checks_come_in_order_count_players_colors_options() {
    let red = OptionalParam::Known(Color::Red);
    let all_wrong = |colors: &[OptionalParam<Color>]| Draft {
        colors: colors.to_vec(),
        initial_order: OptionalParam::Unknown,
        two_player_set_aside: None,
    };
    let too_many = Refusal::InvalidPlayerCount {
        players: 6,
        min: 2,
        max: 5,
    };
    assert_eq!(
        Kingsburg::options(&names(6), &all_wrong(&[red, red])),
        Err(too_many.citing("KIN-5.1").for_field(Field::Players))
    );
    let draft = all_wrong(&[red, red]);
    assert_eq!(code(&names(2), &draft), "DUPLICATE_COLOR");
    let draft = all_wrong(&[red, OptionalParam::Unknown]);
    let color = Kingsburg::options(&names(2), &draft).unwrap_err();
    assert_eq!(
        (color.code(), color.refused.rule),
        ("INVALID_OPTION", "KIN-16.10")
    );
    assert_eq!(color.field, Field::Item("colors", 1));
    let order = Kingsburg::options(&names(2), &all_wrong(&[red])).unwrap_err();
    assert_eq!(
        (order.code(), order.refused.rule),
        ("INVALID_OPTION", "KIN-5.2")
    );
    assert_eq!(code(&names(2), &with_colors(&[red; 3])), "INVALID_OPTION");
}

#[test]
fn the_two_player_option_is_kept_and_means_nothing_for_more() {
    let off = Draft {
        two_player_set_aside: Some(false),
        ..Draft::default()
    };
    for count in 2..=5 {
        let options = Kingsburg::options(&names(count), &off).unwrap();
        assert!(!options.two_player_set_aside);
    }
    assert!(
        Kingsburg::options(&names(2), &Draft::default())
            .unwrap()
            .two_player_set_aside
    );
}

fn set_up(initial_order: InitialOrder, draws: &[(&'static str, &[u16])]) -> (View, Vec<Draw>) {
    let draft = Draft {
        initial_order: OptionalParam::Known(initial_order),
        ..Draft::default()
    };
    let options = Kingsburg::options(&names(3), &draft).unwrap();
    let script = draws.iter().map(|&(name, values)| Draw {
        name: name.into(),
        seat: None,
        values: values.to_vec(),
    });
    let applied = create::<Kingsburg>(&options, Chance::scripted(script));
    applied.chance.clone().finish().unwrap();
    assert!(matches!(applied.events[0], Event::GameBegan { .. }));
    let view = Kingsburg::view(&applied.state, Viewer::Operator);
    (view, applied.draws)
}

const DECK: [(&str, &[u16]); 5] = [
    ("enemy_year_1", &[2]),
    ("enemy_year_2", &[10]),
    ("enemy_year_3", &[11]),
    ("enemy_year_4", &[18]),
    ("enemy_year_5", &[25]),
];

#[test]
fn set_up_draws_the_order_and_then_an_enemy_for_each_year() {
    let mut script = vec![("initial_order", &[3, 1, 2][..])];
    script.extend(DECK);
    let (view, draws) = set_up(InitialOrder::Random, &script);
    let order: Vec<u8> = view.turn_order.iter().map(|seat| seat.number()).collect();
    assert_eq!(order, [3, 1, 2]);
    let cards: Vec<_> = view
        .enemies
        .iter()
        .map(|enemy| enemy.card.unwrap())
        .collect();
    assert_eq!(
        cards,
        [
            Enemy::Y1Goblins2,
            Enemy::Y2Zombies5,
            Enemy::Y3Goblins4,
            Enemy::Y4Demons6,
            Enemy::Y5Dragons9
        ]
    );
    assert_eq!(draws.len(), 6);
    assert_eq!(Kingsburg::draw_label("enemy_year_4", 18), "y4_demons_6");
    assert_eq!(Kingsburg::draw_label("initial_order", 3), "3");
    assert_eq!(Kingsburg::draw_label("roll", 6), "6");
}

#[test]
fn a_listed_order_is_not_drawn() {
    let (view, draws) = set_up(InitialOrder::AsListed, &DECK);
    assert_eq!(view.turn_order, Seat::all(3).collect::<Vec<_>>());
    assert_eq!(draws.len(), 5);
}

#[test]
fn everybody_begins_with_nothing() {
    let options = Kingsburg::options(&names(5), &Draft::default()).unwrap();
    let luck = Chance::from_seed(&Seed::from_number(7));
    let applied = create::<Kingsburg>(&options, luck);
    let view = Kingsburg::view(&applied.state, Viewer::Spectator);
    for player in &view.players {
        assert_eq!((player.vp, player.plus2, player.soldiers), (0, 0, 0));
        assert!(player.goods.is_none() && player.dice.is_empty());
        assert_eq!(player.rows, [0; 5]);
    }
    assert_eq!((view.year, view.envoy.holder), (1, None));
}
