//! Backups are made while games are played, and restored elsewhere, as deploy/BACKUP.md describes.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use gamekeeper_proto::gamekeeper::v1;
use gamekeeper_tests::dominion::{Table, facts};
use gamekeeper_tests::http;
use gamekeeper_tests::redis::{RedisOptions, RedisServer};
use gamekeeper_tests::server::{Gamekeeperd, binary};
use rustix::process::{Pid, Signal, kill_process};

const GAMES: usize = 4;

async fn tables(server: &Gamekeeperd) -> Vec<Table> {
    let mut tables = Vec::new();
    for _ in 0..GAMES {
        let mut table = Table::begin(&mut server.games()).await;
        table.play(&mut server.games(), 30).await.unwrap();
        tables.push(table);
    }
    tables
}

/// Checks that every game is at least as far as it was, and can be played to its end.
async fn assert_restored(server: &Gamekeeperd, tables: Vec<Table>) {
    for mut table in tables {
        let ask = v1::GetGameRequest {
            game_id: table.game.game_id.clone(),
            at_version: table.game.version,
            ..Default::default()
        };
        let then = server.games().get_game(ask.clone()).await.unwrap();
        assert_eq!(facts(then.into_inner().table), table.game);
        let now = v1::GetGameRequest {
            at_version: 0,
            ..ask
        };
        let now = server.games().get_game(now).await.unwrap();
        table.game = facts(now.into_inner().table);
        table.play(&mut server.games(), 10_000).await.unwrap();
        assert!(table.game.pending.is_empty());
    }
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp")
        .args(["--archive", "--no-target-directory"])
        .args([from, to])
        .status();
    assert!(copied.expect("cp").success());
}

fn embedded(directory: &Path) -> Gamekeeperd {
    let directory = format!("--data-dir={}", directory.display());
    Gamekeeperd::start(&["--store=embedded", &directory])
}

#[tokio::test]
async fn an_embedded_store_is_copied_when_its_server_is_stopped() {
    let temp_dir = tempfile::tempdir().unwrap();
    let (games, backup) = (
        temp_dir.path().join("games"),
        temp_dir.path().join("backup"),
    );
    let mut server = embedded(&games);
    let tables = tables(&server).await;
    assert!(server.stop());
    copy(&games, &backup);
    std::fs::remove_dir_all(&games).unwrap();
    copy(&backup, &games);
    assert_restored(&embedded(&games), tables).await;
}

/// A snapshot of the volume equals the state after a power cut: everything at one moment.
#[tokio::test(flavor = "multi_thread")]
async fn an_embedded_store_is_restored_from_a_snapshot_of_its_volume() {
    let temp_dir = tempfile::tempdir().unwrap();
    let (games, backup) = (
        temp_dir.path().join("games"),
        temp_dir.path().join("backup"),
    );
    let server = embedded(&games);
    let tables = tables(&server).await;
    let mut busy = tables[0].clone();
    let mut client = server.games();
    let playing = tokio::spawn(async move { busy.play(&mut client, 10_000).await });
    // A volume snapshot is not available here; copying from a suspended process is equivalent.
    let process = Pid::from_raw(i32::try_from(server.pid()).unwrap()).unwrap();
    kill_process(process, Signal::STOP).unwrap();
    copy(&games, &backup);
    kill_process(process, Signal::CONT).unwrap();
    playing.await.unwrap().unwrap();
    drop(server);
    assert_restored(&embedded(&backup), tables).await;
}

fn run(flags: &[&str]) -> Output {
    let mut command = Command::new(binary("gamekeeperd"));
    command.args(flags).output().unwrap()
}

