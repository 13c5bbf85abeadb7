//! The **index** of games by the front end's users and labels, and the visibility of these.

use std::collections::BTreeSet;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::{PendingList, Seat, SeatSet};
use gamekeeper_store::{GameId, IndexRow, Lists};
use gamekeeper_wire::Wire;

use crate::heart::access::{Access, Caller, Tags};
use crate::heart::due::due_lists;
use crate::heart::game::Game;
use crate::heart::hashed_id::hashed_id;
use crate::heart::shared::Shared;

/// The name of the list of all games with users or labels.
pub(crate) const TAGGED: &str = "tagged";

/// Returns the name of the part of a list with the games of one status. Each part is a list of its own, since a tenant
/// may have few active games and many finished ones, or the other way round.
pub(crate) fn part(list: &str, finished: bool) -> String {
    let status = if finished { "over" } else { "active" };
    format!("{status} {list}")
}

/// Returns the name of the list of games at which a user has a seat.
pub(crate) fn of_user(user: &str) -> String {
    format!("user {user}")
}

/// Returns the name of the list of games that hold the user's name at creation, while the user is not at that seat.
pub(crate) fn named_after(user: &str) -> String {
    format!("named after {user}")
}

/// Returns the name of the list of games in which a user has a pending decision.
pub(crate) fn awaiting(user: &str) -> String {
    format!("awaits {user}")
}

/// Returns the name of the list of games with a label. It contains the length of the key, so that no two labels share a
/// list.
pub(crate) fn labeled(key: &str, value: &str) -> String {
    format!("label {} {key} {value}", key.len())
}

/// Returns the name of the list of all forks in the family of a game that is not a fork itself.
pub(crate) fn of_forks(first: GameId) -> String {
    format!("forks {first}")
}

/// Returns the lists that contain a game with these users, labels and pending decisions, at these times. `first` is the
/// oldest ancestor of a fork. Returns `None` if no list contains the game.
pub(crate) fn lists(
    access: &Access,
    pending: &PendingList,
    (changed_ms, due_ms, clock_ms): Times,
    first: Option<GameId>,
) -> Option<Lists> {
    let tags = access.tags();
    let mut names = due_ms.map_or_else(Vec::new, due_lists);
    names.extend(first.map(of_forks));
    names.extend(named_only(access));
    if !tags.is_empty() {
        names.extend(tagged(tags, pending));
    }
    names.sort_unstable();
    names.dedup();
    let timed = clock_ms.map_or_else(Vec::new, |clock_ms| by_due(tags, clock_ms));
    (!names.is_empty() || !timed.is_empty()).then_some(Lists {
        changed_ms,
        names,
        timed,
    })
}

/// The time of the last change, the next time at which the service must act, and the next time at which a seat runs out
/// of time, in milliseconds since the Unix epoch.
pub(crate) type Times = (u64, Option<u64>, Option<u64>);

/// Returns the name of the timed list of games with running clocks: of all games of a tenant, or of a user's.
pub(crate) fn due_list(user: Option<&str>) -> String {
    user.map_or_else(
        || String::from("due"),
        |user| format!("due {}", of_user(user)),
    )
}

/// Returns the sort key of a game in such a list. Stores sort timed lists in descending order, so the key is the
/// complement of the time, and the game that is due first comes first.
pub(crate) const fn due_place(due_ms: u64) -> u64 {
    LAST_DUE.saturating_sub(due_ms)
}

/// A time that no clock reaches, and that stores can represent.
const LAST_DUE: u64 = 1 << 52;

/// Returns the timed lists that contain a game whose next decision is due at this time.
fn by_due(tags: &Tags, due_ms: u64) -> Vec<(String, u64)> {
    let users = tags.users().iter().filter(|user| !user.is_empty());
    let users: BTreeSet<&str> = users.map(String::as_str).collect();
    let lists = [None].into_iter().chain(users.into_iter().map(Some));
    lists
        .map(|user| (due_list(user), due_place(due_ms)))
        .collect()
}

