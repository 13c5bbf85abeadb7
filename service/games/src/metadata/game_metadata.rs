//! The **metadata record** of a game, stored next to its log: the valid seat tokens, the front end's users and labels,
//! names that have changed, bots, and the names at creation.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use gamekeeper_rules::table::{MAX_SEATS, Seat, decode, encode};

use super::{Bot, InitialNames, Tags};
use crate::errors::ServiceError;

/// The index of the spectators' generation, after those of all seats. Earlier builds ignore it.
const SPECTATOR_SLOT: usize = MAX_SEATS;

/// The maximum step of a generation. A generation therefore wraps around only after thousands of new tokens of one
/// seat.
const MAX_GENERATION_STEP: u32 = 1 << 20;

/// The metadata record of a game: the generation of the valid token of each seat and of spectators (0 for the first
/// token), and the mutable data around the game. The encoding is empty if all fields have their defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameMetadata {
    // Boxed slices, since every call keeps this record in its future.
    generations: Box<[u32]>,
    tags: Tags,
    /// The names of all players, in seat order. Empty until the first name is changed.
    names: Box<[String]>,
    /// The bots, in seat order. Seats after the end of the list have none.
    bots: Box<[Option<Bot>]>,
    /// The names at creation. Is `None` if they are in the log, where earlier builds stored them.
    initial_names: Option<Arc<InitialNames>>,
    encoded: EncodedOnce,
}

/// The encoding of a record, made once: every commit requires it. It has no part in comparisons, and a copy of a record
/// has none yet, since copies are made to be changed.
#[derive(Debug, Default)]
struct EncodedOnce(OnceLock<Bytes>);

impl Clone for EncodedOnce {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for EncodedOnce {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for EncodedOnce {}

impl GameMetadata {
    /// Returns the generation of the seat's valid token.
    #[must_use]
    pub fn seat_generation(&self, seat: Seat) -> u32 {
        self.generation_at(seat.index())
    }

    /// Returns the generation of the spectators' valid token.
    #[must_use]
    pub fn spectator_generation(&self) -> u32 {
        self.generation_at(SPECTATOR_SLOT)
    }

    /// Returns the generation of the valid token of a seat, or of spectators if `seat` is `None`.
    #[must_use]
    pub fn generation_of(&self, seat: Option<Seat>) -> u32 {
        self.generation_at(token_slot(seat))
    }

    fn generation_at(&self, slot: usize) -> u32 {
        self.generations.get(slot).copied().unwrap_or(0)
    }

    /// Returns the record after a seat, or spectators if `seat` is `None`, got a new token, which revokes the old one.
    /// The generation grows by a random amount, so that records that two processes make at the same time differ, and a
    /// compare-and-set stores only one of them.
    #[must_use]
    pub fn with_rotated_token(&self, seat: Option<Seat>) -> Self {
        let slot = token_slot(seat);
        let mut generations = self.generations.to_vec();
        if generations.len() <= slot {
            generations.resize(slot + 1, 0);
        }
        let step = rand::random_range(1..=MAX_GENERATION_STEP);
        generations[slot] = generations[slot].wrapping_add(step);
        Self {
            generations: generations.into(),
            ..self.clone()
        }
    }

    /// Returns the users and labels.
    #[must_use]
    pub fn tags(&self) -> &Tags {
        &self.tags
    }

    /// Returns the record with these users and labels.
    #[must_use]
    pub fn with_tags(&self, tags: Tags) -> Self {
        Self {
            tags,
            ..self.clone()
        }
    }

    /// Returns the names of all players, in seat order. Empty until the first name is changed.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the record with these names of the players.
    #[must_use]
    pub fn with_names(&self, names: Vec<String>) -> Self {
        Self {
            names: names.into(),
            ..self.clone()
        }
    }

    /// Returns the names at creation. Returns `None` if they are in the log.
    #[must_use]
    pub fn initial_names(&self) -> Option<&InitialNames> {
        self.initial_names.as_deref()
    }

    /// Returns the record with these names at creation.
    #[must_use]
    pub fn with_initial_names(&self, initial_names: Option<InitialNames>) -> Self {
        Self {
            initial_names: initial_names.map(Arc::new),
            ..self.clone()
        }
    }

