//! Records that the rules themselves produce, then damaged.

use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus, Player, SeedReveal};
use gamekeeper_rules::dominion::Dominion;
use gamekeeper_rules::ruleset::{Applied, apply, create, legal_actions};
use gamekeeper_rules::table::{Automatic, Chance, Detail, Seat, Seed, Viewer, fingerprint};
use gamekeeper_wire::dominion::pb;
use gamekeeper_wire::{Wire, draw, pending, standings};
use prost_reflect::DynamicMessage;

use super::*;
use crate::contract::{json_line, method};

const SEED: [u8; 32] = [7; 32];
const SALT: [u8; 32] = [9; 32];

fn exported(
    number: u64,
    by: Option<(Seat, &<Dominion as Ruleset>::Action)>,
    table: &Applied<Dominion>,
) -> pb::ExportVersion {
    let events = table
        .events
        .iter()
        .filter_map(|event| Dominion::event_view(event, Viewer::Operator));
    let automatic = |automatic: &Automatic<<Dominion as Ruleset>::Action>| pb::AutomaticAction {
        seat: u32::from(automatic.seat.number()),
        action: Some(Dominion::action_message(&automatic.action)),
    };
    pb::ExportVersion {
        version: number,
        seat: by.map_or(0, |(seat, _)| u32::from(seat.number())),
        action: by.map(|(_, action)| Dominion::action_message(action)),
        automatic: table.automatic.iter().map(automatic).collect(),
        draws: table.draws.iter().map(draw::<Dominion>).collect(),
        events: events
            .map(|event| Dominion::event_message(&event, None))
            .collect(),
        fingerprint: const_hex::encode(fingerprint(&table.state).to_be_bytes()),
        pending: pending(&Dominion::pending(&table.state)),
        state: Some(Dominion::view_message(&Dominion::view(
            &table.state,
            Viewer::Operator,
        ))),
        ..pb::ExportVersion::default()
    }
}

/// The first versions of a game; every seat takes the last action of the list.
fn played(versions: u64) -> Vec<pb::ExportGameResponse> {
    use pb::export_game_response::Part;
    let names = ["Ann".to_owned(), "Bob".to_owned()];
    let draft = Dominion::draft(pb::Options::default()).unwrap();
    let options = Dominion::options(&names, &draft).unwrap();
    let mut table = create::<Dominion>(&options, Chance::from_seed(&Seed::new(SEED)));
    let mut parts = vec![Part::Version(exported(1, None, &table))];
    for number in 2..=versions {
        let owed = Dominion::pending(&table.state)[0];
        let action = legal_actions::<Dominion>(&table.state, owed.seat, Detail::Moves)
            .pop()
            .unwrap();
        table = apply(&table.state, &table.chance, owed.seat, &action).unwrap();
        parts.push(Part::Version(exported(
            number,
            Some((owed.seat, &action)),
            &table,
        )));
    }
    let left = Dominion::pending(&table.state);
    let game = GameInfo {
        game_id: "0199aaaa-0000-7000-8000-000000000001".to_owned(),
        ruleset: "dominion".to_owned(),
        rules_revision: Dominion::SHEET.revision,
        version: versions,
        status: GameStatus::Active.into(),
        players: (1..)
            .zip(names)
            .map(|(seat, name)| Player {
                seat,
                name,
                ..Player::default()
            })
            .collect(),
        pending: pending(&left),
        standings: Dominion::ranking(&table.state)
            .map_or_else(Vec::new, |ranking| standings(&ranking)),
        seed_commitment: Seed::new(SEED).commitment(&SALT).to_vec(),
        ..GameInfo::default()
    };
    let options = Some(Dominion::options_message(&options));
    parts.insert(
        0,
        Part::Header(pb::ExportHeader {
            game: Some(game),
            options,
            origins: Vec::new(),
        }),
    );
    parts
        .into_iter()
        .map(|part| pb::ExportGameResponse { part: Some(part) })
        .collect()
}

fn revealed(mut parts: Vec<pb::ExportGameResponse>) -> Vec<pb::ExportGameResponse> {
    let reveal = SeedReveal {
        salt: SALT.to_vec(),
        seed: SEED.to_vec(),
    };
    let part = Some(pb::export_game_response::Part::SeedReveal(reveal));
    parts.push(pb::ExportGameResponse { part });
    parts
}

fn text(parts: &[pb::ExportGameResponse]) -> String {
    let service = Contract::load().unwrap().ruleset("dominion").unwrap();
    let message = method(&service, "ExportGame").unwrap().output();
    let line = |part| {
        let mut dynamic = DynamicMessage::new(message.clone());
        dynamic.transcode_from(part).unwrap();
        json_line(&dynamic).unwrap() + "\n"
    };
    parts.iter().map(line).collect()
}

fn verify(text: &str) -> Result<Checked, Failure> {
    let record = Record::read(&Contract::load().unwrap(), text)?;
    check(&record, &mut Progress::new("versions", 0))
}

fn first_difference(text: &str) -> String {
    verify(text).err().unwrap().to_string()
}

#[test]
fn an_honest_record_verifies() {
    let checked = verify(&text(&revealed(played(40)))).unwrap();
    assert_eq!(
        (checked.versions, checked.states, checked.luck),
        (40, 40, Luck::Recomputed)
    );
    assert!(checked.draws > 2, "{}", checked.draws);
}

#[test]
fn without_a_seed_the_recorded_draws_are_repeated() {
    let checked = verify(&text(&played(40))).unwrap();
    assert_eq!((checked.versions, checked.luck), (40, Luck::Repeated));
}

#[test]
fn another_seed_does_not_fit_the_commitment() {
    let lines = text(&revealed(played(3)));
    let other = lines.replace("\"salt\":\"CQkJ", "\"salt\":\"CAkJ");
    assert_ne!(lines, other);
    assert!(first_difference(&other).contains("do not fit the commitment"));
}

/// The difference that is found when one version of an honest record is changed.
fn changed(version: usize, change: impl FnOnce(&mut pb::ExportVersion)) -> String {
    let mut parts = revealed(played(5));
    match &mut parts[version].part {
        Some(pb::export_game_response::Part::Version(version)) => change(version),
        _ => panic!("part {version} is no version"),
    }
    first_difference(&text(&parts))
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
        version.events.pop();
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
        let state = version.state.as_mut().unwrap();
        state.turn_number += 1;
    });
    assert!(
        table.contains("version 5: the table: turn_number: the rules say"),
        "{table}"
    );
    let action = changed(3, |version| {
        let card = pb::Card::Unspecified.into();
        version.action = Some(pb::Action {
            kind: Some(pb::action::Kind::BuyCard(pb::BuyCard { card })),
        });
    });
    assert!(
        action.contains("version 3: the rules refuse the action"),
        "{action}"
    );
}

#[test]
fn a_cut_record_is_found() {
    let mut parts = revealed(played(5));
    parts.remove(3);
    assert!(first_difference(&text(&parts)).starts_with("the record does not verify: version 3"));
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
