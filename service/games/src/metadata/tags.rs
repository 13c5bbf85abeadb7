//! Users and labels: the front end's identifiers of the seats of a game and of the game itself.

use std::collections::BTreeMap;

use gamekeeper_rules::table::{MAX_SEATS, Seat};
use gamekeeper_wire::{Malformed, check_text};
use serde::{Deserialize, Serialize};

/// The maximum length of the id of a user, and of the key and value of a label, in bytes.
const MAX_LEN: usize = 64;

/// The maximum number of labels of a game.
const MAX_LABELS: usize = 16;

/// The users and labels of a game. They belong to the front end and have no meaning to the service.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tags {
    /// The users, in seat order; empty for no user. Seats after the end of the list have no user.
    users: Vec<String>,
    labels: BTreeMap<String, String>,
}

impl Tags {
    /// Validates the users of all seats, in seat order, and the labels of a new game.
    ///
    /// # Errors
    /// If a text is too long or holds control characters, or there are too many labels.
    pub fn from_request<'a>(
        users: impl IntoIterator<Item = &'a str>,
        labels: &BTreeMap<String, String>,
    ) -> Result<Self, Malformed> {
        let mut tags = Self::default();
        for (index, user) in users.into_iter().enumerate() {
            check_user(user, &format!("players[{index}].user"))?;
            tags.put_user(index, user);
        }
        tags.set_labels(labels, "labels")?;
        Ok(tags)
    }

    /// Returns whether there are neither users nor labels.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.users.is_empty() && self.labels.is_empty()
    }

    /// Returns the user of a seat. Empty if the seat has no user.
    #[must_use]
    pub fn user(&self, seat: Seat) -> &str {
        self.users.get(seat.index()).map_or("", String::as_str)
    }

    /// Returns whether this user has a seat.
    #[must_use]
    pub fn has_user(&self, user: &str) -> bool {
        self.seats_of(user).next().is_some()
    }

    /// Returns the seats of a user, in seat order. An empty user has none, although seats without a user store an empty
    /// text.
    pub fn seats_of(&self, user: &str) -> impl Iterator<Item = Seat> {
        let seats = Seat::all(MAX_SEATS).zip(&self.users);
        seats
            .filter(move |(_, of_seat)| !user.is_empty() && *of_seat == user)
            .map(|(seat, _)| seat)
    }

    /// Returns all users, in seat order; empty for a seat without a user.
    #[must_use]
    pub fn users(&self) -> &[String] {
        &self.users
    }

    /// Returns all labels.
    #[must_use]
    pub fn labels(&self) -> &BTreeMap<String, String> {
        &self.labels
    }

    /// Sets the user of a seat. An empty `user` removes it.
    pub fn set_user(&mut self, seat: Seat, user: &str) {
        self.put_user(seat.index(), user);
    }

    fn put_user(&mut self, index: usize, user: &str) {
        if self.users.len() <= index {
            self.users.resize(index + 1, String::new());
        }
        user.clone_into(&mut self.users[index]);
        while self.users.last().is_some_and(String::is_empty) {
            self.users.pop();
        }
    }

    /// Adds labels, and replaces those with the same keys.
    ///
    /// # Errors
    /// If a key or a value is too long, or the game would have too many labels.
    pub fn set_labels(
        &mut self,
        labels: &BTreeMap<String, String>,
        field: &str,
    ) -> Result<(), Malformed> {
        check_labels(labels, field)?;
        self.labels.extend(labels.clone());
        if self.labels.len() > MAX_LABELS {
            let text = format!("a game has at most {MAX_LABELS} labels");
            return Err(Malformed::new(field, text));
        }
        Ok(())
    }

    /// Removes a label.
    pub fn remove_label(&mut self, key: &str) {
        self.labels.remove(key);
    }
}

/// Checks that a text is a valid id of a user.
///
/// # Errors
/// If the text is too long or holds control characters.
pub fn check_user(user: &str, field: &str) -> Result<(), Malformed> {
    check_text_length(user, field)
}

/// Checks that these are valid labels.
///
/// # Errors
/// If a key or a value is too long or holds control characters, or a key is empty.
pub fn check_labels(labels: &BTreeMap<String, String>, field: &str) -> Result<(), Malformed> {
    for (key, value) in labels {
        if key.is_empty() {
            return Err(Malformed::new(field, "has a label without a key"));
        }
        check_text_length(key, field)?;
        check_text_length(value, field)?;
    }
    Ok(())
}

fn check_text_length(text: &str, field: &str) -> Result<(), Malformed> {
    if text.len() > MAX_LEN {
        let text = format!("is longer than {MAX_LEN} bytes");
        return Err(Malformed::new(field, text));
    }
    check_text(text, field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(count: usize) -> BTreeMap<String, String> {
        let label = |number| (format!("key {number}"), String::from("value"));
        (0..count).map(label).collect()
    }

    #[test]
    fn nobody_at_the_last_seats_is_not_kept() {
        let (one, three) = (Seat::new(1).unwrap(), Seat::new(3).unwrap());
        let mut tags = Tags::from_request(["ada", "", "eve", ""], &labels(0)).unwrap();
        assert_eq!(tags.users(), ["ada", "", "eve"]);
        assert_eq!(tags.seats_of("eve").collect::<Vec<_>>(), [three]);
        assert!(!tags.has_user("") && !tags.has_user("bob"));
        tags.set_user(three, "");
        assert_eq!(tags.users(), ["ada"]);
        tags.set_user(one, "");
        assert!(tags.is_empty());
        assert_eq!(tags.user(three), "");
    }

    #[test]
    fn users_and_labels_have_bounds() {
        let long = "x".repeat(65);
        assert!(Tags::from_request([&long[1..]], &labels(16)).is_ok());
        let failed = Tags::from_request(["", &*long], &labels(0)).unwrap_err();
        assert_eq!(failed.field, "players[1].user");
        for wrong in [
            labels(17),
            BTreeMap::from([(long.clone(), String::new())]),
            BTreeMap::from([(String::from("key"), long.clone())]),
            BTreeMap::from([(String::from("key"), String::from("two\nlines"))]),
            BTreeMap::from([(String::new(), String::from("value"))]),
        ] {
            let failed = Tags::from_request([], &wrong).unwrap_err();
            assert_eq!(failed.field, "labels", "{wrong:?}");
        }
        let mut full = Tags::from_request([], &labels(16)).unwrap();
        assert!(full.set_labels(&labels(16), "set_labels").is_ok());
        let one = BTreeMap::from([(String::from("one more"), String::new())]);
        assert!(full.clone().set_labels(&one, "set_labels").is_err());
        full.remove_label("key 3");
        assert!(full.set_labels(&one, "set_labels").is_ok());
    }
}
