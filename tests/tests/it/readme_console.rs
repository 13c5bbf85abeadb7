//! The console blocks of the README and of the pages about the command line match the output of the commands.
//! `GAMEKEEPER_UPDATE=1` regenerates them.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use gamekeeper_tests::server::{EXAMPLES, Gamekeeperd, binary};
use tempfile::TempDir;

const BEGIN: &str = "```console\n";
const END: &str = "```\n";

/// A server and a user's folder, as the pages assume.
struct Terminal {
    server: Gamekeeperd,
    folder: TempDir,
}

impl Terminal {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let data = format!("--data-dir={}", folder.path().join("data").display());
        Self {
            server: Gamekeeperd::start_with(&[&data], &[(EXAMPLES, "false")]),
            folder,
        }
    }

    /// Runs a line as a user types it, and returns its output. As on a terminal, the output consists of tables.
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

/// Masks everything that differs between runs: ids, hashes, times and rates.
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

/// Returns a block with its current outputs; outputs that have not changed are kept as they are.
fn renewed(block: &str, terminal: &Terminal) -> String {
    let mut text = String::new();
    for part in format!("\n{block}").split("\n$ ").skip(1) {
        let (line, shown) = part.split_once('\n').unwrap_or((part, ""));
        let shown = shown.trim_end();
        let now = terminal.run(line);
        let output = if steady(&now) == steady(shown) {
            shown
        } else {
            &now
        };
        let gap = if text.is_empty() { "" } else { "\n" };
        writeln!(text, "{gap}$ {line}").unwrap();
        if !output.is_empty() {
            writeln!(text, "{output}").unwrap();
        }
    }
    text
}

/// Replaces all game ids by the first one.
fn of_one_game(text: &str) -> String {
    let is_id = |word: &&str| word.len() == 36 && steady(word) == "ID";
    let words = text.split([' ', '\n']);
    let mut ids = words.map(|word| word.trim_end_matches([';', '.']));
    let ids: Vec<&str> = ids.by_ref().filter(is_id).collect();
    let one = ids.first().copied().unwrap_or_default();
    let text = text.to_owned();
    ids.iter().fold(text, |text, id| text.replace(id, one))
}

#[test]
fn what_readme_shows_is_what_commands_print() {
    is_current("README.md", 2);
}

#[test]
fn what_the_page_of_commands_shows_is_what_they_print() {
    is_current("client-cli/docs/commands.md", 1);
}

#[test]
fn what_the_page_of_bots_shows_is_what_they_print() {
    is_current("client-cli/docs/bots.md", 1);
}

/// Compares a page, which must have at least this number of blocks, with the output of the commands.
fn is_current(page: &str, least: usize) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page);
    let shown = std::fs::read_to_string(&file).unwrap();
    let terminal = Terminal::new();
    let mut parts = shown.split(BEGIN);
    let mut current = parts.next().unwrap().to_owned();
    let mut blocks = 0;
    for part in parts {
        let (block, rest) = part.split_once(END).expect("the end of the block");
        blocks += 1;
        write!(current, "{BEGIN}{}{END}{rest}", renewed(block, &terminal)).unwrap();
    }
    assert!(blocks >= least, "{page} shows {blocks} blocks");
    let current = of_one_game(&current);
    if std::env::var_os("GAMEKEEPER_UPDATE").is_some() {
        std::fs::write(&file, current).unwrap();
    } else {
        assert_eq!(shown, current, "run this test with GAMEKEEPER_UPDATE=1");
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

#[test]
fn a_page_tells_of_one_game() {
    let two =
        "Game 13a05b15-fa26-869d-9b2a-b35396f37186\nof 00000000-fa26-869d-9b2a-b35396f37186; and";
    let one =
        "Game 13a05b15-fa26-869d-9b2a-b35396f37186\nof 13a05b15-fa26-869d-9b2a-b35396f37186; and";
    assert_eq!(of_one_game(two), one);
    assert_eq!(of_one_game("no game"), "no game");
}
