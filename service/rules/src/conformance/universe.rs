//! Actions to try in a state (**mutation-based fuzzing**): legal and illegal ones of every kind.
//!
//! Actions are mutated as bytes, so that one piece of code reaches every field, list and kind of every ruleset: names
//! become misspelled (`None`), numbers leave their range, lists grow and shrink.

use std::collections::{BTreeMap, BTreeSet};

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::audit::Audit;
use crate::ruleset::legal_actions;
use crate::table::{Detail, Seat, decode, encode, fingerprint};

/// The number of mutations of listed actions for each seat of a state. Some do not decode.
const NEAR_MISSES: usize = 100;

/// The maximum number of kinds of actions in any ruleset.
const MAX_KINDS: u8 = 48;

/// A length that almost no encoded action exceeds.
const NOISE_BYTES: usize = 40;

/// The longest run of bytes that is inserted into or removed from an action at once.
const MAX_RUN: usize = 8;

/// The encodings of the largest numbers of 32, 16 and 8 bits.
const HUGE: [&[u8]; 3] = [
    &[0xff, 0xff, 0xff, 0xff, 0x0f],
    &[0xff, 0xff, 0x03],
    &[0xff],
];

/// Returns the actions of [`Audit::universe`], then near misses of the listed actions and noise, each once. The same
/// state and seat give the same actions.
#[must_use]
pub fn universe<R: Audit>(state: &R::State, seat: Seat) -> Vec<R::Action> {
    let mut luck = Luck::of(fingerprint(&(state, seat)));
    let mut spoiled = near_misses::<R>(state, seat, &mut luck);
    spoiled.extend(noise::<R>(&mut luck));
    let mut seen = BTreeSet::new();
    spoiled.retain(|action| seen.insert(fingerprint(action)));
    let mut actions = R::universe(state, seat);
    actions.extend(spoiled);
    actions
}

/// Returns listed actions with a change or two. Every kind has the same share.
fn near_misses<R: Audit>(state: &R::State, seat: Seat, luck: &mut Luck) -> Vec<R::Action> {
    let listed = legal_actions::<R>(state, seat, Detail::Moves);
    let mut kinds: BTreeMap<&str, Vec<&R::Action>> = BTreeMap::new();
    for action in &listed {
        kinds.entry(R::kind(action)).or_default().push(action);
    }
    let kinds: Vec<Vec<&R::Action>> = kinds.into_values().collect();
    let made = (0..NEAR_MISSES).filter_map(|_| {
        let (kind, another) = (luck.one(&kinds)?, luck.one(&kinds)?);
        let (action, other) = (luck.one(kind)?, luck.one(another)?);
        let (mut bytes, other) = (encode(*action), encode(*other));
        for _ in 0..luck.one(&[1, 1, 1, 2]).copied()? {
            spoil(&mut bytes, &other, luck);
        }
        decode(&bytes).ok()
    });
    made.collect()
}

/// Decodes an action of every kind from the same random bytes.
fn noise<R: Audit>(luck: &mut Luck) -> Vec<R::Action> {
    let mut bytes: Vec<u8> = (0..NOISE_BYTES).map(|_| luck.byte()).collect();
    let made = (0..MAX_KINDS).filter_map(|kind| {
        bytes[0] = kind;
        let made = postcard::take_from_bytes(&bytes);
        made.map(|(action, _rest)| action).ok()
    });
    made.collect()
}

/// Makes one change at one place. `other` is another listed action.
fn spoil(bytes: &mut Vec<u8>, other: &[u8], luck: &mut Luck) {
    if bytes.is_empty() {
        return;
    }
    let at = luck.below(bytes.len());
    let rest = at + 1..bytes.len().min(at + 1 + luck.below(MAX_RUN + 1));
    match luck.below(8) {
        0 => bytes[at] = bytes[at].wrapping_add(1),
        1 => bytes[at] = bytes[at].wrapping_sub(1),
        2 => bytes[at] = luck.byte(),
        3 => {
            let huge = HUGE[luck.below(HUGE.len())];
            bytes.splice(at..=at, huge.iter().copied());
        }
        // The bytes of another action here, or from here on.
        4 => bytes[at] = other.get(at).copied().unwrap_or_default(),
        5 => {
            bytes.truncate(at);
            bytes.extend(other.iter().skip(at));
        }
        // A list with one element more or less, a name left out.
        6 => {
            bytes[at] = bytes[at].wrapping_add(1);
            let again = bytes[rest].to_vec();
            bytes.splice(at + 1..at + 1, again);
        }
        _ => {
            bytes[at] = bytes[at].wrapping_sub(1);
            bytes.drain(rest);
        }
    }
}

/// The luck of the suite, separate from the luck of any game.
struct Luck(ChaCha8Rng);

impl Luck {
    fn of(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Returns an approximately uniform value.
    fn below(&mut self, end: usize) -> usize {
        self.0.next_u32() as usize % end.max(1)
    }

    fn one<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        things.get(self.below(things.len()))
    }

    /// Returns a byte, usually a small one: a boolean, an index in a short list, a count.
    fn byte(&mut self) -> u8 {
        let [end, value, _, _] = self.0.next_u32().to_le_bytes();
        value % [2, 2, 3, 6, 20, 80, 128, 128][usize::from(end % 8)]
    }
}
