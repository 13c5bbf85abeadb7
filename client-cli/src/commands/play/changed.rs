//! The difference between a table and the same table as it was last shown.

use std::collections::HashSet;

use gamekeeper_proto::gamekeeper::v1::GameInfo;
use gamekeeper_rules::table::text::plain;

/// Returns the heading and the lines of players that have changed since `before`.
pub(super) fn changed(info: &GameInfo, before: &str, now: &str) -> String {
    let before: HashSet<String> = before.lines().map(bare).collect();
    let is_new = |line: &&str| !before.contains(&bare(line));
    let mut lines = now.lines().peekable();
    let mut changed = Vec::new();
    while let Some(line) = lines.next_if(|line| !line.is_empty()) {
        changed.extend(Some(line).filter(is_new));
    }
    while let Some(first) = lines.next() {
        if !begins(info, first) {
            continue;
        }
        let mut new = Vec::new();
        while let Some(line) = lines.next_if(|line| plain(line).starts_with("    ")) {
            new.extend(Some(line).filter(is_new));
        }
        if !new.is_empty() || is_new(&first) {
            changed.push(first);
            changed.extend(new);
        }
    }
    changed.join("\n")
}

/// Returns the text of a line without styles and without the mark of a player who has to decide.
fn bare(line: &str) -> String {
    let line = plain(line);
    line.strip_prefix("> ").unwrap_or(&line).trim().to_owned()
}

/// Returns whether the section of a player starts with this line.
fn begins(info: &GameInfo, line: &str) -> bool {
    let line = plain(line);
    let is_of = |prefix: &str| {
        let rest = line.strip_prefix(prefix);
        let mut players = info.players.iter();
        rest.is_some_and(|rest| {
            players.any(|player| rest.starts_with(&format!("{} {}", player.seat, player.name)))
        })
    };
    is_of("> ") || is_of("  ")
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1::Player;

    use super::*;

    #[test]
    fn players_are_shown_when_something_of_them_has_changed() {
        let player = |(seat, name): (u32, &str)| Player {
            seat,
            name: name.to_owned(),
            ..Player::default()
        };
        let info = GameInfo {
            players: [(1, "Ada"), (2, "Bob"), (3, "Cid")].map(player).to_vec(),
            ..GameInfo::default()
        };
        let before = "\
Turn 1: Ada

Supply
  3 Silver 40

> 1 Ada   hand 5
    hand      Copper x4, Estate
    in play   nothing
  2 Bob   hand 5
    in play   nothing
  3 Cid   hand 5";
        let now = "\
Turn 1: Bob

Supply
  3 Silver 39

  1 Ada   hand 5
    hand      Copper x5
    in play   nothing
> 2 Bob   hand 5
    in play   nothing
  3 Cid   hand 4";
        assert_eq!(
            changed(&info, before, now),
            "Turn 1: Bob\n  1 Ada   hand 5\n    hand      Copper x5\n  3 Cid   hand 4"
        );
        assert_eq!(changed(&info, now, now), "");
    }
}
