//! Data stored by earlier builds is loaded and replayed to the same tables by this one, from every
//! store; unreadable data is reported, and disturbs no other game.
//!
//! `tests/data/<ruleset>/revision_<n>/` holds one game of every released revision: `log.bin`, all its
//! entries, each after its length in four bytes; and `snapshot.bin`, the version of a snapshot from
//! the middle of the game in eight bytes, and the snapshot. `GAMEKEEPER_UPDATE=1` plays a game for a
//! revision that has none, and never writes over one that is there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use gamekeeper_proto::envelope::{
    ApplyActionRequest, CreateGameRequest, ExportVersion, GetGameResponse,
};
use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::ruleset::{apply, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seed};
use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::disguise::{Disguised, Newer};
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::room::{games, games_with, record, seated, table};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_wire::{PbAction, Wire};
use gamekeeperd::auth::Caller;
use gamekeeperd::games::Games;
use gamekeeperd::problem::Problem;
use gamekeeperd::store::{
    Commit, Committed, Created, EmbeddedConfig, GameId, GameStore, Head, IndexRow, NewGame,
    RedisConfig, RedisTopology, StoreConfig, Version, open,
};
use tempfile::TempDir;
use uuid::Uuid;

/// A game as it was stored.
#[derive(Clone)]
struct Record {
    entries: Vec<Bytes>,
    /// The version of the snapshot, and the snapshot.
    snapshot: (Version, Bytes),
}

