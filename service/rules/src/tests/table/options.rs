//! Options that do not depend on each other, one row for each.

use gamekeeper_rules::table::{OptionalParam, Seat, Values, ids, options, refusals};

refusals! {
    Refusal of "Chess" {
        #[error("The option `{field}` does not take this value.")]
        InvalidOption { field: &'static str },
    }
}

ids! {
    #[derive(Default)]
    Clock {
        #[default]
        Fast "fast",
        Slow "slow",
    }
}

options! {
    players: 2..=4, "CHE-1";
    /// The number of rounds.
    rounds: u8, "Rounds", in 3..=9, or 5, "CHE-2";
    /// The clock.
    clock: Clock, "Clock", "CHE-3";
    /// Whether pieces are hidden.
    blind: bool, "Blind", "CHE-4";
    /// The seat that begins.
    first: Option<Seat>, "First player", "CHE-5";
}

#[test]
fn options_left_out_have_their_defaults() {
    let players = vec![String::new(); 3];
    let options = check(&players, &Draft::default()).unwrap();
    let expected = Options {
        seats: 3,
        rounds: 5,
        clock: Clock::Fast,
        blind: false,
        first: None,
    };
    assert_eq!(options, expected);
    assert_eq!(options.seats(), 3);
}

#[test]
fn options_are_refused_in_their_order_by_their_rules() {
    let all_wrong = Draft {
        rounds: Some(259),
        clock: OptionalParam::Unknown,
        blind: true,
        first: Some(4),
    };
    let refused = |seats: usize, draft: &Draft| {
        let no = check(&vec![String::new(); seats], draft).unwrap_err();
        (no.field.to_string(), no.refused.rule)
    };
    assert_eq!(refused(5, &all_wrong), ("players".into(), "CHE-1"));
    assert_eq!(refused(3, &all_wrong), ("options.rounds".into(), "CHE-2"));
    let rounds = Some(9);
    let draft = Draft {
        rounds,
        ..all_wrong
    };
    assert_eq!(refused(3, &draft), ("options.clock".into(), "CHE-3"));
    let clock = OptionalParam::Known(Clock::Slow);
    let draft = Draft { clock, ..draft };
    assert_eq!(refused(3, &draft), ("options.first".into(), "CHE-5"));
    let options = check(&vec![String::new(); 4], &draft).unwrap();
    let expected = Options {
        seats: 4,
        rounds: 9,
        clock: Clock::Slow,
        blind: true,
        first: Some(Seat::at(3)),
    };
    assert_eq!(options, expected);
}

#[test]
fn clients_are_told_what_options_take() {
    let rows = OPTIONS
        .iter()
        .map(|row| (row.field, row.title, row.names.len(), (row.values)(3)));
    let expected = [
        ("rounds", "Rounds", 0, Values::Numbers(3..=9)),
        ("clock", "Clock", 2, Values::All),
        ("blind", "Blind", 0, Values::All),
        ("first", "First player", 0, Values::Numbers(1..=3)),
    ];
    assert!(rows.eq(expected));
}
