//! `what_happened` and `wait`: the log as sentences.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::Show;
use gamekeeper_proto::raw::LogEntry;

use super::answer::Answer;
use super::arguments::{Happened, Wait};
use super::list::{self, short};
use super::names::without_names;
use super::seat::Place;
use super::text::last_lines;
use crate::commands::events;
use crate::failure::Failure;
use crate::session::Session;

/// The most characters of the sentences before a decision.
const MAX_CHARS: usize = 6_000;

/// The most characters of a page of the log.
const PAGE_CHARS: usize = 18_000;

/// The pause before a stream is opened again.
const PAUSE: Duration = Duration::from_millis(500);

/// The longest wait.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// Formats log entries as lines: the version, then its sentences.
fn sentences(entries: &[LogEntry]) -> Vec<String> {
    let line = |entry: &LogEntry| {
        let texts: Vec<&str> = events::sentences(Some(entry)).collect();
        (!texts.is_empty()).then(|| format!("{} {}", entry.version, texts.join(" ")))
    };
    entries.iter().filter_map(line).collect()
}

/// Tells what happened after a version: one page of it.
pub(super) async fn what_happened(session: &Session, asked: &Happened) -> Result<Answer, Failure> {
    let place = Place::find(session, &asked.game, asked.seat).await?;
    let page = place
        .game
        .events_page(place.viewer(), asked.after_version, String::new())
        .await?;
    let mut text = place.heading();
    let (mut chars, mut last) = (0, asked.after_version);
    let mut is_whole = page.next_page_token.is_empty();
    for entry in &page.entries {
        let lines = sentences(std::slice::from_ref(entry)).concat();
        chars += lines.chars().count() + 1;
        if chars > PAGE_CHARS && last > asked.after_version {
            is_whole = false;
            break;
        }
        if !lines.is_empty() {
            text += &format!("\n{lines}");
        }
        last = entry.version;
    }
    text += &match is_whole {
        true => format!("\n{}", place.ending()),
        false => format!("\nMore: what_happened with after_version {last}."),
    };
    Ok(Answer::new(text).fact("version", last))
}

/// Waits until the seat has to decide or the game is over, at most for the given time.
pub(super) async fn wait(session: &Session, asked: &Wait) -> Result<Answer, Failure> {
    let mut place = Place::find(session, &asked.game, asked.seat).await?;
    place.seat()?;
    let after = asked.after_version.unwrap_or(place.info.version);
    let limit = asked.seconds.map_or(MAX_WAIT, Duration::from_secs);
    told_when_due(&mut place, after, limit.min(MAX_WAIT)).await
}

/// Waits until the seat has to decide or the game is over, at most for the limit, and tells what happened after a version.
pub(super) async fn told_when_due(
    place: &mut Place,
    after: u64,
    limit: Duration,
) -> Result<Answer, Failure> {
    if !place.is_due() {
        // Otherwise the time is over, with nothing to decide yet.
        if let Ok(followed) = tokio::time::timeout(limit, follow(place)).await {
            followed?;
        }
    }
    let entries = place.game.events(place.viewer(), after).await?;
    with_decision(place, &entries).await
}

/// Follows the game until the seat has to decide or the game is over. A stream that ends is opened again.
async fn follow(place: &mut Place) -> Result<(), Failure> {
    while !place.is_due() {
        let position = (place.info.version, None);
        let opened = place.game.watch(place.viewer(), Show::default(), position);
        if let Ok(mut stream) = opened.await {
            while let Ok(Some(message)) = stream.message().await {
                if let Some(info) = message.table.and_then(|table| table.game) {
                    place.info = without_names(info);
                }
                if place.is_due() {
                    return Ok(());
                }
            }
        }
        tokio::time::sleep(PAUSE).await;
        // Reports what the stream could not, such as a token that has expired.
        place.look(0, Show::default()).await?;
    }
    Ok(())
}

/// Formats what happened up to the version of the place, then what has to be decided; if the seat has to, with the list
/// of its actions. Entries that were written since are left to the next `wait`: an answer tells of one moment.
pub(super) async fn with_decision(place: &Place, entries: &[LogEntry]) -> Result<Answer, Failure> {
    let version = place.info.version;
    let happened = sentences(&entries[..entries.partition_point(|entry| entry.version <= version)]);
    let mut text = place.heading();
    let (last, is_cut) = last_lines(&happened, MAX_CHARS);
    if is_cut {
        text += "\n(what_happened tells what came before)";
    }
    for line in last {
        text += &format!("\n{line}");
    }
    text += &format!("\n{}", place.ending());
    if place.must_decide() {
        let legal = list::read(place, place.seat()?, None).await?;
        text += &format!("\n{}", short(&place.info.ruleset, &legal));
    } else if !place.is_over() {
        text += &format!("\nCall wait with after_version {version}.");
    }
    Ok(Answer::new(text)
        .fact("version", version)
        .fact("must_decide", place.must_decide())
        .fact("is_over", place.is_over()))
}
