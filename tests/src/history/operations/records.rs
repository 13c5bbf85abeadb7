//! What happened in a game.

use gamekeeper_proto::gamekeeper::{dominion::v1 as pb, v1};
use tonic::Status;

use super::Look;
use crate::history::packed::{logged, unpack};

pub(super) async fn events(mut look: Look) -> Result<(), Status> {
    let mut ask = pb::ListEventsRequest {
        game_id: look.game.clone(),
        ..Default::default()
    };
    let mut versions = Vec::new();
    loop {
        let asked = look.desk.ask(ask.clone());
        let page = look.desk.own.list_events(asked).await?.into_inner();
        versions.extend(page.versions);
        if page.next_page_token.is_empty() {
            break;
        }
        ask.page_token = page.next_page_token;
    }
    compare(&look, &versions);
    Ok(())
}

pub(super) async fn packed_events(mut look: Look) -> Result<(), Status> {
    let mut ask = v1::ListEventsRequest {
        game_id: look.game.clone(),
        ..Default::default()
    };
    let mut versions = Vec::new();
    loop {
        let asked = look.desk.ask(ask.clone());
        let page = look.desk.any.list_events(asked).await?.into_inner();
        versions.extend(page.versions.iter().map(logged));
        if page.next_page_token.is_empty() {
            break;
        }
        ask.page_token = page.next_page_token;
    }
    compare(&look, &versions);
    Ok(())
}

/// Every version once, from the first to one that was the newest during the call.
fn compare(look: &Look, versions: &[pb::LoggedVersion]) {
    for logged in versions {
        look.shared.compare(&look.game, logged);
    }
    let numbers = || versions.iter().map(|logged| logged.version);
    look.must(numbers().eq((1..).take(versions.len())), || {
        format!("events of {:?}", numbers().collect::<Vec<_>>())
    });
    look.saw(versions.len() as u64);
}

pub(super) async fn export(mut look: Look) -> Result<(), Status> {
    use pb::export_game_response::Part;
    let ask = look.desk.ask(pb::ExportGameRequest {
        game_id: look.game.clone(),
        ..Default::default()
    });
    let mut stream = look.desk.own.export_game(ask).await?.into_inner();
    let (mut newest, mut versions) = (0, Vec::new());
    while let Some(message) = stream.message().await? {
        match message.part {
            Some(Part::Header(header)) => newest = header.game.map_or(0, |game| game.version),
            Some(Part::Version(version)) => versions.push(version),
            Some(Part::SeedReveal(_)) | None => {}
        }
    }
    compare_record(&look, newest, &versions);
    Ok(())
}

pub(super) async fn packed_export(mut look: Look) -> Result<(), Status> {
    use v1::export_game_response::Part;
    let ask = look.desk.ask(v1::ExportGameRequest {
        game_id: look.game.clone(),
        ..Default::default()
    });
    let mut stream = look.desk.any.export_game(ask).await?.into_inner();
    let (mut newest, mut versions) = (0, Vec::new());
    while let Some(message) = stream.message().await? {
        match message.part {
            Some(Part::Header(header)) => newest = header.game.map_or(0, |game| game.version),
            Some(Part::Version(version)) => versions.push(recorded(version)),
            Some(Part::SeedReveal(_)) | None => {}
        }
    }
    compare_record(&look, newest, &versions);
    Ok(())
}

fn recorded(packed: v1::ExportVersion) -> pb::ExportVersion {
    let automatic = |taken: v1::AutomaticAction| pb::AutomaticAction {
        seat: taken.seat,
        action: taken.action.map(|action| unpack("Action", &action)),
    };
    pb::ExportVersion {
        version: packed.version,
        seat: packed.seat,
        action: packed.action.map(|action| unpack("Action", &action)),
        automatic: packed.automatic.into_iter().map(automatic).collect(),
        draws: packed.draws,
        events: packed
            .events
            .iter()
            .map(|one| unpack("Event", one))
            .collect(),
        fingerprint: packed.fingerprint,
        play_time: packed.play_time,
        pending: packed.pending,
        state: packed.state.map(|state| unpack("View", &state)),
        table: packed.table,
    }
}

/// The record must reach as far as its header says.
fn compare_record(look: &Look, newest: u64, versions: &[pb::ExportVersion]) {
    for version in versions {
        look.same("in the record", version.version, version);
    }
    let numbers = || versions.iter().map(|version| version.version);
    look.must(numbers().eq(1..=newest), || {
        let numbers: Vec<u64> = numbers().collect();
        format!("a record up to {newest} of {numbers:?}")
    });
    look.saw(newest);
}
