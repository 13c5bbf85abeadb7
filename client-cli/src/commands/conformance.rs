//! `gamekeeper conformance`: does a server answer as recorded sessions say?

use std::path::{Path, PathBuf};

use prost_reflect::DynamicMessage;
use serde_json::{Value, json};

use crate::contract::{json_line, method, parse};
use crate::failure::Failure;
use crate::output::{BOLD, Columns, Output, styled};
use crate::progress::Progress;
use crate::session::Session;

/// Fields that differ from game to game, wherever they stand.
const VOLATILE: [&str; 4] = ["time", "createTime", "updateTime", "seedCommitment"];

/// What stands for the id of the game of a session.
const GAME: &str = "$game";

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Recorded sessions, or folders that hold some (*.jsonl)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print at most so many differences of each file
    #[arg(long, value_name = "N", default_value_t = 10)]
    most: usize,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let mut checks = Vec::new();
    for file in files(&args.files)? {
        checks.push(check(session, &file, args.most).await?);
    }
    print(output, &checks)?;
    let failed: usize = checks.iter().map(|check| check.failed).sum();
    if failed > 0 {
        let text = format!("{failed} exchanges are not as recorded");
        return Err(Failure::Deviation(text));
    }
    Ok(())
}

/// The files themselves, and those in folders by name.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let failed = |error: std::io::Error| Failure::io(path.display(), &error);
        let mut found = Vec::new();
        for entry in std::fs::read_dir(path).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            if file.extension().is_some_and(|ending| ending == "jsonl") {
                found.push(file);
            }
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// What became of one file.
struct Check {
    file: String,
    sessions: usize,
    exchanges: usize,
    failed: usize,
    differences: Vec<String>,
}

async fn check(session: &Session, file: &Path, most: usize) -> Result<Check, Failure> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).map_err(|error| Failure::io(&name, &error))?;
    let lines = u64::try_from(text.lines().count()).unwrap_or(0);
    let mut progress = Progress::new("exchanges", lines);
    let mut check = Check {
        file: name,
        sessions: 0,
        exchanges: 0,
        failed: 0,
        differences: Vec::new(),
    };
    let mut player = Player {
        session,
        service: String::new(),
        game: String::new(),
    };
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |text: String| Failure::Invalid(format!("{}:{number}: {text}", file.display()));
        let line: Value = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        progress.advance(1);
        if let Some(service) = line["service"].as_str() {
            service.clone_into(&mut player.service);
            player.game.clear();
            check.sessions += 1;
            continue;
        }
        check.exchanges += 1;
        if let Err(difference) = player.exchange(&line).await? {
            check.failed += 1;
            if check.differences.len() < most {
                check
                    .differences
                    .push(format!("line {number}: {difference}"));
            }
        }
    }
    Ok(check)
}

/// Plays the part of the client.
struct Player<'a> {
    session: &'a Session,
    service: String,
    /// The id of the session's game.
    game: String,
}

impl Player<'_> {
    /// Sends a request and compares. An inner error says what differs.
    async fn exchange(&mut self, line: &Value) -> Result<Result<(), String>, Failure> {
        let name = line["call"].as_str().unwrap_or_default();
        let ruleset = self.service.split('.').nth(1).unwrap_or_default();
        let service = self.session.contract.ruleset(ruleset)?;
        let method = method(&service, name)?;
        let request = line["request"].to_string().replace(GAME, &self.game);
        let request = parse(&method.input(), &request)?;
        let token = self.session.token();
        let answer = self.session.connection.call(&method, &request, token).await;
        Ok(match answer {
            Ok(answer) => self.compare_answer(line, name, &answer)?,
            Err(Failure::Call(call)) => {
                let found = json!({
                    "code": call.code(),
                    "reason": call.reason(),
                    "rule": call.rule(),
                });
                match line.get("refusal") {
                    None => Err(format!("{name} is refused: {found}")),
                    Some(expected) => within(expected, &found, name),
                }
            }
            Err(failure) => return Err(failure),
        })
    }

    fn compare_answer(
        &mut self,
        line: &Value,
        name: &str,
        answer: &DynamicMessage,
    ) -> Result<Result<(), String>, Failure> {
        let Some(expected) = line.get("answer") else {
            return Ok(Err(format!(
                "{name} is answered, not refused as {}",
                line["refusal"]
            )));
        };
        let mut found: Value = serde_json::from_str(&json_line(answer)?)
            .map_err(|error| Failure::Contract(error.to_string()))?;
        if expected.pointer("/game/gameId").and_then(Value::as_str) == Some(GAME) {
            let id = found.pointer("/game/gameId").and_then(Value::as_str);
            id.unwrap_or_default().clone_into(&mut self.game);
        }
        steady(&mut found, &self.game);
        Ok(within(expected, &found, name))
    }
}

