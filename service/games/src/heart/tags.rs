//! Users and labels, by which the front end knows a game: who sees them, and the lists that follow from them.

use std::collections::BTreeSet;

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::{PendingList, Seat, SeatSet};
use gamekeeper_store::{GameId, IndexRow, Lists};
use gamekeeper_wire::Wire;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::heart::access::{Access, Caller, Tags};
use crate::heart::due::due_lists;
use crate::heart::game::Game;
use crate::heart::shared::Shared;

/// The list of all games with users or labels.
pub(crate) const TAGGED: &str = "tagged";

/// The part of a list with the games of one status. Each part is a list of its own, since a tenant may have few
/// games that are active and many that are over, or the other way round.
pub(crate) fn part(list: &str, finished: bool) -> String {
    let status = if finished { "over" } else { "active" };
    format!("{status} {list}")
}

/// The list of the games at which a user has a seat.
pub(crate) fn of_user(user: &str) -> String {
    format!("user {user}")
}

/// The list of the games that began with the name of a user who is not at that seat now.
pub(crate) fn named_after(user: &str) -> String {
    format!("named after {user}")
}

/// The list of the games in which a user owes a decision.
pub(crate) fn awaiting(user: &str) -> String {
    format!("awaits {user}")
}

/// The list of the games with a label. The length keeps key and value apart.
pub(crate) fn labeled(key: &str, value: &str) -> String {
    format!("label {} {key} {value}", key.len())
}

/// The list of the forks, and of the forks of forks, of the game that was created first.
pub(crate) fn of_forks(first: GameId) -> String {
    format!("forks {first}")
}

/// The lists that contain a game with these users, labels and pending decisions, at these times. Forks also name the game
/// that was created first.
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

/// When a game was changed last, when the service must do something for it, and when the time of a seat runs out, in
/// milliseconds since the Unix epoch.
pub(crate) type Times = (u64, Option<u64>, Option<u64>);

/// The timed list of the games whose clocks run: of all of a tenant, or of a user's.
pub(crate) fn due_list(user: Option<&str>) -> String {
    user.map_or_else(
        || String::from("due"),
        |user| format!("due {}", of_user(user)),
    )
}

/// The time of a game in such a list: lists begin with the greatest, and what is due first comes first.
pub(crate) const fn due_place(due_ms: u64) -> u64 {
    LAST_DUE.saturating_sub(due_ms)
}

/// A time that no clock reaches. Stores keep times to this size.
const LAST_DUE: u64 = 1 << 52;

/// The timed lists of a game whose next decision is due at this time.
fn by_due(tags: &Tags, due_ms: u64) -> Vec<(String, u64)> {
    let users = tags.users().iter().filter(|user| !user.is_empty());
    let users: BTreeSet<&str> = users.map(String::as_str).collect();
    let lists = [None].into_iter().chain(users.into_iter().map(Some));
    lists
        .map(|user| (due_list(user), due_place(due_ms)))
        .collect()
}

/// The lists of those whose names a game began with, and who are not at their seats: nobody else finds it for them.
fn named_only(access: &Access) -> impl Iterator<Item = String> {
    let first = access.first_names();
    let seats = Seat::all(first.map_or(0, |first| first.names().len()));
    seats.filter_map(move |seat| {
        let user = first.map_or("", |first| first.user(seat));
        (!user.is_empty() && user != access.tags().user(seat)).then(|| named_after(user))
    })
}

/// The lists that contain a game because of its users and labels.
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

/// The topic that watchers of a user subscribe to: an id that no game has.
pub(crate) fn user_topic(tenant: &str, user: &str) -> GameId {
    let hash = Sha256::new()
        .chain_update(b"user\0")
        .chain_update(tenant)
        .chain_update(b"\0")
        .chain_update(user)
        .finalize();
    Uuid::new_v8(std::array::from_fn(|at| hash[at]))
}

impl Shared {
    /// Wakes the watchers of these users in the background, since a game may have come or gone. A lost wake-up
    /// does no harm, since watchers also look periodically.
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

/// Users and labels of a game, as far as somebody may know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KnownTags {
    /// The users of these seats.
    Users(SeatSet),
    /// All of them.
    All,
}

impl<W: Wire> Game<W> {
    /// The public facts, with the users and labels that a caller may know.
    pub(crate) fn info_for(&self, caller: &Caller) -> pb::GameInfo {
        self.info_with(self.known_tags(caller))
    }

    /// The users and labels that a caller may know.
    pub(crate) fn known_tags(&self, caller: &Caller) -> KnownTags {
        match caller.user() {
            Some(user) => KnownTags::Users(self.access.tags().seats_of(user).collect()),
            None if caller.knows_tags() => KnownTags::All,
            None => KnownTags::Users(SeatSet::EMPTY),
        }
    }

    /// The public facts, with these users and labels.
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

/// The index row of a game.
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

/// The row of a game with another access record.
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

/// The users of either, but not of both: those whose lists of games change.
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

    /// What the game began with is found for them alone: at their seat, they are found anyway.
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
