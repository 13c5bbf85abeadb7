//! Sets the commit that the server is built from, for the code.
//!
//! The commit comes from `GAMEKEEPER_COMMIT`, or from git; without both it is unknown. A development build has none,
//! since every commit would then rebuild the server.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=GAMEKEEPER_COMMIT");
    let optimized = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let said = std::env::var("GAMEKEEPER_COMMIT").ok();
    let commit = match said {
        Some(commit) => commit,
        None if optimized => of_git().unwrap_or_else(|| String::from("unknown")),
        None => String::from("development"),
    };
    println!("cargo:rustc-env=GAMEKEEPER_COMMIT={}", commit.trim());
}

/// Returns the commit of the working copy, with a suffix if files differ from it.
fn of_git() -> Option<String> {
    // This file changes with every commit.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo:rerun-if-changed={log}");
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changed.is_empty() {
        commit
    } else {
        commit + "-changed"
    })
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
