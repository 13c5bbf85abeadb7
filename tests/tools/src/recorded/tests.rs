use std::path::{Path, PathBuf};

use gamekeeper_wire::record::{
    Beginning, Binding, Checked, DrawProof, Name, Record, RecordCheck, RecordReader,
};
use serde_json::{Value, json};

use super::*;

/// A time after 1970, in milliseconds.
const TIME_MS: u64 = 1_700_000_000_000;

/// Lists the recorded games by which the rules are tested.
fn files() -> Vec<PathBuf> {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../service/rules/tests/terra_mystica_games");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn read(lines: &str) -> Record {
    let kind = pool()
        .get_message_by_name("gamekeeper.v1.ExportGameResponse")
        .unwrap();
    let mut reader = RecordReader::default();
    for line in lines.lines() {
        let mut json = serde_json::Deserializer::from_str(line);
        let part = DynamicMessage::deserialize(kind.clone(), &mut json).unwrap();
        let part = ExportGameResponse::decode(&*part.encode_to_vec()).unwrap();
        reader.push(part.part.unwrap()).unwrap();
    }
    reader.finish().unwrap()
}

/// Checks a record as `gamekeeper verify` and `ImportGame` do.
fn check(record: &Record) -> Checked {
    let beginning = Beginning::<TerraMystica>::of(record).unwrap();
    let first = beginning.first_table().unwrap();
    let mut check = RecordCheck::begin(record, beginning, first).unwrap();
    while check.step().unwrap() {}
    check.finish().unwrap()
}

/// Returns the recorded total of each faction, in seat order.
fn totals(text: &str) -> Vec<i64> {
    let game: Value = serde_json::from_str(text).unwrap();
    let factions = game["setup"]["seat_order"].as_array().unwrap().iter();
    let total = |faction: &Value| game["final"][faction.as_str().unwrap()]["total"].as_i64();
    factions.filter_map(total).collect()
}

/// The recording gives all that luck would decide, so no draw is left, and a seed proves the rest.
#[test]
fn every_recorded_game_becomes_a_record_that_verifies() {
    let mut finished = 0;
    for file in files() {
        let text = std::fs::read_to_string(&file).unwrap();
        let converted =
            convert(&text, TIME_MS).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let record = read(&converted.lines);
        let checked = check(&record);
        let is_over = !totals(&text).is_empty();
        finished += usize::from(is_over);
        assert_eq!(
            (checked.versions, checked.draws),
            (converted.versions, 0),
            "{}",
            file.display()
        );
        assert_eq!(checked.is_over, is_over, "{}", file.display());
        let Binding::Fits(names) = &checked.binding else {
            panic!("{}: nothing is bound", file.display());
        };
        assert!(names.iter().all(|name| *name == Name::Kept));
        let luck = match is_over {
            true => DrawProof::Recomputed,
            false => DrawProof::Repeated,
        };
        assert_eq!(checked.luck, luck, "{}", file.display());
        let points: Vec<i64> = converted.points.iter().map(|&one| one.into()).collect();
        assert_eq!(points, totals(&text), "{}", file.display());
        let mut scores = record.game.standings.clone();
        scores.sort_by_key(|standing| standing.seat);
        let scores: Vec<i32> = scores.iter().map(|standing| standing.score).collect();
        assert_eq!(scores, converted.points, "{}", file.display());
    }
    assert_eq!(finished, files().len() - 1, "one recording breaks off");
}

#[test]
fn the_same_recording_gives_the_same_record() {
    let text = std::fs::read_to_string(&files()[0]).unwrap();
    let [first, second] = [(); 2].map(|()| convert(&text, TIME_MS).unwrap().lines);
    assert_eq!(first, second);
}

/// Changes the second recorded game, which is complete, and returns the error.
fn refused(change: impl FnOnce(&mut Value)) -> String {
    let text = std::fs::read_to_string(&files()[1]).unwrap();
    let mut game: Value = serde_json::from_str(&text).unwrap();
    change(&mut game);
    convert(&game.to_string(), TIME_MS).unwrap_err().to_string()
}

#[test]
fn recordings_that_the_rules_do_not_play_are_refused_with_the_reason() {
    for text in ["", "{}", "[]"] {
        let error = convert(text, TIME_MS).unwrap_err().to_string();
        assert!(error.starts_with("this is no recorded game"), "{error}");
    }
    for (path, wrong, expected) in [
        ("/setup/start_player", "trolls", "set-up: no trolls"),
        ("/setup/scoring_tiles/0", "SCORE99", "set-up: "),
        ("/moves/0/faction", "trolls", "move 1: no trolls"),
        ("/moves/0/ops/0/op", "fly", "move 1: unknown op fly"),
        ("/moves/0/ops/0/space", "A1", "move 1: "),
        ("/moves/0/ops/0/space", "Z99", "move 1: "),
    ] {
        let error = refused(|game| *game.pointer_mut(path).unwrap() = json!(wrong));
        assert!(error.starts_with(expected), "{path}: {error}");
    }
    let drawn = refused(|game| game["setup"]["scoring_tiles"] = json!([]));
    assert!(drawn.starts_with("set-up: "), "{drawn}");
    let points = refused(|game| game["final"]["witches"]["total"] = json!(1));
    assert!(points.contains("the recording says 1"), "{points}");
    let cut = refused(|game| {
        game["moves"].as_array_mut().unwrap().truncate(100);
    });
    assert_eq!(cut, "the moves end before the game does");
}
