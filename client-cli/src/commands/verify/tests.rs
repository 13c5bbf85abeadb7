//! Verifies records that the rules produced, and then damaged copies of them.

use gamekeeper_proto::gamekeeper::dominion::v1 as dominion;
use gamekeeper_proto::gamekeeper::v1::{ExportEnd, GameInfo, GameStatus, Player, SeedReveal};
use gamekeeper_proto::gamekeeper::v1::{TableEvent, table_event};
use gamekeeper_proto::raw::export_game_response::Part;
use gamekeeper_proto::raw::{self, view};
use gamekeeper_proto::{EncodedMessage, gamekeeper::v1 as pb};
use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::ruleset::{Applied, Ruleset, apply, create, legal_actions};
use gamekeeper_rules::starts::{Start, StartPoint, warm_start};
use gamekeeper_rules::table::{Automatic, Chance, Detail, Seat, Seed, Viewer, fingerprint};
use gamekeeper_wire::{
    StartTable, Wire, begun_from_position, draw, pending, standings, start_value, wrap_action,
    wrap_event, wrap_options, wrap_view,
};

use super::*;
use crate::contract::{json_line, read_wrapped, to_dynamic};

const SEED: [u8; 32] = [7; 32];
const SALT: [u8; 32] = [9; 32];

/// Returns the time of a version.
fn at(number: u64) -> prost_reflect::prost_types::Timestamp {
    gamekeeper_wire::timestamp(number * 1_000)
}

fn exported(
    number: u64,
    by: Option<(Seat, &<Dominion as Ruleset>::Action)>,
    table: &Applied<Dominion>,
) -> raw::ExportVersion {
    let events = table.events_with_forced().filter_map(|(event, is_forced)| {
        let seen = Dominion::event_view(event, Viewer::Operator)?;
        Some(wrap_event::<Dominion>(&seen, is_forced, None))
    });
    let entry = raw::LogEntry {
        version: number,
        play_time: Some(at(number)),
        seat: by.map_or(0, |(seat, _)| u32::from(seat.number())),
        events: events.collect(),
    };
    let automatic = |automatic: &Automatic<<Dominion as Ruleset>::Action>| raw::AutomaticAction {
        seat: u32::from(automatic.seat.number()),
        action: Some(wrap_action::<Dominion>(&automatic.action)),
    };
    let view = Dominion::view(&table.state, Viewer::Operator);
    raw::ExportVersion {
        entry: Some(entry),
        action: by.map(|(_, action)| wrap_action::<Dominion>(action)),
        automatic: table.automatic.iter().map(automatic).collect(),
        draws: table.draws.iter().map(draw::<Dominion>).collect(),
        fingerprint: const_hex::encode(fingerprint(&table.state).to_be_bytes()),
        pending: pending(&Dominion::pending(&table.state)),
        state: Some(wrap_view::<Dominion>(&view)),
    }
}

/// Builds the event of the end of the game.
fn ended(reason: pb::EndReason) -> raw::Event {
    let ended = table_event::Ended {
        reason: reason.into(),
        ..table_event::Ended::default()
    };
    raw::Event {
        kind: "ended".to_owned(),
        table: Some(TableEvent {
            kind: Some(table_event::Kind::Ended(ended)),
        }),
        ..raw::Event::default()
    }
}

/// Records the first versions of a game in which every seat plays the last action of its list.
fn played(versions: u64) -> Vec<Part> {
    let last = |actions: Vec<<Dominion as Ruleset>::Action>| actions.into_iter().next_back();
    record(Start::SetUp, versions, last)
}

/// Records a complete game in which every seat buys the most expensive card that it can.
fn finished() -> Vec<Part> {
    finished_from(Start::SetUp)
}

