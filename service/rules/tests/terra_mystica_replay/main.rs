//! Real games of Terra Mystica, replayed through the engine to their last line (**conformance by replay**). Compares
//! the goods of the mover after each move, the whole table at each round, and the final scoring at the end.
//!
//! The games in `tests/terra_mystica_games` are replayed, and also the games in the folder that the environment
//! variable `TERRA_MYSTICA_GAMES` names, if it is set.

#![expect(
    clippy::expect_used,
    reason = "a recorded game that cannot be read must end the test"
)]

mod actions;
mod compare;
mod game;

use std::path::{Path, PathBuf};

use gamekeeper_rules::ruleset::{Applied, Ruleset, apply, create};
use gamekeeper_rules::table::{Chance, Seed, Viewer};
use gamekeeper_rules::terra_mystica::{TerraMystica, View};

use game::{Game, Move};

/// A game that is being replayed.
struct Replay<'g> {
    game: &'g Game,
    now: Applied<TerraMystica>,
}

impl<'g> Replay<'g> {
    fn start(game: &'g Game) -> Result<Self, String> {
        let (players, draft) = game.draft()?;
        let options =
            TerraMystica::options(&players, &draft).map_err(|refusal| refusal.to_string())?;
        // The recording gives everything, so nothing is drawn and any seed will do.
        let now = create::<TerraMystica>(&options, Chance::from_seed(&Seed::from_number(0)));
        Ok(Self { game, now })
    }

    fn view(&self) -> View {
        TerraMystica::view(&self.now.state, Viewer::Spectator)
    }

    /// Plays the actions of a move.
    fn play(&mut self, one: &Move) -> Result<(), String> {
        let seat = self.game.seat(&one.faction)?;
        for op in &one.ops {
            let action = actions::read(op)?;
            self.now = apply::<TerraMystica>(&self.now.state, &self.now.chance, seat, &action)
                .map_err(|refusal| format!("{op}: {refusal}"))?;
        }
        Ok(())
    }
}

/// Replays one game.
fn replay(game: &Game) -> Result<(), String> {
    let mut replay = Replay::start(game)?;
    let mut moves = game.moves.iter().peekable();
    while let Some(one) = moves.next() {
        let at = |problem: String| format!("move {}: {problem}", one.n);
        replay.play(one).map_err(at)?;
        compare::offers(game, one, &replay.view()).map_err(at)?;
        // Automatic moves happen together with the action before them, so only the last record of each faction counts.
        let mut chain = vec![one];
        while let Some(automatic) = moves.next_if(|next| next.is_automatic()) {
            chain.push(automatic);
        }
        compare::after(game, &chain, &replay.view(), moves.peek().is_none()).map_err(at)?;
        let done = chain.last().map_or(one.n, |last| last.n);
        for checkpoint in game
            .checkpoints
            .iter()
            .filter(|point| point.after_move == done)
        {
            compare::table(game, checkpoint, &replay.view(), game.ends_with(done)).map_err(at)?;
        }
    }
    compare::result(game, &replay.now.state)
}

/// Reads the games of a folder. If a game exists in two versions, the one with whole actions is taken.
fn games_of(folder: &Path) -> Vec<(PathBuf, Game)> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder of games")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    files.sort();
    let in_actions = |path: &PathBuf| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        path.with_file_name(format!("{stem}_actions.json")).exists()
    };
    files.retain(|path| !in_actions(path));
    files
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a readable game");
            let game = serde_json::from_str(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            (path, game)
        })
        .collect()
}

/// Replays all games of a folder; returns their number.
fn replay_all(folder: &Path) -> usize {
    let games = games_of(folder);
    for (path, game) in &games {
        replay(game).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
    }
    games.len()
}

#[test]
fn tm_12_61_every_real_game_replays_to_its_last_line() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/terra_mystica_games");
    assert_eq!(replay_all(&own), 17);
    #[expect(
        clippy::disallowed_methods,
        reason = "a test may be told where more games are"
    )]
    if let Ok(folder) = std::env::var("TERRA_MYSTICA_GAMES") {
        assert!(replay_all(Path::new(&folder)) > 0, "no games in {folder}");
    }
}
