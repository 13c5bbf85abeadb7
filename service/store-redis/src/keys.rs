//! The names of the keys. In a cluster, the part in braces decides the slot: all keys of a game share
//! one.

use arrayvec::ArrayString;
use gamekeeper_store::lists::{GLOBAL_PREFIX, List, Subset, status};
use gamekeeper_store::{GameId, Head};
use uuid::Uuid;
use xxhash_rust::xxh3::xxh3_64;

use super::config::RedisTopology;

/// A key of a game. Every call needs some, so keys are built without allocating.
pub(super) type Key = ArrayString<50>;

/// A key of the epoch.
pub(super) type EpochKey = ArrayString<24>;

/// The id of an entry in its stream, which the scripts call its number.
pub(super) type StreamId = ArrayString<32>;

/// The keys of a game, in the order that scripts expect: the log, the snapshot (its version and the size
/// of the entries up to it in decimal, a colon, and the state), the row, and the access record.
pub(super) fn keys_of(id: GameId) -> [Key; 4] {
    let mut digits = Uuid::encode_buffer();
    let id = id.hyphenated().encode_lower(&mut digits);
    ["log", "snapshot", "row", "access"].map(|of| joined(["gk:{", &*id, "}:", of]))
}

/// The number of an entry in the stream: its version and its hash.
pub(super) fn stream_id(head: Head) -> StreamId {
    let (mut version, mut entry_hash) = (itoa::Buffer::new(), itoa::Buffer::new());
    joined([
        version.format(head.version),
        "-",
        entry_hash.format(head.entry_hash),
    ])
}

/// Formats a number in decimal.
pub(super) fn decimal(number: u64) -> ArrayString<20> {
    joined([itoa::Buffer::new().format(number)])
}

/// The key of the log: a stream with one entry for each version. Also the name of the channel for
/// wake-ups.
pub(super) fn log_key(id: GameId) -> Key {
    key(id, "log")
}

pub(super) fn row_key(id: GameId) -> Key {
    key(id, "row")
}

pub(super) fn access_key(id: GameId) -> Key {
    key(id, "access")
}

/// The key of the feed with this topic: a stream with one entry for each record. Wake-ups use the channel of the
/// topic's log key.
pub(super) fn feed_key(topic: GameId) -> Key {
    key(topic, "feed")
}

/// The key of the beginning of a feed, which exists while somebody follows it: the time in milliseconds, and a name that
/// no other beginning has.
pub(super) fn feed_start_key(topic: GameId) -> Key {
    key(topic, "begun")
}

/// The key of a key-value record. No game has the id of one.
pub(super) fn kv_key(id: GameId) -> Key {
    key(id, "note")
}

/// The key of a staged log that will be renamed to the log of a game. It is unique, because another process may be
/// creating or packing the same game.
pub(super) fn staged_log_key(id: GameId) -> String {
    format!("gk:{{{id}}}:waiting:{}", Uuid::now_v7())
}

fn key(id: GameId, of: &str) -> Key {
    let mut digits = Uuid::encode_buffer();
    let id = id.hyphenated().encode_lower(&mut digits);
    joined(["gk:{", id, "}:", of])
}

/// Concatenates parts. There is room for every id, version and hash.
fn joined<const ROOM: usize, const PARTS: usize>(parts: [&str; PARTS]) -> ArrayString<ROOM> {
    let mut key = ArrayString::new();
    for part in parts {
        key.push_str(part);
    }
    key
}

/// The key that is written before `WAIT`, in the slot of another key (see `replicas`).
pub(super) fn probe_key(key: &str) -> String {
    format!("{key}:mark")
}

/// Returns the game to which a channel belongs.
pub(super) fn game_of_channel(channel: &str) -> Option<GameId> {
    let id = channel.strip_prefix("gk:{")?.strip_suffix("}:log")?;
    Uuid::try_parse(id).ok()
}

/// Lists that share a slot: those of a tenant, or of all tenants together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotGroup<'a> {
    All,
    Tenant(&'a str),
}