fn finished_from(start: Start) -> Vec<Part> {
    let dearest = |actions: Vec<<Dominion as Ruleset>::Action>| {
        let worth = |action: &<Dominion as Ruleset>::Action| {
            let text = format!("{action:?}");
            let wanted = ["Treasures", "Province", "Gold", "Silver"];
            wanted.iter().position(|name| text.contains(name))
        };
        let wanted = actions.iter().filter(|action| worth(action).is_some());
        let wanted = wanted.min_by_key(|action| worth(action)).cloned();
        wanted.or_else(|| actions.into_iter().next_back())
    };
    record(start, u64::MAX, dearest)
}

fn plain_options(names: &[String]) -> <Dominion as Ruleset>::Options {
    let draft = Dominion::draft(dominion::Options::default()).unwrap();
    Dominion::options(names, &draft).unwrap()
}

fn first_version(table: &Applied<Dominion>, point: Option<&StartPoint>) -> raw::ExportVersion {
    let mut version = exported(1, None, table);
    if let (Some(point), Some(entry)) = (point, &mut version.entry) {
        entry.events = vec![begun_from_position(&StartTable::Made(*point), false)];
    }
    version
}

fn first_table(
    options: &<Dominion as Ruleset>::Options,
    point: Option<&StartPoint>,
) -> Applied<Dominion> {
    let chance = Chance::from_seed(&Seed::new(SEED));
    match point {
        None => create::<Dominion>(options, chance),
        Some(StartPoint { start, seed }) => {
            warm_start::<Dominion>(options, *start, seed).into_first_version(chance)
        }
    }
}

fn record(
    start: Start,
    versions: u64,
    choose: impl Fn(Vec<<Dominion as Ruleset>::Action>) -> Option<<Dominion as Ruleset>::Action>,
) -> Vec<Part> {
    let names = ["Ann".to_owned(), "Bob".to_owned()];
    let options = plain_options(&names);
    let point = StartPoint::of_game(start, &Seed::new(SEED));
    let mut table = first_table(&options, point.as_ref());
    let mut recorded = vec![first_version(&table, point.as_ref())];
    for number in 2..=versions {
        let Some(first_pending) = Dominion::pending(&table.state).first().cloned() else {
            break;
        };
        let legal = legal_actions::<Dominion>(&table.state, first_pending.seat, Detail::Moves);
        let action = choose(legal).unwrap();
        table = apply(&table.state, &table.chance, first_pending.seat, &action).unwrap();
        recorded.push(exported(
            number,
            Some((first_pending.seat, &action)),
            &table,
        ));
    }
    let left = Dominion::pending(&table.state);
    let (status, end_reason) = match left.is_empty() {
        true => (GameStatus::Finished, pb::EndReason::Rules),
        false => (GameStatus::Active, pb::EndReason::Unspecified),
    };
    if left.is_empty() {
        let entry = recorded.last_mut().unwrap().entry.as_mut().unwrap();
        entry.events.push(ended(end_reason));
    }
    let player = |(seat, name)| Player {
        seat,
        name,
        ..Player::default()
    };
    let game = GameInfo {
        game_id: "0199aaaa-0000-7000-8000-000000000001".to_owned(),
        ruleset: "dominion".to_owned(),
        rules_revision: Dominion::INFO.revision,
        version: u64::try_from(recorded.len()).unwrap(),
        status: status.into(),
        end_reason: end_reason.into(),
        players: (1..).zip(names).map(player).collect(),
        pending: pending(&left),
        standings: Dominion::ranking(&table.state)
            .map_or_else(Vec::new, |ranking| standings(&ranking)),
        create_time: Some(at(1)),
        update_time: Some(at(recorded.len() as u64)),
        start: start_value(point.map(StartTable::Made).as_ref()).into(),
        seed_commitment: Seed::new(SEED).commitment(&SALT).to_vec(),
        ..GameInfo::default()
    };
    let header = raw::ExportHeader {
        game: Some(game),
        options: Some(wrap_options::<Dominion>(&options)),
        with_states: true,
        start_seed: point.map_or_else(Vec::new, |point| point.seed.as_bytes().to_vec()),
        ..raw::ExportHeader::default()
    };
    let versions = recorded.into_iter().map(Part::Version);
    [Part::Header(header)].into_iter().chain(versions).collect()
}