    /// Returns the bot that plays a seat. Returns `None` if no bot does.
    #[must_use]
    pub fn bot(&self, seat: Seat) -> Option<&Bot> {
        self.bots.get(seat.index())?.as_ref()
    }

    /// Returns whether a bot plays any seat.
    #[must_use]
    pub fn has_bots(&self) -> bool {
        !self.bots.is_empty()
    }

    /// Returns the record after a bot took the seat, or left it if `bot` is `None`.
    #[must_use]
    pub fn with_bot(&self, seat: Seat, bot: Option<Bot>) -> Self {
        let mut bots = self.bots.to_vec();
        if bots.len() <= seat.index() {
            bots.resize(seat.index() + 1, None);
        }
        bots[seat.index()] = bot;
        while bots.last().is_some_and(Option::is_none) {
            bots.pop();
        }
        Self {
            bots: bots.into(),
            ..self.clone()
        }
    }

    /// Returns whether two records look the same to watchers: the same names, bots, users and labels. Tokens are not
    /// compared.
    #[must_use]
    pub fn same_public_part(&self, other: &Self) -> bool {
        let public_names = |metadata: &Self| {
            let initial_names = metadata.initial_names().map(InitialNames::names);
            (
                initial_names.unwrap_or_default().to_vec(),
                metadata.names.clone(),
            )
        };
        (&self.tags, &self.bots) == (&other.tags, &other.bots)
            && public_names(self) == public_names(other)
    }

    /// Returns the record as the store has it or is to have it.
    #[must_use]
    pub fn to_bytes(&self) -> Bytes {
        self.encoded.0.get_or_init(|| self.encode_fields()).clone()
    }

    /// Encodes the record for the store. Trailing parts that have their defaults are left out, as earlier builds did
    /// not know them.
    fn encode_fields(&self) -> Bytes {
        let Self {
            generations,
            tags,
            names,
            bots,
            initial_names,
            encoded: _,
        } = self;
        if let Some(initial_names) = initial_names {
            return Bytes::from(encode(&(generations, tags, names, bots, &**initial_names)));
        }
        Bytes::from(match (tags.is_empty(), names.is_empty(), bots.is_empty()) {
            (true, true, true) if generations.is_empty() => return Bytes::new(),
            (true, true, true) => encode(generations),
            (false, true, true) => encode(&(generations, tags)),
            (_, false, true) => encode(&(generations, tags, names)),
            (_, _, false) => encode(&(generations, tags, names, bots)),
        })
    }

    /// Decodes a stored record, and keeps its bytes: the next commit requires exactly these.
    ///
    /// # Errors
    /// If the bytes are not a metadata record.
    pub fn from_stored(bytes: Bytes) -> Result<Self, ServiceError> {
        let decoded = Self::from_bytes(&bytes)?;
        let encoded = EncodedOnce(OnceLock::from(bytes));
        Ok(Self { encoded, ..decoded })
    }

    /// Decodes a stored record.
    ///
    /// # Errors
    /// If the bytes are not a metadata record.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ServiceError> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let decode_fields = || {
            // Each later part is absent if the bytes end before it.
            let (generations, rest) = postcard::take_from_bytes(bytes).ok()?;
            let (tags, rest) = match rest {
                [] => (Tags::default(), rest),
                rest => postcard::take_from_bytes(rest).ok()?,
            };
            let (names, rest) = match rest {
                [] => (Box::default(), rest),
                rest => postcard::take_from_bytes(rest).ok()?,
            };
            let (bots, rest) = match rest {
                [] => (Box::default(), rest),
                rest => postcard::take_from_bytes(rest).ok()?,
            };
            let initial_names = match rest {
                [] => None,
                rest => Some(Arc::new(decode(rest).ok()?)),
            };
            Some(Self {
                generations,
                tags,
                names,
                bots,
                initial_names,
                encoded: EncodedOnce::default(),
            })
        };
        decode_fields()
            .ok_or_else(|| ServiceError::Damaged(String::from("the access record cannot be read")))
    }
}

