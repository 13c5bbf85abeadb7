//! The access record of a game, stored next to its log: which seat tokens are valid, the front end's users and labels,
//! and names that have changed.

use std::sync::Arc;

use bytes::Bytes;
use gamekeeper_rules::table::{MAX_SEATS, Seat, decode, encode};

use super::{Bot, FirstNames, Tags};
use crate::heart::problem::Problem;

/// The index of spectators, after all seats: earlier builds ignore it.
const SPECTATORS: usize = MAX_SEATS;

/// The most by which a generation grows: generations start over only after thousands of new tokens of one seat.
const MAX_STEP: u32 = 1 << 20;

/// The generations of the valid tokens of each seat and of spectators, 0 for the first token. The record of a
/// game without replaced tokens, users, labels and changed names is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    // Slices, since every call keeps this record in its future.
    generations: Box<[u32]>,
    tags: Tags,
    /// The names of all players, in seat order, once one of them has changed.
    names: Box<[String]>,
    /// The bots, in seat order; seats after the end of the list have none.
    bots: Box<[Option<Bot>]>,
    /// The names of the creation; `None`: they are in the log, as earlier builds kept them.
    first_names: Option<Arc<FirstNames>>,
}

impl Access {
    /// The generation of this seat's valid token.
    #[must_use]
    pub fn generation(&self, seat: Seat) -> u32 {
        self.at(seat.index())
    }

    /// The generation of the spectators' valid token.
    #[must_use]
    pub fn generation_of_spectators(&self) -> u32 {
        self.at(SPECTATORS)
    }

    /// The generation of the valid token of a seat, or of spectators.
    #[must_use]
    pub fn generation_of(&self, seat: Option<Seat>) -> u32 {
        self.at(place(seat))
    }

    fn at(&self, place: usize) -> u32 {
        self.generations.get(place).copied().unwrap_or(0)
    }

    /// The record after this seat, or spectators, got a new token. The generation grows by a random amount, so
    /// that records that two processes make at the same time differ, and only one of them is stored.
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

    /// Users and labels.
    #[must_use]
    pub fn tags(&self) -> &Tags {
        &self.tags
    }

    /// The record with these users and labels.
    #[must_use]
    pub fn tagged(&self, tags: Tags) -> Self {
        Self {
            tags,
            ..self.clone()
        }
    }

    /// The names of all players, in seat order; empty as long as they are those of the creation.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The record with these names.
    #[must_use]
    pub fn named(&self, names: Vec<String>) -> Self {
        Self {
            names: names.into(),
            ..self.clone()
        }
    }

    /// The names of the creation; `None`: they are in the log.
    #[must_use]
    pub fn first_names(&self) -> Option<&FirstNames> {
        self.first_names.as_deref()
    }

    /// The record of a game that began with these names.
    #[must_use]
    pub fn begun(&self, first_names: Option<FirstNames>) -> Self {
        Self {
            first_names: first_names.map(Arc::new),
            ..self.clone()
        }
    }

    /// The bot that plays a seat, if one does.
    #[must_use]
    pub fn bot(&self, seat: Seat) -> Option<&Bot> {
        self.bots.get(seat.index())?.as_ref()
    }

    /// Does a bot play any seat?
    #[must_use]
    pub fn has_bots(&self) -> bool {
        !self.bots.is_empty()
    }

    /// The record after a bot took a seat, or left it.
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

    /// Do both show the same names, bots, users and labels?
    #[must_use]
    pub fn shows_as(&self, other: &Self) -> bool {
        let shown = |access: &Self| {
            let first = access.first_names().map(FirstNames::names);
            (first.unwrap_or_default().to_vec(), access.names.clone())
        };
        (&self.tags, &self.bots) == (&other.tags, &other.bots) && shown(self) == shown(other)
    }

    /// The record as the store keeps it.
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
    /// When the bytes are not such a record.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Problem> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let read = || {
            // The record ends before what it does not have.
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

    /// Watchers hear of what is shown, and not of new tokens.
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
