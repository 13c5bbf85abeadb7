//! The **access record** of a game, stored next to its log: the valid seat tokens, the front end's users and labels,
//! names that have changed, bots, and the names at creation.

use std::sync::Arc;

use bytes::Bytes;
use gamekeeper_rules::table::{MAX_SEATS, Seat, decode, encode};

use super::{Bot, FirstNames, Tags};
use crate::heart::problem::Problem;

/// The index of the spectators' generation, after those of all seats. Earlier builds ignore it.
const SPECTATORS: usize = MAX_SEATS;

/// The maximum step of a generation. A generation therefore wraps around only after thousands of new tokens of one
/// seat.
const MAX_STEP: u32 = 1 << 20;

/// The access record of a game: the generation of the valid token of each seat and of spectators (0 for the first
/// token), and the mutable data around the game. The encoding is empty if all fields have their defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    // Boxed slices, since every call keeps this record in its future.
    generations: Box<[u32]>,
    tags: Tags,
    /// The names of all players, in seat order. Empty until the first name is changed.
    names: Box<[String]>,
    /// The bots, in seat order. Seats after the end of the list have none.
    bots: Box<[Option<Bot>]>,
    /// The names at creation. Is `None` if they are in the log, where earlier builds stored them.
    first_names: Option<Arc<FirstNames>>,
}

impl Access {
    /// Returns the generation of the seat's valid token.
    #[must_use]
    pub fn generation(&self, seat: Seat) -> u32 {
        self.at(seat.index())
    }

    /// Returns the generation of the spectators' valid token.
    #[must_use]
    pub fn generation_of_spectators(&self) -> u32 {
        self.at(SPECTATORS)
    }

    /// Returns the generation of the valid token of a seat, or of spectators if `seat` is `None`.
    #[must_use]
    pub fn generation_of(&self, seat: Option<Seat>) -> u32 {
        self.at(place(seat))
    }

    fn at(&self, place: usize) -> u32 {
        self.generations.get(place).copied().unwrap_or(0)
    }

