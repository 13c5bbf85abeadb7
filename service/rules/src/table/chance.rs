//! Luck: a **seeded pseudorandom generator** (a ChaCha20 stream from a 32-byte seed), or a script of recorded draws.
//!
//! The derivation of values from the stream is defined here and fixed by golden vectors, because every game must be
//! verifiable years later and the `rand` crate does not guarantee stable values:
//!
//! * *words*: the key stream of ChaCha20 (RFC 8439 block function, 64-bit counter from 0, nonce 0)
//!   with the seed as key, read as little-endian 32-bit words;
//! * *below n*: take words until one is less than the largest multiple of n that fits 2^32; the
//!   value is that word modulo n. For n = 1 no word is taken;
//! * *die*: 1 + below the number of faces;
//! * *shuffle*: for i from the last place down to 1, swap place i with place (below i + 1);
//! * *sample*: for i from place 0, until enough things are drawn, swap place i with place i + (below the number of
//!   things from i on);
//! * *sample where*: sample from the same starting order, repeatedly, until the condition holds.
//!
//! Rules pass items in ascending order of their numbers in the log, so that luck alone determines
//! the order. `tests/data/luck.json` has test vectors.

use std::collections::VecDeque;
use std::fmt;

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

use super::draw::{Draw, DrawValue, ScriptFault};
use super::seat::Seat;

/// The secret of a game that determines all its draws. Never revealed before the game is over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed([u8; 32]);

/// The **commitment** to a seed: SHA-256 of salt and seed, published at creation, so that the seed cannot be changed
/// later.
pub type SeedCommitment = [u8; 32];

impl Seed {
    /// Creates a seed of 32 bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Creates a seed from a number, for tests: the number in little-endian order, then zeros.
    #[must_use]
    pub fn from_number(number: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        Self(bytes)
    }

    /// Returns the bytes, to be stored or, after the game, published.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the commitment to this seed: SHA-256 of `salt` followed by the seed.
    #[must_use]
    pub fn commitment(&self, salt: &[u8; 32]) -> SeedCommitment {
        Sha256::new()
            .chain_update(salt)
            .chain_update(self.0)
            .finalize()
            .into()
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(secret)")
    }
}

#[derive(Clone, Debug)]
enum Source {
    Stream(Stream),
    Script {
        next: VecDeque<Draw>,
        fault: Option<ScriptFault>,
    },
}

/// The stream of a seed. The generator is large and slow to create, and most actions draw nothing. So the first draw
/// creates it (**lazy initialization**), and copies have none until they draw.
#[derive(Debug)]
struct Stream {
    seed: Seed,
    /// The number of words taken; valid only while there is no generator.
    position: u64,
    generator: Option<Box<ChaCha20Rng>>,
}

impl Stream {
    fn position(&self) -> u64 {
        let of = |generator: &ChaCha20Rng| u64::try_from(generator.get_word_pos());
        // A game takes a few thousand words: the position never leaves 64 bits.
        self.generator
            .as_deref()
            .map_or(self.position, |generator| of(generator).unwrap_or(u64::MAX))
    }

    fn next_word(&mut self) -> u32 {
        let Self {
            seed,
            position,
            generator,
        } = self;
        let made = || {
            let mut made = ChaCha20Rng::from_seed(seed.0);
            if *position > 0 {
                made.set_word_pos(u128::from(*position));
            }
            Box::new(made)
        };
        generator.get_or_insert_with(made).next_u32()
    }
}

impl Clone for Stream {
    fn clone(&self) -> Self {
        Self {
            seed: self.seed,
            position: self.position(),
            generator: None,
        }
    }
}

/// The source of all luck of one game, and the record of its draws since they were last taken.
#[derive(Clone, Debug)]
pub struct Chance {
    source: Source,
    record: Vec<Draw>,
}

impl Chance {
    /// Starts at the beginning of a seed's stream.
    #[must_use]
    pub fn from_seed(seed: &Seed) -> Self {
        Self::resume(seed, 0)
    }

    /// Starts at a [`position`](Self::position) in the stream.
    #[must_use]
    pub fn resume(seed: &Seed, position: u64) -> Self {
        let stream = Stream {
            seed: *seed,
            position,
            generator: None,
        };
        Self {
            source: Source::Stream(stream),
            record: Vec::new(),
        }
    }

