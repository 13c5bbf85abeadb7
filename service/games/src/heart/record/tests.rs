//! Encoding and decoding of stored pieces.

use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::life::{Branching, TableOptions};
use gamekeeper_rules::ruleset::{Ruleset, create};
use gamekeeper_rules::table::{Chance, Seed};
use uuid::Uuid;

use super::*;
use crate::heart::problem::Problem;

/// Builds the first entry of a fork with these ancestors.
fn fork_of(ancestors: Vec<Ancestor>) -> BirthOf<Dominion> {
    let players = vec!["Ada".into(), "Bob".into()];
    let options = Dominion::options(&players, &Default::default()).unwrap();
    let mut applied = create::<Dominion>(&options, Chance::from_seed(&Seed::new([1; 32])));
    Birth {
        ruleset: "dominion".into(),
        tenant: String::new(),
        players,
        options,
        seed: [1; 32],
        salt: [2; 32],
        time_ms: 3,
        request: RequestMark::Unnamed([4; 8]),
        draws: std::mem::take(&mut applied.draws),
        effects: Some(Effects::of(&mut applied)),
        table: TableOptions::default(),
        fork: Some(Box::new(Fork {
            ancestors,
            is_secret: false,
        })),
        bound: None,
    }
}

#[test]
fn a_fork_without_an_origin_is_damaged() {
    let origin = Ancestor {
        game: Uuid::nil(),
        commitment: [6; 32],
        branching: Branching {
            version: 7,
            at_ms: 8,
        },
    };
    let fork = fork_of(vec![origin]);
    let sealed = seal_birth::<Dominion>(&fork);
    let opened = open_birth::<Dominion>(&sealed).unwrap();
    assert_eq!(opened, fork);
    assert_eq!((opened.past(), opened.created_ms()), (7, 11));
    let head = open_birth_head(&sealed).unwrap();
    assert_eq!(
        (head.ruleset, head.tenant),
        ("dominion".into(), String::new())
    );
    assert_eq!(head.first_game, Some(Uuid::nil()));
    let nothing = seal_birth::<Dominion>(&fork_of(Vec::new()));
    let opened = open_birth::<Dominion>(&nothing);
    assert!(matches!(opened, Err(Problem::Damaged(_))), "{opened:?}");
}
