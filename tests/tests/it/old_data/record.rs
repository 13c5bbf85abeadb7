//! A game as an earlier build stored it.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use gamekeeper_games::authz::{Caller, Role};
use gamekeeper_proto::raw::{Action, ApplyActionRequest, CreateGameRequest};
use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::ruleset::{Applied, apply, begin, create, legal_actions};
use gamekeeper_rules::starts::{Start, warm_start};
use gamekeeper_rules::table::{Chance, Detail, Seed, Viewer};
use gamekeeper_store::feed::DEFAULT_FEED_RETENTION;
use gamekeeper_store::{
    Commit, Committed, Created, GameId, GameStore, Head, IndexRow, NewGame, Version, sizes,
};
use gamekeeper_tests::room::{games_with, seated};
use gamekeeper_wire::{Wire, wrap_action, wrap_options, wrap_view};
use gamekeeperd::stores::{StoreConfig, open};
use uuid::Uuid;

/// A game as it was stored.
#[derive(Clone)]
pub(super) struct Record {
    /// The id under which the game was played, which the commitment of its creation binds. Is `None` if no such
    /// commitment was made yet.
    pub(super) id: Option<GameId>,
    pub(super) entries: Vec<Bytes>,
    /// The version of the snapshot, and the snapshot.
    pub(super) snapshot: (Version, Bytes),
}

fn folder<W: Wire>(revision: u32) -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    data.join(W::INFO.id).join(format!("revision_{revision}"))
}

impl Record {
    fn read(folder: &Path) -> Record {
        let log = Bytes::from(std::fs::read(folder.join("log.bin")).unwrap());
        let (mut entries, mut rest) = (Vec::new(), log);
        while !rest.is_empty() {
            let length = u32::from_be_bytes(rest.split_to(4)[..].try_into().unwrap());
            entries.push(rest.split_to(usize::try_from(length).unwrap()));
        }
        let mut snapshot = Bytes::from(std::fs::read(folder.join("snapshot.bin")).unwrap());
        let version = u64::from_be_bytes(snapshot.split_to(8)[..].try_into().unwrap());
        let id = std::fs::read_to_string(folder.join("id.txt")).ok();
        Record {
            id: id.map(|id| Uuid::try_parse(id.trim()).unwrap()),
            entries,
            snapshot: (version, snapshot),
        }
    }

    fn write(&self, folder: &Path) {
        let length = |entry: &Bytes| u32::try_from(entry.len()).unwrap().to_be_bytes();
        let log = self
            .entries
            .iter()
            .flat_map(|entry| [length(entry).to_vec(), entry.to_vec()]);
        let (version, snapshot) = &self.snapshot;
        let snapshot = [&version.to_be_bytes()[..], &snapshot[..]].concat();
        std::fs::create_dir_all(folder).unwrap();
        if let Some(id) = self.id {
            std::fs::write(folder.join("id.txt"), format!("{id}\n")).unwrap();
        }
        std::fs::write(folder.join("log.bin"), log.flatten().collect::<Vec<u8>>()).unwrap();
        std::fs::write(folder.join("snapshot.bin"), snapshot).unwrap();
    }

    /// Returns a copy of this record that ends with this version.
    pub(super) fn until(&self, version: Version) -> Record {
        let entries = self.entries[..usize::try_from(version).unwrap()].to_vec();
        Record {
            entries,
            ..self.clone()
        }
    }

    /// Stores the game as it was originally stored, entry by entry, under a new id.
    pub(super) async fn put<W: Wire>(&self, store: &dyn GameStore, tenant: &str) -> GameId {
        self.put_as::<W>(store, tenant, Uuid::now_v7()).await
    }

    /// Stores the game under the id under which it was played: its record verifies under no other.
    pub(super) async fn put_again<W: Wire>(&self, store: &dyn GameStore, tenant: &str) -> GameId {
        let id = self.id.unwrap_or_else(Uuid::now_v7);
        self.put_as::<W>(store, tenant, id).await
    }

    async fn put_as<W: Wire>(&self, store: &dyn GameStore, tenant: &str, id: GameId) -> GameId {
        let row = IndexRow {
            tenant: tenant.to_owned(),
            ruleset: W::INFO.id.to_owned(),
            created_ms: 1_790_000_000_000,
            finished: false,
            lists: None,
        };
        let (snapshot_version, snapshot) = &self.snapshot;
        let snapshot_at = |version| (version == *snapshot_version).then(|| snapshot.clone());
        let game = NewGame {
            id,
            row: row.clone(),
            entry: self.entries[0].clone(),
            history: Vec::new(),
            snapshot: snapshot_at(1).unwrap_or_default(),
            access: Bytes::new(),
            tenant_limit: None,
            tenant_bytes: None,
        };
        assert_eq!(store.create(game).await.unwrap(), Created::Done);
        let mut log_bytes = sizes::bytes(self.entries[0].len());
        for (version, pair) in (1..).zip(self.entries.windows(2)) {
            let [before, entry] = pair else {
                unreachable!("windows of two")
            };
            let is_last = version + 1 == self.newest();
            log_bytes += sizes::bytes(entry.len());
            let commit = Commit {
                id,
                tenant: tenant.to_owned(),
                expected: Head::of(version, before),
                entry: entry.clone(),
                log_bytes,
                snapshot: snapshot_at(version + 1),
                row: is_last.then(|| IndexRow {
                    finished: true,
                    ..row.clone()
                }),
                access: None,
            };
            assert_eq!(store.commit(&commit).await.unwrap(), Committed::Done);
        }
        id
    }

