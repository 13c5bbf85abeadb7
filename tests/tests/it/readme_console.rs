//! README's console blocks are what the commands print. They are written anew with
//! `GAMEKEEPER_UPDATE=1`.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use gamekeeper_tests::server::{Gamekeeperd, binary};
use tempfile::TempDir;

const BEGIN: &str = "```console\n";
const END: &str = "```\n";

/// A server and a user's folder, as README supposes them.
struct Terminal {
    server: Gamekeeperd,
    folder: TempDir,
}

impl Terminal {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let data = format!("--data-dir={}", folder.path().join("data").display());
        Self {
            server: Gamekeeperd::start(&[&data]),
            folder,
        }
    }

    /// Runs a line as a user types it, and gives what he sees. Tables are what he sees on a terminal.
    fn run(&self, line: &str) -> String {
        let tables = line.replace("gamekeeper ", "gamekeeper -o table ");
        let shown = tables
            .split(" | ")
            .map(|part| {
                if part.contains("-o json") {
                    part.replace("-o table ", "")
                } else {
                    part.to_owned()
                }
            })
            .collect::<Vec<_>>()
            .join(" | ");
        let programs = binary("gamekeeper");
        let path = format!(
            "{}:{}",
            programs.parent().unwrap().display(),
            std::env::var("PATH").unwrap()
        );
        let output = Command::new("sh")
            .args(["-c", &format!("{shown} 2>&1")])
            .current_dir(self.folder.path())
            .env("PATH", path)
            .env(
                "GAMEKEEPER_SERVER",
                format!("http://{}", self.server.address()),
            )
            .env("GAMEKEEPER_TOKENS", self.folder.path().join("tokens.json"))
            .env(
                "GAMEKEEPER_CONTEXTS",
                self.folder.path().join("contexts.json"),
            )
            .env_remove("GAMEKEEPER_TOKEN")
            .env_remove("GAMEKEEPER_CONTEXT")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.replace(self.server.address(), "127.0.0.1:50051")
            .trim_end()
            .to_owned()
    }
}

/// The text with what differs from run to run made equal: ids, hashes, times and rates.
fn steady(text: &str) -> String {
    let word = |word: &str| {
        let hex = word.bytes().filter(u8::is_ascii_hexdigit).count();
        let dashes = word.bytes().filter(|byte| *byte == b'-').count();
        match (word.len(), hex, dashes) {
            (36, 32, 4) => "ID".to_owned(),
            (64, 64, 0) => "HASH".to_owned(),
            _ => word.to_owned(),
        }
    };
    let line = |line: &str| {
        let cut = ["games/s", " ms", " actions in "];
        let end = match cut.iter().find(|cut| line.contains(**cut)) {
            Some(_) => line.find(" in ").unwrap_or(line.len()),
            None => line.len(),
        };
        line[..end]
            .split(' ')
            .map(word)
            .collect::<Vec<_>>()
            .join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A block with the outputs as they are now; outputs that have not changed stay.
fn renewed(block: &str, terminal: &Terminal) -> String {
    let mut text = String::new();
    for part in format!("\n{block}").split("\n$ ").skip(1) {
        let (line, shown) = part.split_once('\n').unwrap_or((part, ""));
        let shown = shown.trim_end();
        let now = terminal.run(line);
        let kept = if steady(&now) == steady(shown) {
            shown
        } else {
            &now
        };
        let gap = if text.is_empty() { "" } else { "\n" };
        writeln!(text, "{gap}$ {line}").unwrap();
        if !kept.is_empty() {
            writeln!(text, "{kept}").unwrap();
        }
    }
    text
}

#[test]
fn what_readme_shows_is_what_commands_print() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(&file).unwrap();
    let terminal = Terminal::new();
    let mut parts = readme.split(BEGIN);
    let mut current = parts.next().unwrap().to_owned();
    let mut blocks = 0;
    for part in parts {
        let (block, rest) = part.split_once(END).expect("the end of the block");
        blocks += 1;
        write!(current, "{BEGIN}{}{END}{rest}", renewed(block, &terminal)).unwrap();
    }
    assert!(blocks >= 4, "README shows {blocks} blocks");
    if std::env::var_os("GAMEKEEPER_UPDATE").is_some() {
        // Others write their tables into the same file, one at a time.
        let now = std::fs::read_to_string(&file).unwrap();
        assert_eq!(
            now, readme,
            "README was changed meanwhile; run this test alone"
        );
        std::fs::write(&file, current).unwrap();
    } else {
        assert_eq!(
            readme, current,
            "run this test alone with GAMEKEEPER_UPDATE=1"
        );
    }
}

#[test]
fn ids_and_times_do_not_count() {
    let one = "Game 13a05b15-fa26-869d-9b2a-b35396f37186\n10 games in 1.0 s: 3 games/s\nVersion 2";
    let other =
        "Game 00000000-fa26-869d-9b2a-b35396f37186\n10 games in 2.0 s: 9 games/s\nVersion 2";
    assert_eq!(steady(one), steady(other));
    assert_ne!(steady("Version 2"), steady("Version 3"));
}
