//! Disks that are full, fail, or cannot be written.

use std::fs::{File, Permissions, create_dir, set_permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

use gamekeeper_tests::dominion::{Client, Table, ada_and_bob, assert_reason, facts, reason};
use gamekeeper_tests::server::{Gamekeeperd, binary};
use tempfile::TempDir;
use tonic::Code;

/// A write fails in the middle: the call reports an unknown outcome, later calls that the store is
/// unavailable; answered data can still be read, and all of it is there after a start on a good disk.
#[tokio::test]
async fn a_disk_that_fails_loses_nothing_that_was_answered() {
    let directory = TempDir::new().unwrap();
    let data = format!("--data-dir={}", directory.path().join("games").display());
    let flags = ["--store=embedded", &data];
    let server = Gamekeeperd::start(&flags);
    let mut client = server.games();
    let mut table = Table::begin(&mut client).await;
    table.play(&mut client, 20).await.unwrap();
    drop(server);

    let failing = Gamekeeperd::start_with_small_files(&flags, 64);
    let mut client = failing.games();
    let failed = table.pass(&mut client, 5_000).await.unwrap_err();
    // The file may fail to grow before the change is written, or the change may fail.
    let failed = reason(&failed);
    let allowed = ["STORE_UNAVAILABLE", "OUTCOME_UNKNOWN"];
    assert!(allowed.contains(&&*failed.1), "{failed:?}");
    let refused = client.create_game(ada_and_bob()).await.unwrap_err();
    assert_reason(&refused, Code::Unavailable, "STORE_UNAVAILABLE");
    let ask = table.ask();
    let answered = table.game.clone();
    let response = client.get_game(ask.clone()).await.unwrap().into_inner();
    assert_eq!(facts(response.table), answered);
    drop(failing);

    let server = Gamekeeperd::start(&flags);
    let mut client = server.games();
    let response = client.get_game(ask).await.unwrap().into_inner();
    table.game = facts(response.table);
    let version = table.game.version;
    let may_be = [answered.version, answered.version + 1];
    assert!(may_be.contains(&version), "{version} after {may_be:?}");
    table.play(&mut client, 20).await.unwrap();
}

/// A small file system of its own, so that nothing else uses its space.
struct SmallDisk(TempDir);

impl SmallDisk {
    /// Mounts a file system of this size. Returns `None` if this process may not mount one.
    fn mount(mebibytes: u32) -> Option<SmallDisk> {
        let directory = TempDir::new().unwrap();
        let size = format!("size={mebibytes}m");
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(directory.path());
        let mounted = mount.status().is_ok_and(|status| status.success());
        mounted.then_some(SmallDisk(directory))
    }

    /// Fills the disk, until the file returned is removed.
    fn fill(&self) -> PathBuf {
        let path = self.0.path().join("ballast");
        let mut ballast = File::create(&path).unwrap();
        while ballast.write_all(&[7; 65_536]).is_ok() {}
        path
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily, because a server may still be running.
        let _left_behind = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

/// Another process fills the disk: changes are refused with a reason, answered data can be read, even
/// after a kill and a start on the full disk, and everything continues once there is room.
#[tokio::test]
async fn a_full_disk_is_named_and_loses_nothing() {
    let Some(disk) = SmallDisk::mount(160) else {
        eprintln!("not tried: this process may not mount a disk");
        return;
    };
    let data = format!("--data-dir={}", disk.0.path().join("games").display());
    let flags = ["--store=embedded", &data];
    let server = Gamekeeperd::start(&flags);
    let mut client = server.games();
    let mut table = Table::begin(&mut client).await;
    table.play(&mut client, 20).await.unwrap();
    let ask = table.ask();

    let ballast = disk.fill();
    let full = (Code::ResourceExhausted, String::from("STORE_FULL"));
    let refused = async |client: &mut Client, mut table: Table| {
        let refused = table.pass(client, 1).await.unwrap_err();
        assert_eq!(reason(&refused), full);
        let refused = client.create_game(ada_and_bob()).await.unwrap_err();
        assert_eq!(reason(&refused), full);
        let response = client.get_game(ask.clone()).await.unwrap().into_inner();
        assert_eq!(facts(response.table), table.game);
    };
    refused(&mut client, table.clone()).await;
    std::fs::remove_file(&ballast).unwrap();
    table.play(&mut client, 20).await.unwrap();
    let ballast = disk.fill();
    refused(&mut client, table.clone()).await;
    drop(server);

    let server = Gamekeeperd::start(&flags);
    let mut client = server.games();
    refused(&mut client, table.clone()).await;
    std::fs::remove_file(&ballast).unwrap();
    table.play(&mut client, 20).await.unwrap();
}

/// The server reports in one line which directory it cannot write, and why.
#[test]
fn a_directory_that_cannot_be_written_is_named() {
    let home = TempDir::new().unwrap();
    let data = home.path().join("games");
    create_dir(&data).unwrap();
    for (path, mode) in [(home.path(), 0o755), (&*data, 0o555)] {
        set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    // The user `nobody` may not reach the binary where it is, and root may write anywhere.
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
    let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(!ended.status.success());
    let line = stderr.trim().lines().last().unwrap_or_default();
    assert!(line.contains(data.to_str().unwrap()), "{stderr}");
    assert!(line.contains("ermission denied"), "{stderr}");
}