/// `gamekeeperd backup` writes a file that contains everything answered before; copying it restores the store.
#[tokio::test(flavor = "multi_thread")]
async fn an_embedded_store_is_backed_up_while_it_serves() {
    let temp_dir = tempfile::tempdir().unwrap();
    let [games, backups, restored] =
        ["games", "backups", "restored"].map(|name| temp_dir.path().join(name));
    let flags = [
        "--store=embedded".to_owned(),
        "--admin-listen=127.0.0.1:0".to_owned(),
        format!("--data-dir={}", games.display()),
        format!("--backup-dir={}", backups.display()),
    ];
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let server = Gamekeeperd::start(&flags);
    let tables = tables(&server).await;
    let mut busy = tables[0].clone();
    let mut client = server.games();
    let playing = tokio::spawn(async move { busy.play(&mut client, 10_000).await });
    let admin = format!("--admin-listen={}", server.admin());
    let ended = run(&["backup", &admin]);
    let stdout = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(ended.status.success(), "{ended:?}");
    playing.await.unwrap().unwrap();

    let file = Path::new(stdout.trim());
    assert_eq!(file.parent(), Some(&*backups));
    let mode = file.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "others can read it");
    assert_eq!(
        backups.read_dir().unwrap().count(),
        1,
        "something is left over"
    );
    std::fs::create_dir(&restored).unwrap();
    std::fs::copy(file, restored.join("games.redb")).unwrap();
    assert_restored(&embedded(&restored), tables).await;
}

#[tokio::test]
async fn a_backup_that_cannot_be_written_is_refused_with_a_reason() {
    let temp_dir = tempfile::tempdir().unwrap();
    let admin = "--admin-listen=127.0.0.1:0";
    let backups = format!("--backup-dir={}", temp_dir.path().display());
    let games = format!("--data-dir={}", temp_dir.path().join("games").display());
    let nowhere = "--backup-dir=/proc/backups";
    for (flags, status, why) in [
        (&[admin, "--store=memory", &*backups][..], 404, "BACKUP.md"),
        (&[admin, &*games], 404, "--backup-dir"),
        (&[admin, &*games, nowhere], 503, "/proc/backups"),
    ] {
        let server = Gamekeeperd::start(flags);
        let (answered_status, body) = http::ask(server.admin(), "POST", "/backup", "").await;
        assert_eq!(answered_status, status, "{body}");
        assert!(body.contains(why), "{body}");
        let ended = run(&["backup", &format!("--admin-listen={}", server.admin())]);
        assert!(!ended.status.success());
        assert!(
            String::from_utf8_lossy(&ended.stderr).contains(why),
            "{ended:?}"
        );
    }
    let ended = run(&["backup"]);
    assert!(!ended.status.success());
    assert!(
        String::from_utf8_lossy(&ended.stderr).contains("--admin-listen"),
        "{ended:?}"
    );
}

fn on(redis: &RedisServer) -> Gamekeeperd {
    Gamekeeperd::start(&["--store=redis", &format!("--redis={}", redis.address())])
}

#[tokio::test]
async fn redis_is_backed_up_while_it_serves_and_restored_into_an_append_only_file() {
    let redis = RedisServer::start(&RedisOptions::new().with_append_only_file());
    let server = on(&redis);
    let tables = tables(&server).await;
    let temp_dir = tempfile::tempdir().unwrap();
    let backup = temp_dir.path().join("games.rdb");
    let port = redis.address().rsplit(':').next().unwrap().to_owned();
    let dumped = Command::new("redis-cli")
        .args(["-p", &port, "--rdb"])
        .arg(&backup)
        .output()
        .expect("redis-cli");
    assert!(dumped.status.success() && backup.exists());
    drop((server, redis));

    // The backup file is loaded by a server without an append-only file; then that file is enabled.
    let directory = temp_dir.path().display().to_string();
    let options = RedisOptions::new()
        .set("dir", &directory)
        .set("dbfilename", "games.rdb");
    let mut restored = RedisServer::start(&options);
    let _ok: String = restored.ask(&["CONFIG", "SET", "appendonly", "yes"]);
    let begun = || restored.ask::<String>(&["INFO", "persistence"]);
    let ready = |info: &str| {
        info.contains("aof_enabled:1")
            && info.contains("aof_rewrite_in_progress:0")
            && info.contains("aof_rewrite_scheduled:0")
            && info.contains("aof_last_bgrewrite_status:ok")
    };
    while !ready(&begun()) {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    // From now on it starts like any other Redis with an append-only file.
    let options = options.with_append_only_file();
    restored.kill();
    drop(restored);
    let restored = RedisServer::start(&options);
    assert_restored(&on(&restored), tables).await;
}
