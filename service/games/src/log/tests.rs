//! Encoding and decoding of stored pieces.

use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::ruleset::{Ruleset, create};
use gamekeeper_rules::table::{Chance, Seed};
use gamekeeper_rules::table_life::{ForkPoint, TableOptions};
use uuid::Uuid;

use super::*;
use crate::errors::ServiceError;

/// Builds the first entry of a fork with these ancestors.
fn fork_of(ancestors: Vec<Ancestor>) -> GenesisOf<Dominion> {
    let players = vec!["Ada".into(), "Bob".into()];
    let options = Dominion::options(&players, &Default::default()).unwrap();
    let mut applied = create::<Dominion>(&options, Chance::from_seed(&Seed::new([1; 32])));
    GenesisEntry {
        ruleset: "dominion".into(),
        tenant: String::new(),
        players,
        options,
        seed: [1; 32],
        salt: [2; 32],
        time_ms: 3,
        request_fingerprint: RequestFingerprint::Unnamed([4; 8]),
        draws: std::mem::take(&mut applied.draws),
        effects: Some(Effects::of(&mut applied)),
        table_options: TableOptions::default(),
        fork: Some(Box::new(Fork {
            ancestors,
            shares_hidden_info: false,
        })),
        commitments: None,
        start: None,
    }
}

#[test]
fn a_fork_without_an_origin_is_damaged() {
    let origin = Ancestor {
        game: Uuid::nil(),
        commitment: [6; 32],
        fork_point: ForkPoint {
            version: 7,
            at_ms: 8,
        },
        record: AncestorRecord::default(),
    };
    let fork = fork_of(vec![origin]);
    let sealed = encode_genesis::<Dominion>(&fork);
    let opened = decode_genesis::<Dominion>(&sealed).unwrap();
    assert_eq!(opened, fork);
    assert_eq!((opened.inherited_versions(), opened.created_ms()), (7, 11));
    let head = decode_genesis_head(&sealed).unwrap();
    assert_eq!(
        (head.ruleset, head.tenant),
        ("dominion".into(), String::new())
    );
    assert_eq!(head.first_game, Some(Uuid::nil()));
    let nothing = encode_genesis::<Dominion>(&fork_of(Vec::new()));
    let opened = decode_genesis::<Dominion>(&nothing);
    assert!(
        matches!(opened, Err(ServiceError::Damaged(_))),
        "{opened:?}"
    );
}