    pub(super) fn newest(&self) -> Version {
        self.entries.len() as Version
    }
}

/// The number of the seed of recorded games.
const NUMBER: u64 = 1;

/// The table on which a recorded game begins.
#[derive(Clone, Copy)]
pub(super) enum Origin {
    SetUp,
    /// A described table, late in a game.
    Position,
}

/// Plays a game from its set-up. See [`played_from`].
pub(super) async fn played<W: Audit + Wire>(max_actions: usize, snapshot_every: u64) -> Record {
    played_from::<W>(Origin::SetUp, max_actions, snapshot_every).await
}

/// Plays a game through the service, to its end or for this many actions, and returns what was stored.
/// Of the snapshots it takes the one in the middle of the game.
pub(super) async fn played_from<W: Audit + Wire>(
    origin: Origin,
    max_actions: usize,
    snapshot_every: u64,
) -> Record {
    let store = open(StoreConfig::Memory(DEFAULT_FEED_RETENTION))
        .await
        .unwrap();
    let games = games_with::<W>(&store, snapshot_every);
    let seats = usize::from(W::INFO.min_seats);
    let requested = W::table(seats, NUMBER);
    let draft = W::draft(W::options_message(&requested)).unwrap();
    let names: Vec<String> = seated(seats).into_iter().map(|seat| seat.name).collect();
    let options = W::options(&names, &draft).unwrap();
    let (view, mut now) = begun::<W>(origin, &options);
    let call = CreateGameRequest {
        ruleset: W::INFO.id.to_owned(),
        players: seated(seats),
        options: Some(wrap_options::<W>(&requested)),
        // The id of the game follows from it.
        request_id: String::from(if view.is_some() { "position" } else { "create" }),
        seed: Seed::from_number(NUMBER).as_bytes().to_vec(),
        position: view.as_ref().map(wrap_view::<W>),
        ..CreateGameRequest::default()
    };
    let red = Caller::new(Role::Tenant(String::from("red")));
    let created = games.create_game(&red, call);
    let table = created.await.unwrap().table.unwrap();
    let game = table.game.unwrap();
    let id = Uuid::try_parse(&game.game_id).unwrap();
    let mut policy = Chance::from_seed(&Seed::from_number(NUMBER + 1_000));
    let mut snapshots = Vec::new();
    while snapshots.len() < max_actions
        && let Some(pending) = W::pending(&now.state).first().copied()
    {
        let legal = legal_actions::<W>(&now.state, pending.seat, Detail::Moves);
        let choice = W::choose(&now.state, pending.seat, &legal, &mut policy);
        drop(policy.take_record());
        let call = ApplyActionRequest {
            request_id: request_id(snapshots.len()),
            ..call_of(
                &game.game_id,
                pending.seat.number().into(),
                wrap_action::<W>(&legal[choice]),
            )
        };
        games
            .apply_action(&Caller::UNAUTHENTICATED, Box::new(call))
            .await
            .unwrap();
        now = apply::<W>(&now.state, &now.chance, pending.seat, &legal[choice]).unwrap();
        let loaded = store.load(id, None).await.unwrap().unwrap();
        let snapshot = loaded.snapshot.unwrap();
        snapshots.push((snapshot.version, snapshot.bytes));
    }
    let log = store.log(id, 0, usize::MAX).await.unwrap().unwrap();
    Record {
        id: Some(id),
        entries: log.into_iter().map(|entry| entry.bytes).collect(),
        snapshot: snapshots.swap_remove(snapshots.len() / 2),
    }
}

/// Returns the described table, if there is one, and the table on which the first decision is made.
fn begun<W: Wire>(origin: Origin, options: &W::Options) -> (Option<W::View>, Applied<W>) {
    let seed = Seed::from_number(NUMBER);
    let mut luck = Chance::from_seed(&seed);
    match origin {
        Origin::SetUp => (None, create::<W>(options, luck)),
        Origin::Position => {
            let late = warm_start::<W>(options, Start::Late, &seed);
            let view = W::view(&late.state, Viewer::Operator);
            let state = W::position(options, &view, &mut luck).unwrap();
            (Some(view), begin::<W>(state, luck))
        }
    }
}

/// Returns the request id of the action with this number, from 0. Every second action has none, since requests with an
/// id and without are both stored.
fn request_id(number: usize) -> String {
    if number.is_multiple_of(2) {
        String::new()
    } else {
        format!("{number}")
    }
}

/// Plays an action on the newest version.
pub(super) fn call_of(game_id: &str, seat: u32, action: Action) -> ApplyActionRequest {
    ApplyActionRequest {
        game_id: game_id.to_owned(),
        seat,
        action: Some(action),
        ..ApplyActionRequest::default()
    }
}

/// The records of all released revisions of a ruleset, from the set-up and from a described table.
pub(super) async fn records<W: Audit + Wire>() -> Vec<Record> {
    let mut records = Vec::new();
    for revision in 1..=W::INFO.revision {
        let folder = folder::<W>(revision);
        for (folder, origin) in [
            (folder.clone(), Origin::SetUp),
            (folder.join("position"), Origin::Position),
        ] {
            if !folder.exists()
                && revision == W::INFO.revision
                && std::env::var_os("GAMEKEEPER_UPDATE").is_some()
            {
                let record = played_from::<W>(origin, usize::MAX, 16).await;
                record.write(&folder);
            }
            assert!(
                folder.exists(),
                "no record in {}: run this test with GAMEKEEPER_UPDATE=1",
                folder.display()
            );
            records.push(Record::read(&folder));
        }
    }
    records
}
