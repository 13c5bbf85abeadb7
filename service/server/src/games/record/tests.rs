//! Stored pieces are encoded to the same bytes again.

use std::path::Path;

use gamekeeper_rules::life::{Branching, TableOptions};
use gamekeeper_rules::ruleset::Ruleset;
use uuid::Uuid;

use super::*;
use crate::problem::Problem;

/// Games of `tests/data`, which earlier builds wrote.
fn is_written_as_it_was<R: Ruleset>() {
    let revision = R::SHEET.revision;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    let folder = folder.join(format!("{}/revision_{revision}", R::SHEET.id));
    let log = std::fs::read(folder.join("log.bin")).unwrap();
    let (mut rest, mut version) = (&log[..], 0);
    while let Some((length, following)) = rest.split_first_chunk() {
        let length = usize::try_from(u32::from_be_bytes(*length)).unwrap();
        let (entry, following) = following.split_at(length);
        (rest, version) = (following, version + 1);
        let again = if version == 1 {
            let birth = Birth::<R::Options, R::Event>::open(revision, entry);
            birth.unwrap().seal(revision)
        } else {
            let read = Entry::<R::Action, R::Event>::open(revision, version, entry);
            read.unwrap().seal(revision, version)
        };
        assert_eq!(again.unwrap(), entry, "{} version {version}", R::SHEET.id);
    }
    assert!(version > 1);
    let snapshot = std::fs::read(folder.join("snapshot.bin")).unwrap();
    let (version, snapshot) = snapshot.split_first_chunk().unwrap();
    let version = u64::from_be_bytes(*version);
    let (read, life) = open_snapshot::<R::State>(revision, version, snapshot).unwrap();
    assert_eq!(life, None);
    let pieces = (read.time_ms, read.chance_position, &read.state);
    let again = seal_snapshot(revision, version, pieces, None).unwrap();
    assert_eq!(again, snapshot, "{} snapshot", R::SHEET.id);
}

macro_rules! written_as_they_were {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(is_written_as_it_was::<gamekeeper_rules::$module::$Ruleset>();)*
    };
}

#[test]
fn entries_and_snapshots_are_written_as_they_were() {
    gamekeeper_wire::for_each_ruleset!(written_as_they_were);
}

/// The first entry of a fork of these games.
fn fork_of(ancestors: Vec<Ancestor>) -> Birth<(), ()> {
    Birth {
        ruleset: "null".into(),
        tenant: String::new(),
        players: vec!["Ada".into()],
        options: (),
        seed: [1; 32],
        salt: [2; 32],
        time_ms: 3,
        request: RequestMark::Unnamed([4; 8]),
        draws: Vec::new(),
        events: Vec::new(),
        fingerprint: [5; 8],
        table: TableOptions::default(),
        fork: Some(Box::new(Fork {
            ancestors,
            is_secret: false,
        })),
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
    let opened = Birth::open(9, &fork.seal(9).unwrap()).unwrap();
    assert_eq!(opened, fork);
    assert_eq!((opened.past(), opened.created_ms()), (7, 11));
    let nothing = fork_of(Vec::new()).seal(9).unwrap();
    let opened = Birth::<(), ()>::open(9, &nothing);
    assert!(matches!(opened, Err(Problem::Damaged(_))), "{opened:?}");
}
