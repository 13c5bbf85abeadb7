//! Runs everything in a script and writes down the answers.

use gamekeeper_rules::ruleset::Applied;
use gamekeeper_rules::table::{Seat, encode};
use gamekeeper_wire::{Wire, option_infos};
use prost::Message;

use crate::hex::{hex, short, unhex};
use crate::parts::{PARTS, parts};
use crate::rules::{RuleResult, options, played, result_of_action, result_of_creation, started};
use crate::samples::Samples;
use crate::script::{Game, Script};

/// The files of a record, by name.
pub(crate) type Record = Vec<(&'static str, String)>;

pub(crate) const GAMES: &str = "games.txt";
pub(crate) const TRIES: &str = "tries.txt";
pub(crate) const WISHES: &str = "wishes.txt";
pub(crate) const SAMPLES: &str = "samples.txt";

/// The variable that shows the parts of one step in full: `GAMEKEEPER_SHOW="kingsburg 3 17"`.
const SHOW: &str = "GAMEKEEPER_SHOW";

pub(crate) fn replay<W: Wire>(script: &Script) -> Record {
    let mut writer = Writer {
        samples: Samples::new(&format!("gamekeeper.{}.v1", W::INFO.id)),
        games: vec![
            format!(
                "# game seats seed options start position; step seat action {}",
                PARTS.join(" ")
            ),
            general::<W>(),
        ],
        tries: vec![String::new(); script.tries.len()],
    };
    for at in 0..script.games.len() {
        writer.game::<W>(script, at);
    }
    let wishes = script.wishes.iter().map(|request| {
        let result = result_of_creation::<W>(request.players, &unhex(&request.options));
        format!("{} {}", request.head(), result_text(&result))
    });
    let mut wishes: Vec<String> = wishes.collect();
    wishes.insert(0, String::from("# players options code rule text"));
    writer
        .tries
        .insert(0, String::from("# game step seat action code rule text"));
    vec![
        (GAMES, text(&writer.games)),
        (TRIES, text(&writer.tries)),
        (WISHES, text(&wishes)),
        (SAMPLES, text(&writer.samples.lines())),
    ]
}

struct Writer {
    samples: Samples,
    games: Vec<String>,
    tries: Vec<String>,
}

impl Writer {
    fn game<W: Wire>(&mut self, script: &Script, at: usize) {
        let game = &script.games[at];
        let checked = checked::<W>(game);
        let again = hex(&W::options_message(&checked).encode_to_vec());
        assert_eq!(again, game.options, "game {at}: the message of its options");
        let stored = short(&encode(&checked));
        self.games.push(format!("{} {stored}", game.header()));
        let mut now = start::<W>(game, &checked);
        self.version::<W>(script, (at, 0), None, &now);
        for (step, (seat, message)) in (1..).zip(&game.steps) {
            match played::<W>(&now, *seat, &unhex(message)) {
                Ok((action, next)) => {
                    now = next;
                    self.version::<W>(script, (at, step), Some((*seat, &action)), &now);
                }
                Err(result) => {
                    let (seat, result) = (seat.number(), result_text(&result));
                    self.games.push(format!("{step} {seat} {message} {result}"));
                    return;
                }
            }
        }
        if at == 0 {
            self.samples.look_at_views(&now);
        }
    }

    fn version<W: Wire>(
        &mut self,
        script: &Script,
        (game, step): (usize, usize),
        by: Option<(Seat, &W::Action)>,
        now: &Applied<W>,
    ) {
        let (seats, action) = (script.games[game].seats, by.map(|(_, action)| action));
        let parts = parts::<W>(action, now, seats);
        show::<W>(game, step, &parts);
        let head = by.map_or(format!("{step} - -"), |(seat, action)| {
            let action = hex(&W::action_message(action).encode_to_vec());
            format!("{step} {} {action}", seat.number())
        });
        let figures: Vec<String> = parts.iter().map(|part| short(part)).collect();
        self.games.push(format!("{head} {}", figures.join(" ")));
        self.samples.look(action, now, seats);
        for (tried, line) in script.tries.iter().zip(&mut self.tries) {
            if (tried.game, tried.step) == (game, step) {
                let result = result_of_action::<W>(now, tried.seat, &unhex(&tried.action));
                *line = format!("{} {}", tried.head(), result_text(&result));
            }
        }
    }
}

fn checked<W: Wire>(game: &Game) -> W::Options {
    match options::<W>(game.seats, &unhex(&game.options)) {
        Ok(options) => options,
        Err(result) => panic!("{} is refused: {}", game.header(), result_text(&result)),
    }
}

/// Returns the table on which a game begins.
pub(crate) fn start<W: Wire>(game: &Game, options: &W::Options) -> Applied<W> {
    let start = game
        .start
        .as_ref()
        .map(|(start, position)| (unhex(start), *position));
    let start = start
        .as_ref()
        .map(|(start, position)| (&start[..], *position));
    started::<W>(options, game.seed, start)
}

/// Returns the parts that do not depend on a game.
fn general<W: Wire>() -> String {
    let catalogue = W::catalogue().encode_to_vec();
    let choices: Vec<String> = option_infos::<W>()
        .iter()
        .map(|option| hex(&option.encode_to_vec()))
        .collect();
    format!(
        "general {} {} {} catalogue {} {} choices {}",
        W::INFO.id,
        W::INFO.revision,
        W::CATALOGUE_REVISION,
        catalogue.len(),
        short(&catalogue),
        short(choices.join("\n").as_bytes())
    )
}

pub(crate) fn result_text(result: &RuleResult) -> String {
    format!("{} {} {}", result.code, result.rule, result.text)
}

fn text(lines: &[String]) -> String {
    let lines = lines.iter().map(|line| format!("{line}\n"));
    lines.collect()
}

fn show<W: Wire>(game: usize, step: usize, parts: &[Vec<u8>]) {
    if std::env::var(SHOW).is_ok_and(|wanted| wanted == format!("{} {game} {step}", W::INFO.id)) {
        let lines = PARTS.iter().zip(parts);
        let lines: Vec<String> = lines
            .map(|(name, part)| format!("{name} {}", hex(part)))
            .collect();
        panic!("{SHOW}:\n{}", lines.join("\n"));
    }
}
