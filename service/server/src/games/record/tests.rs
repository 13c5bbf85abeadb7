//! Stored pieces are encoded to the same bytes again.

use std::path::Path;

use gamekeeper_rules::ruleset::Ruleset;

use super::*;

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