impl<'a> SlotGroup<'a> {
    /// Returns the group of a list.
    pub(super) fn of(list: List<'a>) -> SlotGroup<'a> {
        match list {
            List::Created(None, _) | List::Global(_) => SlotGroup::All,
            List::Created(Some(tenant), _) | List::Named(tenant, _) | List::Timed(tenant, _) => {
                SlotGroup::Tenant(tenant)
            }
        }
    }

    /// Returns the key of the set that holds the names of the lists.
    pub(super) fn names(self) -> String {
        match self {
            SlotGroup::All => String::from("gk:{lists}"),
            SlotGroup::Tenant(tenant) => format!("gk:{{lists of {}}}", hash_of(tenant)),
        }
    }

    /// Returns the key of the bytes that the tenant stores.
    pub(super) fn bytes(self) -> String {
        format!("{}:bytes", self.names())
    }

    /// Returns the key of one of the lists.
    pub(super) fn key(self, list: List<'_>) -> String {
        format!("{}:{}", self.names(), SlotGroup::name(list))
    }

    /// Returns the name of a list within its group.
    pub(super) fn name(list: List<'_>) -> String {
        match list {
            List::Created(_, Subset::All) => String::from(GAMES),
            List::Created(_, Subset::Status(finished)) => status(finished).to_owned(),
            List::Created(_, Subset::StatusAndRuleset(finished, ruleset)) => {
                format!("{} {ruleset}", status(finished))
            }
            List::Named(_, name) | List::Global(name) => format!("{NAMED}{name}"),
            List::Timed(_, name) => format!("{TIMED}{name}"),
        }
    }

    /// Returns the list with this name, or `None` if no list has such a name.
    pub(super) fn list(self, name: &'a str) -> Option<List<'a>> {
        let tenant = match self {
            SlotGroup::All => None,
            SlotGroup::Tenant(tenant) => Some(tenant),
        };
        if let Some(name) = name.strip_prefix(TIMED) {
            return tenant.map(|tenant| List::Timed(tenant, name));
        }
        if let Some(name) = name.strip_prefix(NAMED) {
            return match tenant {
                Some(tenant) => Some(List::Named(tenant, name)),
                None => name
                    .starts_with(GLOBAL_PREFIX)
                    .then_some(List::Global(name)),
            };
        }
        let part = match name.split_once(' ') {
            None if name == GAMES => Subset::All,
            None => Subset::Status(finished(name)?),
            Some((status, ruleset)) => Subset::StatusAndRuleset(finished(status)?, ruleset),
        };
        Some(List::Created(tenant, part))
    }
}

/// The name of the list of all games of a group.
const GAMES: &str = "games";

/// The beginning of the names of named lists.
const NAMED: &str = "list:";

/// The beginning of the names of timed lists.
const TIMED: &str = "timed:";

fn finished(name: &str) -> Option<bool> {
    [true, false]
        .into_iter()
        .find(|finished| status(*finished) == name)
}

/// The hash of a tenant in hexadecimal: the name itself may contain braces, which decide the slot.
fn hash_of(tenant: &str) -> String {
    format!("{:016x}", xxh3_64(tenant.as_bytes()))
}

/// The set of all tenants that ever had a game.
pub(super) const TENANTS: &str = "gk:tenants";

/// The announcements of processes: the retention time that each wants for all games.
pub(super) const RETENTION_VOTES: &str = "gk:terms:{terms}:wanted";

/// The retention times that were last applied to all games.
pub(super) const AGREED_RETENTION: &str = "gk:terms:{terms}:given";

/// The lease of the process that applies new retention times to all games.
pub(super) const RETENTION_LEASE: &str = "gk:terms:{terms}:lease";

/// Exists while the next sweep of the lists is not due.
pub(super) const SWEEP_COOLDOWN: &str = "gk:tidied";

/// A key that never exists. Deleting it shows whether a server takes writes.
pub(super) const WRITE_PROBE: &str = "gk:probe";

/// Returns the key of the mark that never falls, in the slot of another key without braces.
pub(super) fn mark_key(key: &str) -> String {
    format!("gk:mark:{{{key}}}")
}

/// Returns a key like [`WRITE_PROBE`] in the slot of another key without braces.
pub(super) fn write_probe_key(key: &str) -> String {
    format!("{WRITE_PROBE}:{{{key}}}")
}

/// The lease of the process that writes a new epoch.
pub(super) const EPOCH_LEASE: &str = "gk:epoch:lease";

/// Returns the keys of the epoch, in the order of slots: one key in a single Redis; one for each slot in a cluster, so
/// that every script has one in the slot of its other keys.
pub(super) fn epoch_keys(topology: &RedisTopology) -> Vec<EpochKey> {
    match topology {
        RedisTopology::Single { .. } | RedisTopology::Sentinel { .. } => {
            vec![joined(["gk:epoch"])]
        }
        RedisTopology::Cluster { .. } => {
            let mut keys = vec![None; usize::from(SLOTS)];
            let mut missing = keys.len();
            let mut number = 0;
            while missing > 0 {
                let key: EpochKey = joined(["gk:epoch:", itoa::Buffer::new().format(number)]);
                let slot_key = &mut keys[usize::from(slot_of(&key))];
                if slot_key.is_none() {
                    *slot_key = Some(key);
                    missing -= 1;
                }
                number += 1;
            }
            keys.into_iter().flatten().collect()
        }
    }
}

/// The number of slots of a cluster.
const SLOTS: u16 = 16_384;

/// Returns the slot of a key: CRC-16 (XMODEM) of the part in braces, or of the whole key.
pub(super) fn slot_of(key: &str) -> u16 {
    let tag = key
        .split_once('{')
        .and_then(|(_, rest)| rest.split_once('}'));
    let tag = tag.map_or(key, |(tag, _)| tag);
    crc16::State::<crc16::XMODEM>::calculate(tag.as_bytes()) % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_those_of_redis() {
        // Checked with CLUSTER KEYSLOT.
        assert_eq!(slot_of("123456789"), 12_739);
        assert_eq!(slot_of("gk:{user1000}:log"), slot_of("gk:{user1000}:row"));
        assert_eq!(slot_of("{user1000}.following"), 3_443);
        let topic = Uuid::from_u128(7);
        for key in [feed_key(topic), feed_start_key(topic)] {
            assert_eq!(slot_of(&key), slot_of(&log_key(topic)));
        }
    }

    /// A script may only touch keys of one slot.
    #[test]
    fn what_helps_a_game_lies_beside_it() {
        let [game, other] = [7, 8].map(Uuid::from_u128);
        let log = log_key(game);
        let waiting = [staged_log_key(game), staged_log_key(game)];
        assert_ne!(waiting[0], waiting[1], "of two that create one game");
        for key in [mark_key("gk:epoch:7"), write_probe_key("gk:epoch:7")] {
            assert_eq!(slot_of(&key), slot_of("gk:epoch:7"), "{key}");
        }
        for key in waiting.iter().chain([&probe_key(&log)]) {
            assert_eq!(slot_of(key), slot_of(&log), "{key}");
            assert_ne!(**key, *log);
        }
        assert_ne!(probe_key(&log), probe_key(&log_key(other)));
    }

    #[test]
    fn lists_are_found_by_their_names() {
        let named = |name| List::Named("red", name);
        let of_red = |part| List::Created(Some("red"), part);
        let (all, red) = (SlotGroup::All, SlotGroup::Tenant("red"));
        let lists = [
            (red, named("active")),
            (red, named("list:games")),
            (red, List::Timed("red", "due")),
            (red, of_red(Subset::All)),
            (all, List::Created(None, Subset::All)),
            (all, List::Global("*due")),
            (all, List::Created(None, Subset::Status(true))),
            (red, of_red(Subset::Status(false))),
            (red, of_red(Subset::StatusAndRuleset(true, "terra_mystica"))),
        ];
        for (group, list) in lists {
            assert_eq!(SlotGroup::of(list), group);
            assert_eq!(group.list(&SlotGroup::name(list)), Some(list));
            assert_eq!(slot_of(&group.key(list)), slot_of(&group.names()));
        }
        for name in ["", "game", "idle", "idle dominion"] {
            assert_eq!(red.list(name), None);
        }
        assert_eq!(all.list("list:mine"), None);
        assert_eq!(all.list("timed:due"), None);
    }

    #[test]
    fn every_slot_of_a_cluster_has_its_own_key_of_the_epoch() {
        let topology = RedisTopology::Cluster { nodes: vec![] };
        let keys = epoch_keys(&topology);
        let slots = keys.iter().map(|key| slot_of(key));
        assert!(slots.eq(0..SLOTS));
    }
}
