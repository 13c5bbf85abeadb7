//! Disks that are full, fail, or cannot be written.

use std::fs::{Permissions, create_dir, set_permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_tests::dominion::{Table, players, reason};
use gamekeeper_tests::server::{Gamekeeperd, binary};
use tempfile::TempDir;
use tonic::Code;

fn create() -> pb::CreateGameRequest {
    pb::CreateGameRequest {
        players: players(&["Ada", "Bob"]),
        ..Default::default()
    }
}

/// A write fails in the middle: the call says that its outcome is open, later ones that the store does
/// not work, what was answered can still be read, and all of it is there after a start on a good disk.
#[tokio::test]
async fn a_disk_that_fails_loses_nothing_that_was_answered() {
    let directory = TempDir::new().unwrap();
    let data = format!("--data-dir={}", directory.path().join("games").display());
    let flags = ["--store=embedded", &data];
    let server = Gamekeeperd::start(&flags);
    let mut client = server.dominion();
    let created = client.create_game(create()).await.unwrap().into_inner();
    let mut table = Table::of(created);
    table.play(&mut client, 20).await.unwrap();
    drop(server);

    let failing = Gamekeeperd::start_with_small_files(&flags, 64);
    let mut client = failing.dominion();
    let failed = table.pass(&mut client, 5_000).await.unwrap_err();
    let open = (Code::Unavailable, String::from("OUTCOME_UNKNOWN"));
    assert_eq!(reason(&failed), open);
    let refused = client.create_game(create()).await.unwrap_err();
    let away = (Code::Unavailable, String::from("STORE_UNAVAILABLE"));
    assert_eq!(reason(&refused), away);
    let ask = pb::GetGameRequest {
        game_id: table.game.game_id.clone(),
        ..Default::default()
    };
    let answered = table.game.clone();
    let seen = client.get_game(ask.clone()).await.unwrap().into_inner();
    assert_eq!(seen.game.as_ref(), Some(&answered));
    drop(failing);

    let server = Gamekeeperd::start(&flags);
    let mut client = server.dominion();
    let seen = client.get_game(ask).await.unwrap().into_inner();
    let version = seen.game.as_ref().map_or(0, |game| game.version);
    let may_be = [answered.version, answered.version + 1];
    assert!(may_be.contains(&version), "{version} after {may_be:?}");
    table.game = seen.game.unwrap();
    table.play(&mut client, 20).await.unwrap();
}

/// The server says in one line which directory it cannot write, and why.
#[test]
fn a_directory_that_cannot_be_written_is_named() {
    let home = TempDir::new().unwrap();
    let data = home.path().join("games");
    create_dir(&data).unwrap();
    for (path, mode) in [(home.path(), 0o755), (&*data, 0o555)] {
        set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    // Nobody can get at the binary everywhere, and root may write everything.
    let program = home.path().join("gamekeeperd");
    std::fs::copy(binary("gamekeeperd"), &program).unwrap();
    let mut command = Command::new(&program);
    command.args(["--listen=127.0.0.1:0", "--store=embedded"]);
    command.arg(format!("--data-dir={}", data.display()));
    command.current_dir(home.path());
    if rustix::process::geteuid().is_root() {
        command.uid(65_534).gid(65_534);
    }
    let ended = command.output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(!ended.status.success());
    let line = said.trim().lines().last().unwrap_or_default();
    assert!(line.contains(data.to_str().unwrap()), "{said}");
    assert!(line.contains("ermission denied"), "{said}");
}
