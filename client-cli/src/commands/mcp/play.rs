//! `play_action` and `check_action`: by number, by words or as JSON.

use gamekeeper_proto::gamekeeper::v1::Show;
use gamekeeper_proto::raw::{Action, ApplyActionResponse, LegalAction};
use serde_json::{Map, Value};

use super::answer::Answer;
use super::arguments::{Check, Play};
use super::happened::with_decision;
use super::list::{self, lines, short};
use super::names::without_names;
use super::seat::Place;
use crate::commands::play::action_list::ActionList;
use crate::commands::play::combine::one_of;
use crate::contract::read_wrapped;
use crate::failure::Failure;
use crate::game_client::{Legal, Move, SHOW_EVENT_TEXTS, new_request_id};
use crate::session::Session;

/// The most lines of a list of actions that words fit.
const CANDIDATES: usize = 60;

/// The action that the arguments name, or the reason why they name none.
enum Named {
    Action(Action),
    Nothing(Answer),
}

/// Plays an action.
pub(super) async fn play_action(session: &Session, asked: &Play) -> Result<Answer, Failure> {
    let mut place = Place::find(session, &asked.game, asked.seat).await?;
    let seat = place.seat()?;
    let action = match &asked.action {
        Some(action) => {
            refuse_more_than_one(asked)?;
            from_json(&place, action)?
        }
        None => {
            let legal = list::read(&place, seat, asked.all_ways_of.as_deref()).await?;
            if legal.version != asked.version {
                return stale(&mut place, seat).await;
            }
            match named(&place, &legal, asked)? {
                Named::Action(action) => action,
                Named::Nothing(answer) => return Ok(answer),
            }
        }
    };
    let play = Move {
        seat,
        action,
        expected_version: asked.version,
        request_id: new_request_id(),
        show: SHOW_EVENT_TEXTS,
    };
    match place.game.apply(&play).await {
        Ok(response) => played(place, response).await,
        Err(Failure::Call(call)) if call.is_stale() => stale(&mut place, seat).await,
        Err(failure) => Err(failure),
    }
}

/// Checks whether an action would be accepted, without playing it.
pub(super) async fn check_action(session: &Session, asked: &Check) -> Result<Answer, Failure> {
    let place = Place::find(session, &asked.game, asked.seat).await?;
    let play = Move {
        seat: place.seat()?,
        action: from_json(&place, &asked.action)?,
        expected_version: 0,
        request_id: new_request_id(),
        show: Show::default(),
    };
    place.game.validate(&play).await?;
    let text = format!("{}\nThis action is legal.", place.heading());
    Ok(Answer::new(text).fact("version", place.info.version))
}

/// Reads an action of the ruleset from JSON.
fn from_json(place: &Place, action: &Map<String, Value>) -> Result<Action, Failure> {
    let text = Value::Object(action.clone()).to_string();
    read_wrapped(&place.info.ruleset, "Action", &text)
}

fn refuse_more_than_one(asked: &Play) -> Result<(), Failure> {
    let named = [
        asked.number.is_some(),
        asked.numbers.is_some(),
        asked.words.is_some(),
        asked.action.is_some(),
    ];
    match named.into_iter().filter(|is_given| *is_given).count() {
        1 => Ok(()),
        _ => Err(Failure::Usage(String::from(
            "give one of `number`, `numbers`, `words` and `action`",
        ))),
    }
}

/// Finds the action that numbers or words name in the list.
fn named(place: &Place, legal: &Legal, asked: &Play) -> Result<Named, Failure> {
    refuse_more_than_one(asked)?;
    let list = ActionList::new(&place.info.ruleset, &legal.actions);
    if let Some(words) = &asked.words {
        return Ok(by_words(place, &list, words));
    }
    let numbers = asked.numbers.clone();
    let numbers = numbers.unwrap_or_else(|| asked.number.into_iter().collect());
    let found: Result<Vec<(usize, &LegalAction)>, usize> = numbers
        .iter()
        .map(|number| {
            let action = number.checked_sub(1).and_then(|index| list.get(index));
            action.map(|action| (*number, action)).ok_or(*number)
        })
        .collect();
    match found {
        Err(number) => {
            let text = format!("There is no {number}: the list has {} actions.", list.len());
            Ok(Named::Nothing(refused(place, "NO_SUCH_NUMBER", &text)))
        }
        Ok(actions) => Ok(match one_of(&actions)? {
            Ok(action) => Named::Action(action),
            Err(text) => Named::Nothing(refused(place, "NOT_ONE_ACTION", &text)),
        }),
    }
}

fn by_words(place: &Place, list: &ActionList<'_>, words: &str) -> Named {
    let matching = list.matching(words);
    if let [only] = matching[..]
        && let Some(action) = list.get(only).and_then(|legal| legal.action.clone())
    {
        return Named::Action(action);
    }
    Named::Nothing(match matching.is_empty() {
        true => {
            let text = format!("No legal action is called {words:?}; list_actions lists them.");
            refused(place, "NO_SUCH_ACTION", &text)
        }
        false => {
            let text = lines(list, &matching, &place.info.ruleset, CANDIDATES);
            let text = format!("{words:?} fits several actions; choose one by number:\n{text}");
            refused(place, "SEVERAL_ACTIONS", &text)
        }
    })
}

fn refused(place: &Place, reason: &str, text: &str) -> Answer {
    Answer::refusal(format!("{}\nNothing was played. {text}", place.heading()))
        .fact("reason", reason)
        .fact("version", place.info.version)
}

/// Refuses a choice from a list of another version, with the new list.
async fn stale(place: &mut Place, seat: u32) -> Result<Answer, Failure> {
    place.look(0, Show::default()).await?;
    let mut text = format!(
        "{}\nNothing was played: your version is not the newest. {}",
        place.heading(),
        place.ending()
    );
    if place.must_decide() {
        let legal = list::read(place, seat, None).await?;
        text += &format!("\n{}", short(&place.info.ruleset, &legal));
    }
    Ok(Answer::refusal(text)
        .fact("reason", "STALE_VERSION")
        .fact("version", place.info.version)
        .fact("must_decide", place.must_decide())
        .fact("is_over", place.is_over()))
}

/// Reports an action that was played, and what the seat has to decide next.
async fn played(mut place: Place, response: ApplyActionResponse) -> Result<Answer, Failure> {
    let table = response.table.unwrap_or_default();
    place.info = without_names(table.game.unwrap_or_default());
    with_decision(&place, response.entry.as_slice()).await
}
