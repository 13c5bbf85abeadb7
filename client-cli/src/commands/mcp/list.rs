//! `list_actions`: the numbered list of legal actions. Its numbers mean something for one game, seat and version.

use super::answer::Answer;
use super::arguments::ListActions;
use super::seat::Place;
use super::text::plain;
use crate::commands::play::action_list::ActionList;
use crate::failure::Failure;
use crate::game_client::{Legal, LegalFilter};
use crate::phrase;
use crate::session::Session;

/// The number of lines to which a list is folded, about.
const LINES: usize = 120;

/// The number of lines to which the list below an answer of another tool is folded.
const SHORT_LINES: usize = 40;

/// The most characters of a list.
const MAX_CHARS: usize = 12_000;

/// The most actions that are read for a list of all ways.
const MAX_WAYS: usize = 5_000;

/// Lists legal actions.
pub(super) async fn list_actions(
    session: &Session,
    asked: &ListActions,
) -> Result<Answer, Failure> {
    let mut place = Place::find(session, &asked.game, asked.seat).await?;
    let seat = place.seat()?;
    let legal = read(&place, seat, asked.all_ways_of.as_deref()).await?;
    place.info.version = legal.version;
    if legal.actions.is_empty() {
        let text = format!(
            "{}\nNothing to choose from. {}",
            place.heading(),
            place.ending()
        );
        return Ok(Answer::new(text).fact("version", legal.version));
    }
    let list = ActionList::new(&place.info.ruleset, &legal.actions);
    let chosen = match &asked.words {
        Some(words) => list.matching(words),
        None => (0..list.len()).collect(),
    };
    let from = asked.from.unwrap_or(1);
    let to = asked.to.unwrap_or(usize::MAX);
    let chosen: Vec<usize> = chosen
        .into_iter()
        .filter(|index| (from..=to).contains(&(index + 1)))
        .collect();
    let mut text = format!(
        "{}\n{} legal actions. Play one with play_action, version {}{}.\n",
        place.heading(),
        list.len(),
        legal.version,
        ways(asked.all_ways_of.as_deref())
    );
    match chosen.is_empty() {
        true => text += "None of them fits.",
        false => text += &lines(&list, &chosen, &place.info.ruleset, LINES),
    }
    text += &rest(&legal);
    Ok(Answer::new(text)
        .fact("version", legal.version)
        .fact("actions", list.len()))
}

/// Reads the legal actions of a seat. With a kind, all ways of actions of this kind.
pub(super) async fn read(
    place: &Place,
    seat: u32,
    all_ways_of: Option<&str>,
) -> Result<Legal, Failure> {
    let filter = LegalFilter {
        kinds: all_ways_of.map(str::to_owned).into_iter().collect(),
        all_payments: all_ways_of.is_some(),
        max: all_ways_of.map_or(0, |_| MAX_WAYS),
        with_text: true,
        ..LegalFilter::default()
    };
    place.game.legal(seat, &filter).await
}

/// Formats a short list for the end of another answer.
pub(super) fn short(ruleset: &str, legal: &Legal) -> String {
    let list = ActionList::new(ruleset, &legal.actions);
    let all: Vec<usize> = (0..list.len()).collect();
    let text = lines(&list, &all, ruleset, SHORT_LINES);
    format!(
        "{} legal actions at version {}:\n{text}{}",
        list.len(),
        legal.version,
        rest(legal)
    )
}

/// Formats these actions by kind, folded to about this number of lines, as far as the characters of a list reach.
pub(super) fn lines(
    list: &ActionList<'_>,
    chosen: &[usize],
    ruleset: &str,
    lines: usize,
) -> String {
    let entries = list.entries(chosen, Some(lines));
    let mut text = String::new();
    let (mut heading, mut chars, mut count) = (None, 0, 0);
    for entry in &entries {
        let line = plain(&list.line(entry));
        chars += line.chars().count() + 1;
        if count > 0 && (chars > MAX_CHARS || count >= 2 * lines) {
            let next = entry.indices()[0] + 1;
            text += &format!("More: list_actions with from {next}.\n");
            break;
        }
        let kind = list.heading(entry);
        if kind != heading {
            heading = kind;
            text += &kind.map_or_else(String::new, |kind| {
                format!("{} ({kind})\n", phrase::kind(ruleset, kind))
            });
        }
        text += &line;
        text.push('\n');
        count += 1;
    }
    if entries.iter().any(|entry| entry.indices().len() > 1) {
        text += "A folded line such as 12-45: any of its numbers can be played; list_actions with from 12 and to 45 shows them.\n";
    }
    text
}

/// Says what the list leaves out.
fn rest(legal: &Legal) -> String {
    let mut text = String::new();
    if !legal.exhaustive {
        text += "Some ways to pay and larger sets are left out: list_actions with all_ways_of and a kind has them; several numbers make one action.\n";
    }
    if legal.cut {
        text += "There are more ways; several numbers, such as [3, 7], make one action.\n";
    }
    text
}

fn ways(all_ways_of: Option<&str>) -> String {
    all_ways_of.map_or_else(String::new, |kind| format!(" and all_ways_of {kind:?}"))
}