fn folder<W: Wire>(revision: u32) -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    data.join(W::SHEET.id).join(format!("revision_{revision}"))
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
        let snapshot = (version, snapshot);
        Record { entries, snapshot }
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
        std::fs::write(folder.join("log.bin"), log.flatten().collect::<Vec<u8>>()).unwrap();
        std::fs::write(folder.join("snapshot.bin"), snapshot).unwrap();
    }

    /// The same, up to this version.
    fn until(&self, version: Version) -> Record {
        let entries = self.entries[..usize::try_from(version).unwrap()].to_vec();
        Record {
            entries,
            snapshot: self.snapshot.clone(),
        }
    }

    /// Stores the game as it was originally stored, entry by entry.
    async fn put<W: Wire>(&self, store: &dyn GameStore, tenant: &str) -> GameId {
        let id = Uuid::now_v7();
        let row = IndexRow {
            tenant: tenant.to_owned(),
            ruleset: W::SHEET.id.to_owned(),
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
            past: Vec::new(),
            snapshot: snapshot_at(1).unwrap_or_default(),
            access: Bytes::new(),
            most_of_tenant: None,
        };
        assert_eq!(store.create(game).await.unwrap(), Created::Done);
        for (version, pair) in (1..).zip(self.entries.windows(2)) {
            let [before, entry] = pair else {
                unreachable!("windows of two")
            };
            let is_last = version + 1 == self.newest();
            let commit = Commit {
                id,
                expected: Head::of(version, before),
                entry: entry.clone(),
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

    fn newest(&self) -> Version {
        self.entries.len() as Version
    }
}

/// Plays a game through the service, to its end or for this many actions, and returns what was stored.
/// Of the snapshots it takes the one in the middle of the game.
async fn played<W: Audit + Wire>(most_actions: usize, snapshot_every: u64) -> Record {
    const NUMBER: u64 = 1;
    let store = open(StoreConfig::Memory).await.unwrap();
    let games = games_with::<W>(&store, snapshot_every);
    let seats = usize::from(W::SHEET.min_seats);
    let message = W::options_message(&W::table(seats, NUMBER));
    let seed = Seed::from_number(NUMBER);
    let call = CreateGameRequest {
        players: seated(seats),
        options: Some(message.clone()),
        request_id: String::from("create"),
        seed: seed.as_bytes().to_vec(),
        ..CreateGameRequest::default()
    };
    let game = games
        .create(&Caller::Tenant(String::from("red")), call)
        .await
        .unwrap()
        .game
        .unwrap();
    let names: Vec<String> = game.players.into_iter().map(|player| player.name).collect();
    let options = W::options(&names, &W::draft(message).unwrap()).unwrap();
    let id = Uuid::try_parse(&game.game_id).unwrap();
    let mut now = create::<W>(&options, Chance::from_seed(&seed));
    let mut policy = Chance::from_seed(&Seed::from_number(NUMBER + 1_000));
    let mut snapshots = Vec::new();
    while snapshots.len() < most_actions
        && let Some(pending) = W::pending(&now.state).first().copied()
    {
        let legal = legal_actions::<W>(&now.state, pending.seat, Detail::Moves);
        let choice = W::choose(&now.state, pending.seat, &legal, &mut policy);
        drop(policy.take_record());
        // With a request id and without, since both are stored.
        let number = snapshots.len();
        let call = ApplyActionRequest {
            request_id: if number % 2 == 0 {
                String::new()
            } else {
                format!("{number}")
            },
            ..call_of::<W>(
                &game.game_id,
                pending.seat.number().into(),
                W::action_message(&legal[choice]),
            )
        };
        games.apply(&Caller::Open, Box::new(call)).await.unwrap();
        now = apply::<W>(&now.state, &now.chance, pending.seat, &legal[choice]).unwrap();
        let loaded = store.load(id, None).await.unwrap().unwrap();
        let snapshot = loaded.snapshot.unwrap();
        snapshots.push((snapshot.version, snapshot.bytes));
    }
    let log = store.log(id, 0, usize::MAX).await.unwrap().unwrap();
    Record {
        entries: log.into_iter().map(|entry| entry.bytes).collect(),
        snapshot: snapshots.swap_remove(snapshots.len() / 2),
    }
}

/// Plays an action on the newest version.
fn call_of<W: Wire>(
    game_id: &str,
    seat: u32,
    action: PbAction<W>,
) -> ApplyActionRequest<W::Messages> {
    ApplyActionRequest {
        game_id: game_id.to_owned(),
        seat,
        action: Some(action),
        expected_version: 0,
        request_id: String::new(),
        view_mode: 1,
        validate_only: false,
        with_text: false,
        with_board: None,
    }
}

/// The records of all released revisions of a ruleset.
async fn records<W: Audit + Wire>() -> Vec<Record> {
    let mut records = Vec::new();
    for revision in 1..=W::SHEET.revision {
        let folder = folder::<W>(revision);
        if !folder.exists()
            && revision == W::SHEET.revision
            && std::env::var_os("GAMEKEEPER_UPDATE").is_some()
        {
            played::<W>(usize::MAX, 16).await.write(&folder);
        }
        assert!(
            folder.exists(),
            "no record of revision {revision}: run this test with GAMEKEEPER_UPDATE=1"
        );
        records.push(Record::read(&folder));
    }
    records
}

/// The game is what it was: the snapshot and the rest of the log give the table that the whole log
/// gives, and every fingerprint in the log holds.
async fn is_whole<W: Wire>(games: &Arc<Games<W>>, id: GameId, record_of: &Record) {
    let id = id.to_string();
    let newest = record_of.newest();
    let now = table(games, &id, 0).await.unwrap();
    let info = now.game.unwrap();
    assert_eq!(info.version, newest);
    assert!(info.pending.is_empty() && !info.standings.is_empty());
    let replayed = table(games, &id, newest).await.unwrap();
    assert_eq!(now.view, replayed.view);
    let versions = record(games, &id).await.unwrap();
    assert_eq!(versions.len() as Version, newest);
}

/// A game that was begun by an earlier build is finished by this one: the same actions lead to the
/// same fingerprints.
async fn goes_on<W: Wire>(store: &Arc<dyn GameStore>, whole: GameId, record_of: &Record) {
    let begun = record_of.until(record_of.snapshot.0);
    let id = begun.put::<W>(&**store, "red").await.to_string();
    let games = games::<W>(store);
    let past = record(&games, &whole.to_string()).await.unwrap();
    for version in past.iter().skip(begun.entries.len()) {
        let action = version.action.clone().expect("an action");
        let call = ApplyActionRequest {
            expected_version: version.version - 1,
            ..call_of::<W>(&id, version.seat, action)
        };
        games.apply(&Caller::Open, Box::new(call)).await.unwrap();
    }
    let anew = record(&games, &id).await.unwrap();
    let prints = |versions: &[ExportVersion<W::Messages>]| -> Vec<String> {
        versions
            .iter()
            .map(|version| version.fingerprint.clone())
            .collect()
    };
    assert_eq!(prints(&anew), prints(&past));
    let (now, then) = (
        table(&games, &id, 0).await,
        table(&games, &whole.to_string(), 0).await,
    );
    assert_eq!(now.unwrap().view, then.unwrap().view);
}

/// Exports by the current server of games that earlier builds played verify with the current rules.
async fn records_verify<W: Audit + Wire>() {
    let directory = TempDir::new().unwrap();
    let config = EmbeddedConfig::new(directory.path().join("games"));
    let store = open(StoreConfig::Embedded(config)).await.unwrap();
    let mut ids = Vec::new();
    for record in records::<W>().await {
        ids.push(record.put::<W>(&*store, "red").await);
    }
    store.close().await.unwrap();
    drop(store);
    let data = format!("--data-dir={}", directory.path().join("games").display());
    let server = Gamekeeperd::start(&["--store=embedded", &data]);
    let cli = Cli::at(server.address());
    for id in ids {
        let file = cli.file("game.jsonl");
        let exported = cli.run(&format!("export {id} --to {file}"));
        assert_eq!(exported.code, 0, "{}", exported.err);
        let verified = cli.run(&format!("verify {file}"));
        assert_eq!(verified.code, 0, "{}", verified.err);
    }
}

async fn stores() -> (Vec<Arc<dyn GameStore>>, TempDir, RedisServer) {
    let (directory, redis) = (
        TempDir::new().unwrap(),
        RedisServer::start(&RedisOptions::new()),
    );
    let address = redis.address();
    let mut stores = Vec::new();
    for config in [
        StoreConfig::Memory,
        StoreConfig::Embedded(EmbeddedConfig::new(directory.path().join("games"))),
        StoreConfig::Redis(RedisConfig::new(RedisTopology::Single { address })),
    ] {
        stores.push(open(config).await.unwrap());
    }
    (stores, directory, redis)
}

/// Flips one byte.
fn flipped(bytes: &Bytes, at: usize) -> Bytes {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 0x40;
    bytes.into()
}

/// How many bytes of each piece are flipped, at least; with `GAMEKEEPER_LONG` every one.
const FLIPS: usize = 60;

/// The positions of the bytes to flip.
fn places(length: usize) -> impl Iterator<Item = usize> {
    let long = std::env::var_os("GAMEKEEPER_LONG").is_some();
    let step = if long { 1 } else { (length / FLIPS).max(1) };
    (0..length).step_by(step)
}

/// A damaged snapshot costs nothing but time: the log has everything. A damaged entry is reported, and
/// never played on. Either way other games continue.
async fn damage_is_contained<W: Audit + Wire>() {
    let sound = played::<W>(9, 4).await;
    let store = open(StoreConfig::Memory).await.unwrap();
    let id = sound.put::<W>(&*store, "red").await.to_string();
    let games = games::<W>(&store);
    let expected = table(&games, &id, 0).await.unwrap();
    let (version, snapshot) = &sound.snapshot;
    for at in places(snapshot.len()) {
        let damaged = Record {
            snapshot: (*version, flipped(snapshot, at)),
            ..sound.clone()
        };
        let damaged = damaged.put::<W>(&*store, "red").await.to_string();
        let found = table(&games, &damaged, 0).await.unwrap();
        assert_eq!(found.view, expected.view, "byte {at}");
        let version = |seen: &GetGameResponse<W::Messages>| seen.game.as_ref().unwrap().version;
        assert_eq!(version(&found), version(&expected));
    }
    // One entry that the snapshot contains, and one that follows it.
    for index in [
        usize::try_from(*version).unwrap() - 2,
        sound.entries.len() - 1,
    ] {
        for at in places(sound.entries[index].len()) {
            let mut damaged = sound.clone();
            damaged.entries[index] = flipped(&damaged.entries[index], at);
            let damaged = damaged.put::<W>(&*store, "red").await.to_string();
            let found = table(&games, &damaged, 0).await;
            assert!(
                matches!(found, Err(Problem::Damaged(_))),
                "entry {index}, byte {at}"
            );
        }
    }
    assert_eq!(table(&games, &id, 0).await.unwrap().view, expected.view);
}

/// Two builds on one store, the newer with the next revision of the rules. Each plays its own games;
/// it reports why it does not play the other's, and changes nothing.
async fn two_builds_share_a_store<W: Audit + Wire>(store: &Arc<dyn GameStore>) {
    let sound = played::<W>(9, 4).await;
    let newer = played::<Disguised<W, Newer>>(9, 4).await;
    let old_id = sound.put::<W>(&**store, "red").await;
    let new_id = newer.put::<W>(&**store, "red").await;
    let old_build = games::<W>(store);
    let new_build = games::<Disguised<W, Newer>>(store);
    for _ in 0..2 {
        let seen = table(&old_build, &old_id.to_string(), 0).await.unwrap();
        assert_eq!(seen.game.unwrap().version, sound.newest());
        let seen = table(&new_build, &new_id.to_string(), 0).await.unwrap();
        assert_eq!(seen.game.unwrap().version, newer.newest());
        let too_new = table(&old_build, &new_id.to_string(), 0).await;
        assert!(matches!(too_new, Err(Problem::SnapshotTooNew)));
        let too_old = table(&new_build, &old_id.to_string(), 0).await;
        assert!(matches!(too_old, Err(Problem::RulesTooOld)));
        // Nor can anything be played.
        let action = last_action(&new_build, new_id).await;
        let wrong = call_of::<W>(&new_id.to_string(), 1, action);
        let refused = old_build.apply(&Caller::Open, Box::new(wrong)).await;
        assert!(matches!(refused, Err(Problem::SnapshotTooNew)));
    }
    for (id, record) in [(old_id, &sound), (new_id, &newer)] {
        let log = store.log(id, 0, usize::MAX).await.unwrap().unwrap();
        assert!(log.iter().map(|entry| &entry.bytes).eq(&record.entries));
    }
}

async fn last_action<W: Wire>(games: &Arc<Games<W>>, id: GameId) -> PbAction<W> {
    let past = record(games, &id.to_string()).await.unwrap();
    past.into_iter()
        .filter_map(|version| version.action)
        .next_back()
        .unwrap()
}

macro_rules! of_every_ruleset {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(mod $module {
            use gamekeeper_rules::$module::$Ruleset as Rules;
            use gamekeeper_tests::room::games;

            #[tokio::test(flavor = "multi_thread")]
            async fn games_of_every_released_revision_go_on_in_every_store() {
                let (stores, _directory, _redis) = super::stores().await;
                for record in super::records::<Rules>().await {
                    for store in &stores {
                        let id = record.put::<Rules>(&**store, "red").await;
                        super::is_whole(&games::<Rules>(store), id, &record).await;
                        super::goes_on::<Rules>(store, id, &record).await;
                    }
                }
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn records_of_every_released_revision_verify() {
                super::records_verify::<Rules>().await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn damage_is_reported_or_repaired_and_disturbs_no_other_game() {
                super::damage_is_contained::<Rules>().await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn an_old_and_a_new_build_share_a_store() {
                let (stores, _directory, _redis) = super::stores().await;
                super::two_builds_share_a_store::<Rules>(&stores[2]).await;
            }
        })*
    };
}

gamekeeper_wire::for_each_ruleset!(of_every_ruleset);

/// Puts a game that is whole, one of a newer build and a damaged one into a Redis; their ids.
async fn mixed(redis: &RedisServer) -> [String; 3] {
    use gamekeeper_rules::dominion::Dominion;

    let topology = RedisTopology::Single {
        address: redis.address(),
    };
    let store = open(StoreConfig::Redis(RedisConfig::new(topology)));
    let store = store.await.unwrap();
    let sound = played::<Dominion>(9, 4).await;
    let newer = played::<Disguised<Dominion, Newer>>(9, 4).await;
    let mut damaged = sound.clone();
    damaged.entries[8] = flipped(&damaged.entries[8], 20);
    let put = async |record: &Record| record.put::<Dominion>(&*store, "red").await.to_string();
    [put(&sound).await, put(&newer).await, put(&damaged).await]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_says_what_it_cannot_read_and_goes_on() {
    use gamekeeper_proto::gamekeeper::v1;
    use gamekeeper_tests::dominion::reason;
    use gamekeeper_tests::tokens::{BLUE, KeyFiles, RED, bearing};
    use tonic::Code;

    let redis = RedisServer::start(&RedisOptions::new());
    let ids = mixed(&redis).await;
    let keys = KeyFiles::new();
    let flags = keys.flags();
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let address = format!("--redis={}", redis.address());
    let server = Gamekeeperd::start(&[&flags[..], &["--store=redis", &address]].concat());
    let info = |token, game_id: &str| {
        let ask = v1::GetGameInfoRequest {
            game_id: game_id.to_owned(),
        };
        let (mut games, ask) = (server.games(), bearing(token, ask));
        async move { games.get_game_info(ask).await }
    };
    let sound = info(RED, &ids[0]).await.unwrap().into_inner().game;
    assert_eq!(sound.unwrap().version, 10);
    let expected = [
        (&ids[1], Code::FailedPrecondition, "SNAPSHOT_TOO_NEW"),
        (&ids[2], Code::DataLoss, "DAMAGED_RECORD"),
    ];
    let missing = (Code::NotFound, String::from("NO_SUCH_GAME"));
    for (id, code, name) in expected {
        let told = info(RED, id).await.unwrap_err();
        assert_eq!(reason(&told), (code, name.to_owned()));
        // Other tenants do not learn even that.
        assert_eq!(reason(&info(BLUE, id).await.unwrap_err()), missing);
    }
    let list = bearing(RED, v1::ListGamesRequest::default());
    let listed = server.games().list_games(list).await.unwrap().into_inner();
    let listed = listed.games.into_iter();
    let mut found: Vec<_> = listed.map(|game| (game.game_id, game.version)).collect();
    found.sort_unstable();
    let mut expected: Vec<_> = ids.into_iter().zip([10, 0, 0]).collect();
    expected.sort_unstable();
    assert_eq!(found, expected);
}