fn revealed(mut parts: Vec<Part>) -> Vec<Part> {
    let reveal = SeedReveal {
        salt: SALT.to_vec(),
        seed: SEED.to_vec(),
    };
    parts.push(Part::End(ExportEnd {
        seed_reveal: Some(reveal),
        signature: None,
    }));
    parts
}

fn text(parts: Vec<Part>) -> String {
    let line = |part| {
        let part = raw::ExportGameResponse { part: Some(part) };
        json_line(&to_dynamic("ExportGameResponse", &part).unwrap()).unwrap() + "\n"
    };
    parts.into_iter().map(line).collect()
}

fn verify(text: &str) -> Result<Checked, Failure> {
    let record = read(text)?;
    check(&record, &mut Progress::new("versions", 0))
}

fn first_difference(text: &str) -> String {
    verify(text).err().unwrap().to_string()
}

#[test]
fn an_honest_record_verifies() {
    let parts = revealed(finished());
    let versions = parts.len() - 2;
    let checked = verify(&text(parts)).unwrap();
    assert_eq!(
        (checked.versions, checked.states, checked.luck),
        (versions, versions, DrawProof::Recomputed)
    );
    assert!(checked.is_over && checked.draws > 2, "{}", checked.draws);
}

#[test]
fn a_finished_record_without_its_seed_is_incomplete() {
    let failure_text = first_difference(&text(finished()));
    assert!(failure_text.contains("it is incomplete"), "{failure_text}");
    let failure_text = first_difference(&text(revealed(played(40))));
    assert!(
        failure_text.contains("the game is not over"),
        "{failure_text}"
    );
}

/// The room that the log still has is a limit of the server, which the rules do not know.
#[test]
fn a_game_whose_log_is_nearly_full_verifies() {
    let mut parts = played(5);
    let Part::Header(header) = &mut parts[0] else {
        panic!("{:?}", parts[0]);
    };
    header.game.as_mut().unwrap().entries_left = Some(3);
    verify(&text(parts)).unwrap();
}

#[test]
fn times_never_go_backwards() {
    let failure_text = changed(3, |version| {
        version.entry.as_mut().unwrap().play_time = Some(at(1));
    });
    assert!(
        failure_text.contains("version 3: it is older"),
        "{failure_text}"
    );
}

#[test]
fn without_a_seed_the_recorded_draws_are_repeated() {
    let checked = verify(&text(played(40))).unwrap();
    assert_eq!((checked.versions, checked.luck), (40, DrawProof::Repeated));
    assert!(!checked.is_over);
}

#[test]
fn another_seed_does_not_fit_the_commitment() {
    let lines = text(revealed(played(3)));
    let other = lines.replace("\"salt\":\"CQkJ", "\"salt\":\"CAkJ");
    assert_ne!(lines, other);
    assert!(first_difference(&other).contains("do not fit the commitment"));
}

/// Changes the header of an honest record of a game that began late, and returns the difference that is reported.
fn late_but(change: impl FnOnce(&mut raw::ExportHeader)) -> String {
    let mut parts = revealed(finished_from(Start::Late));
    match &mut parts[0] {
        Part::Header(header) => change(header),
        Part::Version(_) | Part::End(_) => panic!("the first part is the header"),
    }
    first_difference(&text(parts))
}

#[test]
fn the_table_of_a_start_is_made_again() {
    for start in [Start::Rich, Start::Late] {
        for (parts, luck) in [
            (revealed(finished_from(start)), DrawProof::Recomputed),
            (
                record(start, 9, |legal| legal.into_iter().next()),
                DrawProof::Repeated,
            ),
        ] {
            let checked = verify(&text(parts)).unwrap();
            assert_eq!(checked.luck, luck, "{start:?}");
        }
    }
    let other_start = late_but(|header| {
        header.game.as_mut().unwrap().start = pb::GameStart::Rich.into();
    });
    assert!(other_start.contains("version 1: "), "{other_start}");
    let other_seed = late_but(|header| header.start_seed[7] ^= 1);
    assert!(
        other_seed.contains("does not follow from the seed of the game"),
        "{other_seed}"
    );
    let no_seed = late_but(|header| header.start_seed.clear());
    assert!(
        no_seed.contains("the seed of the start has 0 bytes"),
        "{no_seed}"
    );
    let no_start = late_but(|header| header.game.as_mut().unwrap().start = 0);
    assert!(no_start.contains("the seed of the start: "), "{no_start}");
}

