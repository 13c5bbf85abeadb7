//! **Conformance sessions** that check any deployment and any other implementation: requests with the expected
//! responses or refusals, computed by the rules alone.
//!
//! A recording is JSON Lines. `{"session": ..}` begins a session with a game of its own; every further line is a
//! call with its request and either the answer, the first answers of a stream, or the refusal.

mod asking;
mod game;
mod met;
mod quest;
mod service;
mod shown;

use self::met::Met;
pub use quest::Quest;
pub use service::{ServiceRecording, record_service};

use std::collections::{BTreeMap, BTreeSet};

use gamekeeper_rules::bots::Heuristics;
use gamekeeper_rules::conformance::{Audit, universe};
use gamekeeper_rules::ruleset::{apply, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Refusal, Seat, Seed};
use gamekeeper_tools::digest;
use gamekeeper_wire::{Wire, contract};
use prost::Message;
use prost_reflect::{DynamicMessage, EnumValueDescriptor, MessageDescriptor};
use serde_json::{Map, Value, json};

/// The names of players, in seat order.
const NAMES: [&str; 5] = ["Ada", "Bob", "Cyd", "Dan", "Eve"];

/// Maximum number of games played in search of missing items.
const MAX_GAMES: u64 = 60;

/// The number of random games that are searched for refusals by paragraphs that no session contains yet.
const PAIR_GAMES: u64 = 4;

/// Maximum number of versions of a whole game.
const MAX_VERSIONS: u64 = 20_000;

/// Players and options, as protobuf JSON, that the rules refuse.
pub type WrongOptions = (&'static [&'static str], &'static str);

/// The recording of one ruleset.
#[derive(Debug)]
pub struct Recording {
    /// The sessions as JSON Lines.
    pub text: String,
    /// The items that occur in the sessions.
    pub covered: BTreeSet<String>,
}

/// Returns all items that sessions can show: `refusal PILE_EMPTY`, `decision buy_phase`, `action buy_card`, `event
/// card_bought`.
///
/// # Panics
/// If the contract lacks a message of the ruleset.
#[must_use]
pub fn everything<W: Wire>() -> BTreeSet<String> {
    let kinds = |message: &str| {
        let message = contract::pool().get_message_by_name(&contract::message_name::<W>(message));
        let message = message.expect("a message of the contract");
        let kind = message.oneofs().find(|oneof| oneof.name() == "kind");
        let kind = kind.expect("the kinds");
        kind.fields()
            .map(|field| field.name().to_owned())
            .collect::<Vec<_>>()
    };
    let package = format!("gamekeeper.{}.v1", W::INFO.id);
    let decisions = decision_values(&package).into_iter().map(|(name, _)| name);
    let codes = W::Refusal::CODES.iter();
    codes
        .map(|code| coverage_key("refusal", code))
        .chain(decisions.map(|name| coverage_key("decision", &name)))
        .chain(
            kinds("Action")
                .iter()
                .map(|name| coverage_key("action", name)),
        )
        .chain(
            kinds("Event")
                .iter()
                .map(|name| coverage_key("event", name)),
        )
        .collect()
}

fn coverage_key(what: &str, name: &str) -> String {
    format!("{what} {name}")
}

/// Returns the decisions of a ruleset as `pending` names them, each with its value in the contract.
///
/// # Panics
/// If the contract has no enum for them.
#[must_use]
pub fn decision_values(package: &str) -> Vec<(String, EnumValueDescriptor)> {
    let decisions = contract::pool().get_enum_by_name(&format!("{package}.Decision"));
    let decisions = decisions.expect("the decisions");
    let values = decisions.values().filter(|value| value.number() > 0);
    values
        .filter_map(|value| {
            let (_, name) = value.name().split_once('_')?;
            Some((name.to_lowercase(), value.clone()))
        })
        .collect()
}

/// Records the sessions of a ruleset: refused options, a full game, games of players who seek rare items, random games
/// that end with the last new item, good games, and whole `games` of players who seek. Items in `given_up` are not
/// sought.
///
/// # Panics
/// If the rules contradict themselves.
#[must_use]
pub fn record<W: Wire + Audit + Heuristics>(
    wrong: &[WrongOptions],
    quests: &[Quest<W>],
    games: &[Quest<W>],
    given_up: &[&str],
) -> Recording {
    let mut recorder = Recorder::<W> {
        lines: Vec::new(),
        covered: BTreeSet::new(),
        refused: BTreeMap::new(),
        looks: BTreeMap::new(),
        wanted: everything::<W>(),
        ruleset: std::marker::PhantomData,
    };
    recorder.wanted.retain(|one| !given_up.contains(&&**one));
    recorder.catalogue();
    recorder.creations(wrong);
    recorder.service();
    recorder.game(1);
    for quest in quests {
        recorder.quest(quest);
    }
    for number in 2..=MAX_GAMES {
        if number > PAIR_GAMES && recorder.is_done() {
            break;
        }
        recorder.game(number);
    }
    let counts = u64::from(W::INFO.max_seats - W::INFO.min_seats) + 1;
    for number in 1..=counts {
        recorder.good_game(number);
    }
    for game in games {
        recorder.whole(game);
    }
    recorder.end();
    let lines: Vec<String> = recorder.lines.iter().map(Value::to_string).collect();
    Recording {
        text: lines.join("\n") + "\n",
        covered: recorder.covered,
    }
}