/// Takes away what differs from game to game.
fn steady(value: &mut Value, game: &str) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !VOLATILE.contains(&name.as_str()));
            fields.values_mut().for_each(|value| steady(value, game));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| steady(item, game)),
        Value::String(text) if !game.is_empty() && text == game => GAME.clone_into(text),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Is everything expected found? At the top, and in the facts of a game, there may be more than was
/// expected; what is deeper must be the same.
fn within(expected: &Value, found: &Value, at: &str) -> Result<(), String> {
    let Value::Object(fields) = expected else {
        return same(expected, found, at);
    };
    for (name, value) in fields {
        let (inner, found) = (format!("{at}.{name}"), &found[name]);
        if name == "game" {
            within(value, found, &inner)?;
        } else {
            same(value, found, &inner)?;
        }
    }
    Ok(())
}

fn same(expected: &Value, found: &Value, at: &str) -> Result<(), String> {
    match (expected, found) {
        _ if expected == found => Ok(()),
        // What is empty is left out in protobuf JSON.
        (Value::Array(items), Value::Null) if items.is_empty() => Ok(()),
        (Value::Object(one), Value::Object(other)) => {
            for name in one.keys().chain(other.keys()) {
                same(&expected[name], &found[name], &format!("{at}.{name}"))?;
            }
            Ok(())
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (place, (one, other)) in one.iter().zip(other).enumerate() {
                same(one, other, &format!("{at}[{place}]"))?;
            }
            Ok(())
        }
        _ => Err(format!("{at} is {}, not {}", brief(found), brief(expected))),
    }
}

/// Not more of a value than a person reads.
fn brief(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

fn print(output: Output, checks: &[Check]) -> Result<(), Failure> {
    if output.is_json() {
        return checks.iter().try_for_each(|check| {
            output.line(json!({
                "file": check.file,
                "sessions": check.sessions,
                "exchanges": check.exchanges,
                "failed": check.failed,
                "differences": check.differences,
            }))
        });
    }
    let mut columns = Columns::new(&["", "FILE", "SESSIONS", "EXCHANGES", "FAILED"]);
    for check in checks {
        let mark = if check.failed == 0 { "ok" } else { "BAD" };
        let counts = [check.sessions, check.exchanges, check.failed];
        let cells = [styled(BOLD, mark), check.file.clone()];
        columns.row(
            cells
                .into_iter()
                .chain(counts.map(|count| count.to_string())),
        );
    }
    output.line(columns)?;
    for check in checks {
        for difference in &check.differences {
            output.line(format_args!("{}: {difference}", check.file))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_may_hold_more_but_what_is_deeper_must_be_the_same() {
        let found =
            json!({"game": {"version": "2", "ruleset": "x"}, "view": {"a": 1, "b": [1, 2]}});
        let fits = |expected: Value| within(&expected, &found, "").is_ok();
        assert!(fits(json!({"game": {"version": "2", "pending": []}})));
        assert!(fits(json!({"view": {"a": 1, "b": [1, 2]}})));
        assert!(!fits(json!({"view": {"a": 1}})), "something more in a view");
        assert!(!fits(json!({"view": {"a": 1, "b": [1, 2], "c": 3}})));
        assert!(!fits(json!({"game": {"version": "3"}})));
        assert!(!fits(json!({"game": {"pending": [1]}})));
        assert!(!fits(json!({"events": [1]})));
    }

    #[test]
    fn what_differs_from_game_to_game_does_not_count() {
        let mut found = json!({"game": {"gameId": "g1", "createTime": "now"}, "versions": [{"time": "t", "version": "1"}]});
        steady(&mut found, "g1");
        let expected = json!({"game": {"gameId": "$game"}, "versions": [{"version": "1"}]});
        assert_eq!(found, expected);
    }
}
