//! Names that are refused in actions.

use std::collections::{BTreeMap, BTreeSet};

use gamekeeper_proto::EncodedMessage;
use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::ruleset::{apply, create, legal_actions};
use gamekeeper_rules::table::{Chance, CommonRefusal, CommonRefusals as _, Detail, Seat, Seed};
use prost::Message as _;
use prost_reflect::DynamicMessage;

use super::{Flaw, pairs, reflected, set, spots};
use crate::tests::Dice;
use crate::{Malformed, Wire, detail};

/// The number of actions of each kind that are spoiled, at each number of seats.
const ACTIONS_OF_A_KIND: usize = 3;

/// The maximum number of actions in a game.
const ACTIONS: usize = 400;

pub(super) fn check_names<W: Wire + Audit>() {
    let mut located = BTreeSet::new();
    for seats in usize::from(W::INFO.min_seats)..=usize::from(W::INFO.max_seats) {
        let options = W::table(seats, seats as u64);
        let mut now = create::<W>(&options, Chance::from_seed(&Seed::from_number(3)));
        let (mut dice, mut tried) = (Dice(seats as u64), BTreeMap::new());
        for _ in 0..ACTIONS {
            let Some(pending) = W::pending(&now.state).first().copied() else {
                break;
            };
            let legal = legal_actions::<W>(&now.state, pending.seat, Detail::Moves);
            // From a random one on, so that lists of several lengths occur.
            let first = dice.below(legal.len());
            for action in legal[first..].iter().chain(&legal[..first]) {
                let times = tried.entry(W::kind(action)).or_insert(0);
                if *times < ACTIONS_OF_A_KIND {
                    *times += 1;
                    let table = (&now.state, pending.seat);
                    spoil::<W>(table, action, &mut dice, &mut located);
                }
            }
            let action = &legal[dice.below(legal.len())];
            now = apply::<W>(&now.state, &now.chance, pending.seat, action).unwrap();
        }
    }
    assert!(!located.is_empty(), "no name was refused");
}

/// Sends an action with every wrong value, and with some pairs of them.
fn spoil<W: Wire>(
    table: (&W::State, Seat),
    action: &W::Action,
    dice: &mut Dice,
    located: &mut BTreeSet<String>,
) {
    let message = reflected::<W>("Action", &W::encoded_action(action));
    let mut all = Vec::new();
    spots(&message, "", &mut all);
    let flaws = Flaw::all_of(&all);
    let alone = flaws.iter().map(|flaw| vec![flaw]);
    let together = pairs(&flaws, dice).into_iter().map(Vec::from);
    for flaws in alone.chain(together) {
        let mut spoiled = message.clone();
        for flaw in &flaws {
            set(&mut spoiled, &flaw.spot.path, flaw.value.clone());
        }
        let refused = refused_name::<W>(table, &spoiled);
        let Some((path, sent)) = refused else {
            // Beside another flaw, a number that is out of range may come first.
            let is_alone = flaws.len() == 1;
            assert!(!(is_alone && flaws[0].names_nothing()), "{spoiled:?}");
            continue;
        };
        let start = format!("action.{}.", W::INFO.id);
        let blamed = flaws
            .iter()
            .find(|flaw| format!("{start}{}", flaw.spot.path) == path);
        let blamed = blamed.unwrap_or_else(|| panic!("{path} for {flaws:?}"));
        if let Some((field, value)) = sent {
            assert_eq!(field, blamed.spot.name(), "{path}");
            assert_eq!(value, blamed.spot.text_of(&blamed.value), "{path}");
        }
        located.insert(path);
    }
}

/// Returns the path of the name that is refused, with the field and the value that the refusal tells, unless the action
/// is malformed. Returns `None` if no name is refused.
fn refused_name<W: Wire>(
    (state, seat): (&W::State, Seat),
    action: &DynamicMessage,
) -> Option<(String, Option<(String, String)>)> {
    let sent = W::PbAction::decode(&*action.encode_to_vec()).unwrap();
    let encoded = EncodedMessage::from_message(&sent);
    let refused = match W::action(sent) {
        Ok(action) => W::check(state, seat, &action).err()?,
        Err(Malformed { field, .. }) => return Some((field, None)),
    };
    let Some(CommonRefusal::UnknownId { .. }) = refused.reason.common() else {
        return None;
    };
    let mut values = detail::<W>(&refused.reason).unwrap();
    let place = values.locate::<W>(&encoded, "action");
    let place = place.unwrap_or_else(|| panic!("{:?} of {action:?}", refused.reason));
    Some((place.path, Some((place.field, place.value))))
}