/// Returns the decisions that occur in some random games with every number of seats, each with the kinds of actions
/// that are listed for it.
///
/// # Panics
/// If the rules contradict themselves.
#[must_use]
pub fn answers<W: Audit>() -> BTreeSet<(&'static str, &'static str)> {
    let mut pairs = BTreeSet::new();
    for number in 0..8 {
        let (least, most) = (u64::from(W::INFO.min_seats), u64::from(W::INFO.max_seats));
        let seats = usize::try_from(least + number % (most - least + 1)).expect("a few seats");
        let mut table = create::<W>(&W::table(seats, number), chance(number));
        let mut policy = chance(number + 2_000);
        for _ in 0..MAX_VERSIONS {
            let Some(pending) = W::pending(&table.state).first().copied() else {
                break;
            };
            let legal = legal_actions::<W>(&table.state, pending.seat, Detail::Moves);
            let kinds = legal.iter().map(W::kind);
            pairs.extend(kinds.map(|kind| (pending.decision, kind)));
            let choice = W::choose(&table.state, pending.seat, &legal, &mut policy);
            drop(policy.take_record());
            table = apply::<W>(&table.state, &table.chance, pending.seat, &legal[choice])
                .expect("a listed action");
        }
    }
    pairs
}

/// Returns the refusals that occur in some random games if every action of the ruleset's universe is tried: their codes
/// and paragraphs, with one sentence of each.
///
/// # Panics
/// If the rules contradict themselves.
#[must_use]
pub fn refusals<W: Audit>(
    games: std::ops::Range<u64>,
) -> BTreeMap<(&'static str, &'static str), String> {
    let mut by_pair = BTreeMap::new();
    let (least, most) = (u64::from(W::INFO.min_seats), u64::from(W::INFO.max_seats));
    for number in games {
        let seats = usize::try_from(least + number % (most - least + 1)).expect("a few seats");
        let mut table = create::<W>(&W::table(seats, number), chance(number));
        let mut policy = chance(number + 3_000);
        for version in 0..MAX_TRIED {
            if version % TRIED_EVERY == number % TRIED_EVERY {
                for seat in Seat::all(seats) {
                    let actions = universe::<W>(&table.state, seat);
                    let refused = actions.iter().map(|one| W::check(&table.state, seat, one));
                    for refusal in refused.filter_map(Result::err) {
                        let pair = (refusal.code(), refusal.rule);
                        by_pair.entry(pair).or_insert_with(|| refusal.to_string());
                    }
                }
            }
            let Some(pending) = W::pending(&table.state).first().copied() else {
                break;
            };
            let legal = legal_actions::<W>(&table.state, pending.seat, Detail::Moves);
            let choice = W::choose(&table.state, pending.seat, &legal, &mut policy);
            drop(policy.take_record());
            table = apply::<W>(&table.state, &table.chance, pending.seat, &legal[choice])
                .expect("a listed action");
        }
    }
    by_pair
}

/// The last version up to which games are searched for refusals.
const MAX_TRIED: u64 = 400;

/// The interval, in versions, between two searches.
const TRIED_EVERY: u64 = 5;

struct Recorder<W> {
    lines: Vec<Value>,
    covered: BTreeSet<String>,
    /// The refusals met, by code and paragraph.
    refused: BTreeMap<(&'static str, &'static str), Met>,
    /// The number of times that each decision was met.
    looks: BTreeMap<&'static str, usize>,
    wanted: BTreeSet<String>,
    ruleset: std::marker::PhantomData<W>,
}

impl<W: Wire + Audit> Recorder<W> {
    /// Returns whether all wanted items are covered.
    fn is_done(&self) -> bool {
        self.wanted.is_subset(&self.covered)
    }

    /// Records an item as covered. Returns `true` if it is new.
    fn covers(&mut self, what: &str, name: &str) -> bool {
        self.covered.insert(coverage_key(what, name))
    }

    fn session(&mut self, title: &str) {
        self.lines
            .push(json!({"session": format!("{}: {title}", W::INFO.title)}));
    }

    fn answered(&mut self, call: &str, request: &Value, answer: &Value) {
        self.lines
            .push(json!({"call": call, "request": request, "answer": answer}));
    }

    /// Records a call, with digests of parts of its response, which JSON Pointers name.
    fn digested<const N: usize>(
        &mut self,
        call: &str,
        request: &Value,
        answer: &Value,
        parts: [(&str, Value); N],
    ) {
        let digests: Value = parts
            .into_iter()
            .map(|(pointer, part)| (pointer.to_owned(), json!(digest(&part))))
            .collect::<Map<_, _>>()
            .into();
        self.lines
            .push(json!({"call": call, "request": request, "answer": answer, "digests": digests}));
    }

    fn refused(
        &mut self,
        call: &str,
        request: &Value,
        code: &str,
        reason: &str,
        rule: Option<&str>,
    ) {
        let mut refusal = json!({"code": code, "reason": reason});
        if let Some(rule) = rule {
            refusal["rule"] = json!(rule);
        }
        self.lines
            .push(json!({"call": call, "request": request, "refusal": refusal}));
    }
}

/// Converts a message that all rulesets share to protobuf JSON.
fn json(name: &str, message: &impl Message) -> Value {
    let dynamic = DynamicMessage::decode(shared(name), &*message.encode_to_vec());
    serde_json::to_value(dynamic.expect("its bytes")).expect("protobuf JSON")
}

fn list<M: Message>(name: &str, messages: &[M]) -> Value {
    messages.iter().map(|message| json(name, message)).collect()
}

/// Returns the descriptor of a message that all rulesets share.
fn shared(name: &str) -> MessageDescriptor {
    let message = contract::pool().get_message_by_name(&format!("gamekeeper.v1.{name}"));
    message.expect("a message of the contract")
}

fn chance(number: u64) -> Chance {
    Chance::from_seed(&Seed::from_number(number))
}

fn players_json(names: &[String]) -> Value {
    names.iter().map(|name| json!({"name": name})).collect()
}