/// Returns the lists of the users whose names a game still holds from its creation, but who are not at their seats now.
/// No other list finds the game for them, for instance when their data is erased.
fn named_only(access: &Access) -> impl Iterator<Item = String> {
    let first = access.first_names();
    let seats = Seat::all(first.map_or(0, |first| first.names().len()));
    seats.filter_map(move |seat| {
        let user = first.map_or("", |first| first.user(seat));
        (!user.is_empty() && user != access.tags().user(seat)).then(|| named_after(user))
    })
}

/// Returns the lists that contain a game because of its users and labels.
fn tagged(tags: &Tags, pending: &PendingList) -> Vec<String> {
    let users = || tags.users().iter().filter(|user| !user.is_empty());
    let mut names = vec![TAGGED.to_owned()];
    names.extend(users().map(|user| of_user(user)));
    names.extend(tags.labels().iter().map(|(key, value)| labeled(key, value)));
    let parts: Vec<String> = names
        .iter()
        .map(|list| part(list, pending.is_empty()))
        .collect();
    names.extend(parts);
    let asked = pending.iter().map(|pending| tags.user(pending.seat));
    names.extend(asked.filter(|user| !user.is_empty()).map(awaiting));
    names
}

/// Returns the topic that watchers of a user subscribe to, an id that no game has.
pub(crate) fn user_topic(tenant: &str, user: &str) -> GameId {
    hashed_id(&[b"user", tenant.as_bytes(), user.as_bytes()])
}

impl Shared {
    /// Wakes the watchers of these users in the background, since a game was added to or removed from their lists. A
    /// lost wake-up does no harm, since watchers also poll.
    pub(crate) fn wake_users(&self, tenant: &str, users: impl IntoIterator<Item = String>) {
        let topics: Vec<GameId> = users
            .into_iter()
            .filter(|user| !user.is_empty())
            .map(|user| user_topic(tenant, &user))
            .collect();
        if topics.is_empty() {
            return;
        }
        let store = std::sync::Arc::clone(&self.store);
        tokio::spawn(async move {
            for topic in topics {
                if let Err(error) = store.wake(topic).await {
                    tracing::debug!(%error, "cannot wake the watchers of a user");
                }
            }
        });
    }
}

/// The users and labels of a game that a caller may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KnownTags {
    /// Only the users of these seats, and no labels.
    Users(SeatSet),
    /// All users and labels.
    All,
}

impl<W: Wire> Game<W> {
    /// Encodes the public facts, with the users and labels that a caller may see.
    pub(crate) fn info_for(&self, caller: &Caller) -> pb::GameInfo {
        self.info_with(self.known_tags(caller))
    }

    /// Returns which users and labels a caller may see.
    pub(crate) fn known_tags(&self, caller: &Caller) -> KnownTags {
        match caller.user() {
            Some(user) => KnownTags::Users(self.access.tags().seats_of(user).collect()),
            None if caller.knows_tags() => KnownTags::All,
            None => KnownTags::Users(SeatSet::EMPTY),
        }
    }

    /// Encodes the public facts, with these users and labels.
    pub(crate) fn info_with(&self, known: KnownTags) -> pb::GameInfo {
        let mut info = self.info();
        let tags = self.access.tags();
        match known {
            KnownTags::All if !tags.is_empty() => {
                for (player, user) in info.players.iter_mut().zip(tags.users()) {
                    player.user.clone_from(user);
                }
                info.labels.clone_from(tags.labels());
            }
            KnownTags::All => {}
            KnownTags::Users(seats) => {
                for seat in seats.iter() {
                    if let Some(player) = info.players.get_mut(seat.index()) {
                        tags.user(seat).clone_into(&mut player.user);
                    }
                }
            }
        }
        info
    }
}