    /// Returns the record after a seat, or spectators if `seat` is `None`, got a new token, which revokes the old one.
    /// The generation grows by a random amount, so that records that two processes make at the same time differ, and a
    /// compare-and-set stores only one of them.
    #[must_use]
    pub fn rotated(&self, seat: Option<Seat>) -> Self {
        let place = place(seat);
        let mut generations = self.generations.to_vec();
        if generations.len() <= place {
            generations.resize(place + 1, 0);
        }
        let step = rand::random_range(1..=MAX_STEP);
        generations[place] = generations[place].wrapping_add(step);
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
    pub fn tagged(&self, tags: Tags) -> Self {
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
    pub fn named(&self, names: Vec<String>) -> Self {
        Self {
            names: names.into(),
            ..self.clone()
        }
    }

    /// Returns the names at creation. Returns `None` if they are in the log.
    #[must_use]
    pub fn first_names(&self) -> Option<&FirstNames> {
        self.first_names.as_deref()
    }

    /// Returns the record with these names at creation.
    #[must_use]
    pub fn begun(&self, first_names: Option<FirstNames>) -> Self {
        Self {
            first_names: first_names.map(Arc::new),
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
    pub fn played_by(&self, seat: Seat, bot: Option<Bot>) -> Self {
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
    pub fn shows_as(&self, other: &Self) -> bool {
        let shown = |access: &Self| {
            let first = access.first_names().map(FirstNames::names);
            (first.unwrap_or_default().to_vec(), access.names.clone())
        };
        (&self.tags, &self.bots) == (&other.tags, &other.bots) && shown(self) == shown(other)
    }

    /// Encodes the record for the store. Trailing parts that have their defaults are left out, as earlier builds did
    /// not know them.
    #[must_use]
    pub fn to_bytes(&self) -> Bytes {
        let Self {
            generations,
            tags,
            names,
            bots,
            first_names,
        } = self;
        if let Some(first_names) = first_names {
            return Bytes::from(encode(&(generations, tags, names, bots, &**first_names)));
        }
        Bytes::from(match (tags.is_empty(), names.is_empty(), bots.is_empty()) {
            (true, true, true) if generations.is_empty() => return Bytes::new(),
            (true, true, true) => encode(generations),
            (false, true, true) => encode(&(generations, tags)),
            (_, false, true) => encode(&(generations, tags, names)),
            (_, _, false) => encode(&(generations, tags, names, bots)),
        })
    }

    /// Decodes a stored record.
    ///
    /// # Errors
    /// If the bytes are not an access record.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Problem> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let read = || {
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
            let first_names = match rest {
                [] => None,
                rest => Some(Arc::new(decode(rest).ok()?)),
            };
            Some(Self {
                generations,
                tags,
                names,
                bots,
                first_names,
            })
        };
        read().ok_or_else(|| Problem::Damaged(String::from("the access record cannot be read")))
    }
}

fn place(seat: Option<Seat>) -> usize {
    seat.map_or(SPECTATORS, Seat::index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_and_spectators_have_tokens_of_their_own() {
        let seat = Seat::new(2).unwrap();
        let once = Access::default().rotated(Some(seat)).rotated(None);
        let read = Access::from_bytes(&once.to_bytes()).unwrap();
        assert_ne!(read.generation(seat), 0);
        assert_ne!(read.generation_of_spectators(), 0);
        let first = Seat::new(1).unwrap();
        assert_eq!(read.generation(first), 0);
        let again = read.rotated(None).generation_of(None);
        assert!(![0, read.generation_of(None)].contains(&again));
        assert_eq!(read.rotated(None).generation(seat), read.generation(seat));
    }

    #[test]
    fn records_made_at_the_same_time_differ() {
        let rotated = || Access::default().rotated(None).generation_of(None);
        let all: std::collections::HashSet<_> = (0..8).map(|_| rotated()).collect();
        assert!(all.len() > 1, "{all:?}");
    }

    #[test]
    fn records_of_earlier_builds_are_read() {
        let read = Access::from_bytes(&[2, 0, 3]).unwrap();
        assert_eq!(read.generation(Seat::new(2).unwrap()), 3);
        assert_eq!(read.generation_of_spectators(), 0);
        assert_eq!(read.to_bytes(), [2, 0, 3].as_slice());
    }

    #[test]
    fn users_and_labels_stand_behind_the_tokens() {
        let mut tags = Tags::default();
        tags.set_user(Seat::new(2).unwrap(), "ada");
        let tagged = Access::default().tagged(tags);
        let rotated = tagged.rotated(None);
        for access in [&tagged, &rotated] {
            let bytes = access.to_bytes();
            assert_eq!(Access::from_bytes(&bytes).unwrap(), *access);
            assert!(Access::from_bytes(&bytes[..bytes.len() - 1]).is_err());
        }
        let none = rotated.tagged(Tags::default());
        assert_eq!(none.generation_of(None), rotated.generation_of(None));
        assert!(none.tags().is_empty());
        assert_eq!(tagged.tagged(Tags::default()).to_bytes(), Bytes::new());
    }

    /// Watchers are notified of changes that they can see, and not of new tokens.
    #[test]
    fn records_show_the_same_if_only_tokens_differ() {
        let names = |one: &str| [one.to_owned(), String::from("Bob")];
        let began = |one| Access::default().begun(Some(FirstNames::new(&names(one), |_| "")));
        let mut tags = Tags::default();
        tags.set_user(Seat::FIRST, "ada");
        let access = began("Ada");
        assert!(access.shows_as(&access.rotated(None)));
        assert!(access.shows_as(&began("Ada")), "salts are not shown");
        for other in [
            began("Eve"),
            access.named(names("Eve").to_vec()),
            access.tagged(tags),
        ] {
            assert!(!access.shows_as(&other) && !other.shows_as(&access));
            assert!(other.shows_as(&other.clone()));
        }
    }
}