fn token_slot(seat: Option<Seat>) -> usize {
    seat.map_or(SPECTATOR_SLOT, Seat::index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_and_spectators_have_tokens_of_their_own() {
        let seat = Seat::new(2).unwrap();
        let once = GameMetadata::default()
            .with_rotated_token(Some(seat))
            .with_rotated_token(None);
        let read = GameMetadata::from_bytes(&once.to_bytes()).unwrap();
        assert_ne!(read.seat_generation(seat), 0);
        assert_ne!(read.spectator_generation(), 0);
        let first = Seat::new(1).unwrap();
        assert_eq!(read.seat_generation(first), 0);
        let again = read.with_rotated_token(None).generation_of(None);
        assert!(![0, read.generation_of(None)].contains(&again));
        assert_eq!(
            read.with_rotated_token(None).seat_generation(seat),
            read.seat_generation(seat)
        );
    }

    #[test]
    fn records_made_at_the_same_time_differ() {
        let rotated = || {
            GameMetadata::default()
                .with_rotated_token(None)
                .generation_of(None)
        };
        let all: std::collections::HashSet<_> = (0..8).map(|_| rotated()).collect();
        assert!(all.len() > 1, "{all:?}");
    }

    #[test]
    fn records_of_earlier_builds_are_read() {
        let read = GameMetadata::from_bytes(&[2, 0, 3]).unwrap();
        assert_eq!(read.seat_generation(Seat::new(2).unwrap()), 3);
        assert_eq!(read.spectator_generation(), 0);
        assert_eq!(read.to_bytes(), [2, 0, 3].as_slice());
    }

    /// A changed copy must not be taken for the record that it was copied from.
    #[test]
    fn a_record_keeps_its_bytes_and_a_changed_copy_gets_its_own() {
        let stored = Bytes::from_static(&[2, 0, 3]);
        let read = GameMetadata::from_stored(stored.clone()).unwrap();
        assert_eq!(
            read.to_bytes().as_ptr(),
            stored.as_ptr(),
            "not encoded again"
        );
        assert_eq!(read, GameMetadata::from_bytes(&stored).unwrap());
        assert_eq!(read.clone().to_bytes(), stored);
        for changed in [
            read.with_rotated_token(None),
            read.with_names(vec![String::from("Ada")]),
            read.with_bot(Seat::FIRST, None)
                .with_initial_names(Some(InitialNames::new(&[String::from("Ada")], |_| ""))),
        ] {
            let again = GameMetadata::from_bytes(&changed.to_bytes()).unwrap();
            assert_eq!(again, changed);
            assert_ne!(changed.to_bytes(), stored);
        }
        assert!(GameMetadata::from_stored(Bytes::from_static(&[2, 0])).is_err());
    }

    #[test]
    fn users_and_labels_stand_behind_the_tokens() {
        let mut tags = Tags::default();
        tags.set_user(Seat::new(2).unwrap(), "ada");
        let tagged = GameMetadata::default().with_tags(tags);
        let rotated = tagged.with_rotated_token(None);
        for access in [&tagged, &rotated] {
            let bytes = access.to_bytes();
            assert_eq!(GameMetadata::from_bytes(&bytes).unwrap(), *access);
            assert!(GameMetadata::from_bytes(&bytes[..bytes.len() - 1]).is_err());
        }
        let none = rotated.with_tags(Tags::default());
        assert_eq!(none.generation_of(None), rotated.generation_of(None));
        assert!(none.tags().is_empty());
        assert_eq!(tagged.with_tags(Tags::default()).to_bytes(), Bytes::new());
    }

    /// Watchers are notified of changes that they can see, and not of new tokens.
    #[test]
    fn records_show_the_same_if_only_tokens_differ() {
        let names = |one: &str| [one.to_owned(), String::from("Bob")];
        let began = |one| {
            GameMetadata::default().with_initial_names(Some(InitialNames::new(&names(one), |_| "")))
        };
        let mut tags = Tags::default();
        tags.set_user(Seat::FIRST, "ada");
        let access = began("Ada");
        assert!(access.same_public_part(&access.with_rotated_token(None)));
        assert!(
            access.same_public_part(&began("Ada")),
            "salts are not shown"
        );
        for other in [
            began("Eve"),
            access.with_names(names("Eve").to_vec()),
            access.with_tags(tags),
        ] {
            assert!(!access.same_public_part(&other) && !other.same_public_part(&access));
            assert!(other.same_public_part(&other.clone()));
        }
    }
}