    /// Repeats recorded draws, one after the other.
    #[must_use]
    pub fn scripted(draws: impl IntoIterator<Item = Draw>) -> Self {
        let next = draws.into_iter().collect();
        Self {
            source: Source::Script { next, fault: None },
            record: Vec::new(),
        }
    }

    /// Returns the number of words taken from the stream; 0 for a script.
    #[must_use]
    pub fn position(&self) -> u64 {
        match &self.source {
            Source::Stream(stream) => stream.position(),
            Source::Script { .. } => 0,
        }
    }

    /// Frees the memory of the generator; the next draw creates it again.
    pub fn release_buffers(&mut self) {
        if let Source::Stream(stream) = &mut self.source {
            *stream = stream.clone();
        }
    }

    /// Returns the draws made since the last call.
    pub fn take_record(&mut self) -> Vec<Draw> {
        std::mem::take(&mut self.record)
    }

    /// Checks that a script fitted to its last draw. A stream always fits.
    ///
    /// # Errors
    /// The first draw that did not fit, or the unused rest of the script.
    pub fn finish(self) -> Result<(), ScriptFault> {
        match self.source {
            Source::Stream(_) => Ok(()),
            Source::Script {
                fault: Some(fault), ..
            } => Err(fault),
            Source::Script { next, fault: None } => match next.len() {
                0 => Ok(()),
                left => Err(ScriptFault::Unused { left }),
            },
        }
    }

    /// Rolls `count` dice with faces 1 to `faces`, one after the other, and records them as one draw.
    pub fn roll(
        &mut self,
        name: &'static str,
        seat: Option<Seat>,
        faces: u8,
        count: usize,
    ) -> Vec<u8> {
        let values: Vec<u8> = match &mut self.source {
            Source::Stream(stream) => (0..count)
                .map(|_| u8::try_from(uniform_below(stream, u32::from(faces)) + 1).unwrap_or(faces))
                .collect(),
            Source::Script { next, fault } => {
                let fits = |values: &[u16]| {
                    values.len() == count
                        && values
                            .iter()
                            .all(|value| (1..=u16::from(faces)).contains(value))
                };
                scripted(next, fault, name, seat, fits).map_or_else(
                    || vec![1; count],
                    |values| {
                        values
                            .iter()
                            .map(|&v| u8::try_from(v).unwrap_or(faces))
                            .collect()
                    },
                )
            }
        };
        self.note(
            name,
            seat,
            values.iter().map(|&value| u16::from(value)).collect(),
        );
        values
    }

    /// Rolls as many dice as the array has elements, as [`roll`](Self::roll) does.
    pub fn dice<const COUNT: usize>(
        &mut self,
        name: &'static str,
        seat: Option<Seat>,
        faces: u8,
    ) -> [u8; COUNT] {
        let rolled = self.roll(name, seat, faces, COUNT);
        std::array::from_fn(|at| rolled[at])
    }

    /// Draws one of several things, each equally likely. Returns `None`, and records no draw, if there are none.
    pub fn pick<T: DrawValue>(
        &mut self,
        name: &'static str,
        seat: Option<Seat>,
        from: &[T],
    ) -> Option<T> {
        let mut one = from.to_vec();
        self.sample(name, seat, &mut one, 1);
        one.first().copied()
    }

    /// Puts things into a random order, each order equally likely, and records the new order. A single thing counts as
    /// a draw too.
    pub fn shuffle<T: DrawValue>(
        &mut self,
        name: &'static str,
        seat: Option<Seat>,
        things: &mut [T],
    ) {
        match &mut self.source {
            Source::Stream(stream) => {
                for index in (1..things.len()).rev() {
                    things.swap(index, uniform_index(stream, index + 1));
                }
            }
            Source::Script { next, fault } => {
                rearrange(next, fault, name, seat, things, things.len());
            }
        }
        self.note(
            name,
            seat,
            things.iter().map(|thing| thing.draw_value()).collect(),
        );
    }

    /// Draws `count` of several things without replacement, each order equally likely: shuffles all and keeps the
    /// first ones. Records the things kept.
    pub fn sample<T: DrawValue>(
        &mut self,
        name: &'static str,
        seat: Option<Seat>,
        things: &mut Vec<T>,
        count: usize,
    ) {
        let count = count.min(things.len());
        if count == 0 {
            things.clear();
            return;
        }
        match &mut self.source {
            Source::Stream(stream) => {
                for index in 0..count {
                    let left = things.len() - index;
                    things.swap(index, index + uniform_index(stream, left));
                }
            }
            Source::Script { next, fault } => rearrange(next, fault, name, seat, things, count),
        }
        things.truncate(count);
        self.note(
            name,
            seat,
            things.iter().map(|thing| thing.draw_value()).collect(),
        );
    }

