//! Reads of events and records.

use gamekeeper_proto::gamekeeper::v1::export_game_response::Part;
use gamekeeper_proto::gamekeeper::v1::{
    ExportGameRequest, ExportVersion, ListEventsRequest, LogEntry,
};
use tonic::Status;

use super::Look;

/// Checks that the events contain every version once, from the first to one that was the newest during the call.
pub(super) async fn events(mut look: Look) -> Result<(), Status> {
    let mut ask = ListEventsRequest {
        game_id: look.game.clone(),
        ..Default::default()
    };
    let mut entries: Vec<LogEntry> = Vec::new();
    loop {
        let request = look.desk.ask(ask.clone());
        let page = look.desk.games.list_events(request).await?.into_inner();
        entries.extend(page.entries);
        if page.next_page_token.is_empty() {
            break;
        }
        ask.page_token = page.next_page_token;
    }
    for entry in &entries {
        look.shared.compare(&look.game, entry);
    }
    let numbers = || entries.iter().map(|entry| entry.version);
    look.must(numbers().eq((1..).take(entries.len())), || {
        format!("events of {:?}", numbers().collect::<Vec<_>>())
    });
    look.saw(entries.len() as u64);
    Ok(())
}

/// Checks that the record ends at the version that its header states.
pub(super) async fn export(mut look: Look) -> Result<(), Status> {
    let ask = look.desk.ask(ExportGameRequest {
        game_id: look.game.clone(),
        ..Default::default()
    });
    let mut stream = look.desk.games.export_game(ask).await?.into_inner();
    let (mut newest, mut versions) = (0, Vec::new());
    while let Some(message) = stream.message().await? {
        match message.part {
            Some(Part::Header(header)) => newest = header.game.map_or(0, |game| game.version),
            Some(Part::Version(version)) => versions.push(version),
            Some(Part::End(_)) | None => {}
        }
    }
    let number = |version: &ExportVersion| version.entry.as_ref().map_or(0, |entry| entry.version);
    for version in &versions {
        look.same("in the record", number(version), version);
    }
    let numbers: Vec<u64> = versions.iter().map(number).collect();
    look.must(numbers.iter().copied().eq(1..=newest), || {
        format!("a record up to {newest} of {numbers:?}")
    });
    look.saw(newest);
    Ok(())
}