/// Changes one version of an honest record and returns the difference that is reported.
fn changed(version: usize, change: impl FnOnce(&mut raw::ExportVersion)) -> String {
    let mut parts = revealed(finished());
    match &mut parts[version] {
        Part::Version(version) => change(version),
        Part::Header(_) | Part::End(_) => panic!("part {version} is no version"),
    }
    first_difference(&text(parts))
}

#[test]
fn a_changed_draw_is_found() {
    let difference = changed(1, |version| {
        let draw = &mut version.draws[0];
        draw.values[0] += 1;
    });
    assert!(
        difference.contains("version 1: draw 1: the rules say"),
        "{difference}"
    );
}

#[test]
fn every_change_is_found_where_it_is() {
    let event = changed(2, |version| {
        version.entry.as_mut().unwrap().events.pop();
    });
    assert!(
        event.contains("version 2: events: how many: the rules say"),
        "{event}"
    );
    let fingerprint = changed(3, |version| version.fingerprint.replace_range(..1, "x"));
    assert!(
        fingerprint.contains("version 3: the fingerprint: the rules say"),
        "{fingerprint}"
    );
    let decision = changed(4, |version| version.pending.clear());
    assert!(
        decision.contains("version 4: decisions: how many: the rules say 1"),
        "{decision}"
    );
    let table = changed(5, |version| {
        let Some(view::Ruleset::Dominion(view)) = version.state.take().unwrap().ruleset else {
            panic!("a view of Dominion")
        };
        let mut view: dominion::View = view.decode_as().unwrap();
        view.turn_number += 1;
        let ruleset = Some(view::Ruleset::Dominion(EncodedMessage::from_message(&view)));
        version.state = Some(raw::View { ruleset });
    });
    assert!(
        table.contains("version 5: the table: dominion.turn_number: the rules say"),
        "{table}"
    );
    let action = changed(3, |version| {
        let text = r#"{"buyCard":{}}"#;
        version.action = Some(read_wrapped("dominion", "Action", text).unwrap());
    });
    assert!(
        action.contains("version 3: the rules refuse the action"),
        "{action}"
    );
}

#[test]
fn the_end_of_a_game_is_checked() {
    let mut parts = revealed(finished());
    let checked = verify(&text(parts.clone())).unwrap();
    assert_eq!(checked.versions + 2, parts.len());
    let last_index = parts.len() - 2;
    let Part::Version(last) = &mut parts[last_index] else {
        panic!("the last part but one is a version")
    };
    let events = &mut last.entry.as_mut().unwrap().events;
    let end = events.len() - 1;
    events[end] = ended(pb::EndReason::Abandoned);
    let other = first_difference(&text(parts.clone()));
    let expected_text = "table.ended.reason: the rules say Rules, the record says Abandoned";
    assert!(other.contains(expected_text), "{other}");
    let Part::Version(last) = &mut parts[last_index] else {
        panic!("the last part but one is a version")
    };
    last.entry.as_mut().unwrap().events.pop();
    let missing = first_difference(&text(parts));
    assert!(missing.contains("events: how many"), "{missing}");
}

#[test]
fn a_cut_record_is_found() {
    let mut parts = played(5);
    parts.remove(3);
    assert!(first_difference(&text(parts)).starts_with("the record does not verify: version 3"));
}

#[test]
fn what_is_no_record_is_refused() {
    for text in [
        "",
        "{}",
        "{\"header\":{\"game\":{\"ruleset\":\"dominion\"}}}\n{\"header\":{}}",
    ] {
        assert!(matches!(verify(text), Err(Failure::Invalid(_))), "{text}");
    }
}