/// Builds the index row of a game.
pub(crate) fn row<W: Wire>(game: &Game<W>) -> IndexRow {
    let pending = game.pending();
    let life = game.life.as_deref();
    let due_ms = game.due_ms((life, &pending), game.time_ms);
    let clock_ms = game.clock_ms((life, &pending));
    IndexRow {
        tenant: game.birth.tenant.clone(),
        ruleset: W::SHEET.id.to_owned(),
        created_ms: game.birth.created_ms(),
        finished: game.is_over(),
        lists: lists(
            &game.access,
            &pending,
            (game.time_ms, due_ms, clock_ms),
            game.first_game(),
        ),
    }
}

/// Builds the index row of a game for another access record.
pub(crate) fn relisted<W: Wire>(game: &Game<W>, access: &Access, now_ms: u64) -> IndexRow {
    let changed_ms = now_ms.max(game.time_ms);
    let pending = game.pending();
    let life = game.life.as_deref();
    let times = (
        changed_ms,
        game.due_ms((life, &pending), changed_ms),
        game.clock_ms((life, &pending)),
    );
    IndexRow {
        lists: lists(access, &pending, times, game.first_game()),
        ..row(game)
    }
}

/// Returns the users that are in exactly one of the two, whose lists of games change.
pub(crate) fn moved_users(before: &Tags, after: &Tags) -> BTreeSet<String> {
    let users = |tags: &Tags| tags.users().iter().cloned().collect::<BTreeSet<_>>();
    &users(before) ^ &users(after)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::heart::access::FirstNames;

    #[test]
    fn no_label_is_taken_for_another() {
        let pairs = [("a", "b c"), ("a b", "c"), ("", "a b c"), ("a b c", "")];
        let names: std::collections::BTreeSet<String> = pairs
            .iter()
            .map(|(key, value)| labeled(key, value))
            .collect();
        assert_eq!(names.len(), pairs.len());
    }

    #[test]
    fn a_game_that_nobody_calls_anything_is_in_no_list() {
        let never = (7, None, None);
        assert_eq!(
            lists(&Access::default(), &PendingList::default(), never, None),
            None
        );
        let label = BTreeMap::from([(String::from("key"), String::new())]);
        let tags = Tags::read(["ada", "", "ada"], &label).unwrap();
        let access = Access::default().tagged(tags);
        let over = lists(&access, &PendingList::default(), never, None).unwrap();
        let names = [
            "label 3 key ",
            "over label 3 key ",
            "over tagged",
            "over user ada",
            "tagged",
            "user ada",
        ];
        assert_eq!(over.names, names);
        assert_eq!(over.changed_ms, 7);
        assert_eq!(over.timed, []);
        let due = lists(&access, &PendingList::default(), (7, None, Some(9)), None).unwrap();
        let time = (1 << 52) - 9;
        assert_eq!(
            due.timed,
            [("due".to_owned(), time), ("due user ada".to_owned(), time)]
        );
    }

    /// A user who is still at the seat is found by the list of that seat's user, so the list of names at creation is
    /// only for the others.
    #[test]
    fn a_game_is_listed_for_those_whose_names_it_began_with() {
        let names = ["Ada", "Bob", "Cyd"].map(String::from);
        let users = ["ada", "bob", ""];
        let first = FirstNames::new(&names, |seat| users[seat.index()]);
        let tags = Tags::read(["eve", "bob", "cyd"], &BTreeMap::new()).unwrap();
        let access = Access::default().begun(Some(first)).tagged(tags);
        let never = (7, None, None);
        let lists = lists(&access, &PendingList::default(), never, None).unwrap();
        let named = |user| lists.names.contains(&named_after(user));
        assert_eq!(
            ["ada", "bob", "cyd", "eve", ""].map(named),
            [true, false, false, false, false]
        );
    }

    #[test]
    fn the_lists_of_those_who_come_and_go_change() {
        let tags = |users: [&str; 2]| Tags::read(users, &BTreeMap::new()).unwrap();
        let moved = |before, after| -> Vec<String> {
            moved_users(&tags(before), &tags(after))
                .into_iter()
                .collect()
        };
        assert_eq!(moved(["ada", "bob"], ["eve", "bob"]), ["ada", "eve"]);
        assert!(moved(["ada", "bob"], ["bob", "ada"]).is_empty());
    }
}