    /// Draws `count` of several things without replacement, each `allowed` order equally likely (**rejection
    /// sampling**). Records the things kept. Some order must be allowed, and not too few: refused orders are drawn
    /// again.
    pub fn sample_where<T: DrawValue>(
        &mut self,
        name: &'static str,
        seat: Option<Seat>,
        things: &mut Vec<T>,
        count: usize,
        allowed: impl Fn(&[T]) -> bool,
    ) {
        loop {
            let (mut drawn, before) = (things.clone(), self.record.len());
            self.sample(name, seat, &mut drawn, count);
            let fits = allowed(&drawn);
            if let Source::Script { fault, .. } = &mut self.source {
                if !fits && fault.is_none() {
                    *fault = self.record.last().map(|next_draw| ScriptFault::Impossible {
                        requested: name,
                        next_draw: next_draw.clone(),
                    });
                }
            } else if !fits {
                self.record.truncate(before);
                continue;
            }
            *things = drawn;
            return;
        }
    }

    /// Draws a value below a bound without recording it, for test vectors and for bots, whose choices are not part of
    /// a game. Returns 0 for a script.
    pub fn uniform(&mut self, bound: u32) -> u32 {
        match &mut self.source {
            Source::Stream(stream) => uniform_below(stream, bound),
            Source::Script { .. } => 0,
        }
    }

    fn note(&mut self, name: &'static str, seat: Option<Seat>, values: Vec<u16>) {
        self.record.push(Draw {
            name: name.into(),
            seat,
            values,
        });
    }
}

/// Draws a value from 0 to `bound - 1`, each equally likely; 0 for a bound of 0.
fn uniform_below(stream: &mut Stream, bound: u32) -> u32 {
    if bound <= 1 {
        return 0;
    }
    // The top 2^32 mod bound words would make small values more likely.
    let surplus = (u32::MAX % bound + 1) % bound;
    loop {
        let word = stream.next_word();
        if word <= u32::MAX - surplus {
            return word % bound;
        }
    }
}

fn uniform_index(stream: &mut Stream, bound: usize) -> usize {
    // Piles have a few hundred cards at most.
    uniform_below(stream, u32::try_from(bound).unwrap_or(u32::MAX)) as usize
}

/// Returns the values of the next scripted draw, if it is the requested one and they fit.
fn scripted(
    next: &mut VecDeque<Draw>,
    fault: &mut Option<ScriptFault>,
    requested: &'static str,
    seat: Option<Seat>,
    fits: impl FnOnce(&[u16]) -> bool,
) -> Option<Vec<u16>> {
    if fault.is_some() {
        return None;
    }
    let mismatch = match next.pop_front() {
        None => ScriptFault::Ended { requested },
        Some(next_draw) if next_draw.name != requested || next_draw.seat != seat => {
            ScriptFault::Other {
                requested,
                next_draw,
            }
        }
        Some(next_draw) if !fits(&next_draw.values) => ScriptFault::Impossible {
            requested,
            next_draw,
        },
        Some(next_draw) => return Some(next_draw.values),
    };
    *fault = Some(mismatch);
    None
}

/// Brings the first `count` things into the order of the script.
fn rearrange<T: DrawValue>(
    next: &mut VecDeque<Draw>,
    fault: &mut Option<ScriptFault>,
    requested: &'static str,
    seat: Option<Seat>,
    things: &mut [T],
    count: usize,
) {
    let mut order: Vec<T> = things.to_vec();
    let fits = |values: &[u16]| values.len() == count && bring_to_front(&mut order, values);
    if scripted(next, fault, requested, seat, fits).is_some() {
        things.copy_from_slice(&order);
    }
}

fn bring_to_front<T: DrawValue>(things: &mut [T], values: &[u16]) -> bool {
    values.iter().enumerate().all(|(index, &value)| {
        let position = (index..things.len()).find(|&at| things[at].draw_value() == value);
        position
            .inspect(|&at| things[index..=at].rotate_right(1))
            .is_some()
    })
}
