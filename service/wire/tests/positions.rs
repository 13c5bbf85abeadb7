//! Described tables as messages: the operator's view gives the table again, and a harmed one is refused, or gives a
//! table on which the game goes on by the rules.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not get")]

use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::ruleset::{apply_in_place, begin, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seed, Viewer};
use gamekeeper_wire::contract::{message_name, pool};
use gamekeeper_wire::{Wire, position};
use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage, Value};

/// The number of games of each number of seats.
const GAMES: u64 = 2;

/// The maximum number of actions of a game.
const ACTIONS: usize = 120;

/// The number of harmed views of each table.
const HARMED: usize = 12;

/// The number of actions after which an accepted table is left.
const PLAYED_ON: usize = 40;

#[derive(Default)]
struct Tally {
    tables: usize,
    harmed: usize,
    accepted: usize,
}

/// Plays random games; describes every table, as it is and harmed.
fn views_give_tables<W: Wire + Audit>() {
    let mut tally = Tally::default();
    for seats in W::INFO.seats() {
        for number in 0..GAMES {
            let options = W::table(seats, number);
            describe_game::<W>(&options, number, &mut tally);
        }
    }
    if W::HAS_POSITIONS {
        let Tally {
            tables,
            harmed,
            accepted,
        } = tally;
        assert!(tables > 20, "{tables} tables of {}", W::INFO.id);
        assert!(
            accepted * 20 > harmed,
            "{accepted} of {harmed} harmed views"
        );
    }
}

fn describe_game<W: Wire + Audit>(options: &W::Options, number: u64, tally: &mut Tally) {
    let mut luck = Chance::from_seed(&Seed::from_number(number));
    let mut game = create::<W>(options, luck.clone());
    for _ in 0..ACTIONS {
        let view = W::view_message(&W::view(&game.state, Viewer::Operator));
        let made = position::<W>(&view, options, &mut luck);
        if !W::HAS_POSITIONS || W::pending(&game.state).is_empty() {
            assert!(made.is_err());
            return;
        }
        assert_eq!(made.as_ref(), Ok(&game.state));
        tally.tables += 1;
        for _ in 0..HARMED {
            tally.harmed += 1;
            let harmed = harmed::<W>(&view, &mut luck);
            if let Ok(state) = position::<W>(&harmed, options, &mut luck) {
                tally.accepted += 1;
                play_on::<W>(begin::<W>(state, luck.clone()).state, &mut luck);
            }
        }
        play::<W>(&mut game.state, &mut luck);
    }
}

fn play_on<W: Wire + Audit>(mut state: W::State, luck: &mut Chance) {
    for _ in 0..PLAYED_ON {
        let kept = W::invariants(&state);
        assert!(kept.is_ok(), "{kept:?}");
        if W::pending(&state).is_empty() {
            return;
        }
        play::<W>(&mut state, luck);
    }
}

/// Plays a random action of the first seat that owes a decision.
fn play<W: Wire + Audit>(state: &mut W::State, luck: &mut Chance) {
    let Some(pending) = W::pending(state).first().copied() else {
        return;
    };
    let legal = legal_actions::<W>(state, pending.seat, Detail::Moves);
    let choice = W::choose(state, pending.seat, &legal, luck);
    let played = apply_in_place::<W>(state, luck, pending.seat, &legal[choice]);
    assert!(played.is_ok(), "what is listed is accepted");
}

/// Changes one or two places of a view at random.
fn harmed<W: Wire>(view: &W::PbView, luck: &mut Chance) -> W::PbView {
    let descriptor = pool()
        .get_message_by_name(&message_name::<W>("View"))
        .unwrap();
    let mut message = DynamicMessage::decode(descriptor, &*view.encode_to_vec()).unwrap();
    for _ in 0..=luck.uniform(2) {
        harm(&mut message, luck);
    }
    W::PbView::decode(&*message.encode_to_vec()).unwrap()
}

/// Changes a field of a message: deletes it, or changes a value within it.
fn harm(message: &mut DynamicMessage, luck: &mut Chance) {
    let fields: Vec<FieldDescriptor> = message.descriptor().fields().collect();
    if fields.is_empty() {
        return;
    }
    let field = &fields[below(luck, fields.len())];
    if luck.uniform(6) == 0 {
        message.clear_field(field);
    } else {
        let is_choice = field.containing_oneof().is_some();
        if is_choice && !message.has_field(field) {
            return;
        }
        harm_value(message.get_field_mut(field), &field.kind(), luck);
    }
}

fn harm_value(value: &mut Value, kind: &Kind, luck: &mut Chance) {
    match value {
        Value::Message(inner) => harm(inner, luck),
        Value::List(list) => harm_list(list, kind, luck),
        Value::Bool(is) => *is = !*is,
        Value::U32(number) => *number = changed(i64::from(*number), luck).try_into().unwrap_or(0),
        Value::I32(number) | Value::EnumNumber(number) => {
            *number = changed(i64::from(*number), luck).try_into().unwrap_or(0);
        }
        Value::U64(number) => *number = number.wrapping_add(1),
        Value::String(text) => text.push('x'),
        Value::I64(_) | Value::F32(_) | Value::F64(_) | Value::Bytes(_) | Value::Map(_) => {}
    }
}

fn harm_list(list: &mut Vec<Value>, kind: &Kind, luck: &mut Chance) {
    if list.is_empty() {
        if let Kind::Enum(_) = kind {
            list.push(Value::EnumNumber(1));
        }
        return;
    }
    let (at, other) = (below(luck, list.len()), below(luck, list.len()));
    match luck.uniform(6) {
        0 => drop(list.remove(at)),
        1 => list.push(list[at].clone()),
        2 => list.swap(at, other),
        3 => list.clear(),
        _ => harm_value(&mut list[at], kind, luck),
    }
}

fn changed(number: i64, luck: &mut Chance) -> i64 {
    match luck.uniform(8) {
        0 => 0,
        1 => i64::from(u32::MAX),
        2 => 255,
        3 => -1,
        4 => number + 1,
        5 => number - 1,
        _ => i64::from(luck.uniform(16)),
    }
}

fn below(luck: &mut Chance, count: usize) -> usize {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    usize::try_from(luck.uniform(count)).unwrap_or_default()
}

macro_rules! tests {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(
            #[test]
            fn $module() {
                views_give_tables::<gamekeeper_rules::$module::$Ruleset>();
            }
        )*
    };
}

gamekeeper_wire::for_each_ruleset!(tests);
