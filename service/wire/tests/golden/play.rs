//! Creates a script: plays at random, and keeps the games that cover something new.
//!
//! This runs only for rulesets without a record. Recorded games are replayed without any of it.

use std::collections::{BTreeMap, BTreeSet};

use gamekeeper_rules::caylus::{Caylus, RichCaylus};
use gamekeeper_rules::conformance::{Audit, universe};
use gamekeeper_rules::ruleset::{Applied, create, legal_actions};
use gamekeeper_rules::table::{Chance, Detail, Seat, Seed, encode};
use gamekeeper_wire::Wire;
use prost::Message;

use crate::hex::{hex, unhex};
use crate::replay::start;
use crate::rules::{action_hex, listed, played, result_of_action, result_of_creation};
use crate::samples::Samples;
use crate::script::{Game, Script, Try, Wish};

/// The number of seeds with which games are played for each number of seats.
const SEEDS: u64 = 30;
/// The maximum length of a game, and the minimum length that is kept of the first one.
const MAX_STEPS: usize = 900;
const FIRST_STEPS: usize = 250;
/// The interval, in steps, at which actions are tried.
const TRY_EVERY: usize = 13;
/// The maximum number of tries that are kept of each code and in all, and with the same sentence.
const MAX_OF_CODE: usize = 10;
const MAX_TRIES: usize = 320;
const MAX_OF_SENTENCE: usize = 2;
/// The maximum number of actions of a universe that are tried for each seat of a state.
const MAX_OF_UNIVERSE: usize = 250;

/// A ruleset, with its variant that plays from a richer start, if it has one.
pub(crate) trait Plays: Wire + Audit {
    type Rich: Audit<State = Self::State, Options = Self::Options, Action = Self::Action>;
    const HAS_RICH: bool = false;
}

macro_rules! plays {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(plays! { @$module $Ruleset })*
    };
    (@caylus $Ruleset:ident) => {
        impl Plays for Caylus {
            type Rich = RichCaylus<12>;
            const HAS_RICH: bool = true;
        }
    };
    (@$module:ident $Ruleset:ident) => {
        impl Plays for gamekeeper_rules::$module::$Ruleset {
            type Rich = Self;
        }
    };
}
gamekeeper_wire::for_each_ruleset!(plays);

pub(crate) fn script<W: Plays>() -> Script {
    let mut script = Script::default();
    let mut corpus = Found {
        samples: Samples::new(&format!("gamekeeper.{}.v1", W::INFO.id)),
        met: BTreeSet::new(),
        tries: BTreeMap::new(),
    };
    for seed in 1..=SEEDS {
        for seats in W::INFO.min_seats..=W::INFO.max_seats {
            let (game, news) = if W::HAS_RICH && seed % 2 == 0 {
                game::<W, W::Rich>(usize::from(seats), seed, true, &mut corpus)
            } else {
                game::<W, W>(usize::from(seats), seed, false, &mut corpus)
            };
            // The first games are kept at some length, the others only up to the last new thing.
            let length = if seed <= 1 {
                news.max(FIRST_STEPS)
            } else {
                news
            };
            if length > 0 {
                let mut game = game;
                game.steps.truncate(length);
                script.games.push(game);
            }
        }
    }
    for at in 0..script.games.len() {
        try_in::<W>(&script.games[at], at, &mut corpus);
    }
    script.tries = corpus.chosen();
    script.wishes = wishes::<W>();
    script
}

struct Found {
    /// The messages that occurred.
    samples: Samples,
    /// The draws, decisions and sources of points that occurred.
    met: BTreeSet<String>,
    /// The tries by their code, each with the sentence.
    tries: BTreeMap<&'static str, Vec<(Try, String)>>,
}

impl Found {
    /// Returns whether more tries with this code and sentence are wanted.
    fn wants(&self, code: &'static str, sentence: &str) -> bool {
        let Some(tried) = self.tries.get(code) else {
            return true;
        };
        let same = tried
            .iter()
            .filter(|(_, tried_sentence)| tried_sentence == sentence)
            .count();
        tried.len() < 6 * MAX_OF_CODE && same < MAX_OF_SENTENCE
    }

    fn keep(&mut self, code: &'static str, tried: Try, sentence: String) {
        self.tries.entry(code).or_default().push((tried, sentence));
    }

    /// Selects an equal number of tries for each code, evenly spread.
    fn chosen(&self) -> Vec<Try> {
        let most = (MAX_TRIES / self.tries.len().max(1)).clamp(4, MAX_OF_CODE * 2);
        let mut chosen = Vec::new();
        for tries in self.tries.values() {
            let count = tries.len().min(most);
            chosen.extend((0..count).map(|at| tries[at * tries.len() / count].0.clone()));
        }
        chosen.sort_by_key(|tried| (tried.game, tried.step, tried.seat));
        chosen
    }
}

/// Plays a game as `P` does. Also returns the number of steps up to the last one that covered something new; 0 if none
/// did.
fn game<W: Wire, P>(seats: usize, seed: u64, is_rich: bool, corpus: &mut Found) -> (Game, usize)
where
    P: Audit<State = W::State, Options = W::Options, Action = W::Action>,
{
    let options = P::table(seats, seed);
    let begun = create::<P>(&options, Chance::from_seed(&Seed::from_number(seed)));
    let mut game = Game {
        seats,
        seed,
        options: hex(&W::options_message(&options).encode_to_vec()),
        start: is_rich.then(|| (hex(&encode(&begun.state)), begun.chance.position())),
        steps: Vec::new(),
    };
    let mut player = Chance::from_seed(&Seed::from_number(seed ^ (1 << 63)));
    let mut now = start::<W>(&game, &options);
    let mut news = usize::from(is_new::<W>(None, &now, seats, corpus));
    while game.steps.len() < MAX_STEPS {
        let seats_asked: Vec<Seat> = W::pending(&now.state).iter().map(|p| p.seat).collect();
        let Some(seat) = player.pick("seat", None, &seats_asked) else {
            break;
        };
        let legal = legal_actions::<W>(&now.state, seat, Detail::Moves);
        let choice = P::choose(&now.state, seat, &legal, &mut player);
        drop(player.take_record());
        let message = action_hex::<W>(&legal[choice]);
        let Ok((action, next)) = played::<W>(&now, seat, &unhex(&message)) else {
            panic!("{seat} may not {:?}", legal[choice]);
        };
        now = next;
        game.steps.push((seat, message));
        if is_new::<W>(Some(&action), &now, seats, corpus) {
            news = game.steps.len();
        }
    }
    (game, news)
}

fn is_new<W: Wire>(
    action: Option<&W::Action>,
    now: &Applied<W>,
    seats: usize,
    corpus: &mut Found,
) -> bool {
    let before = (corpus.samples.met(), corpus.met.len());
    corpus.samples.look(action, now, seats);
    let draws = now.draws.iter();
    let mut met: Vec<String> = draws.map(|draw| format!("draw {}", draw.name)).collect();
    let pending = W::pending(&now.state);
    met.extend(
        pending
            .iter()
            .map(|pending_decision| format!("decision {}", pending_decision.decision)),
    );
    let standings = W::ranking(&now.state).into_iter().flat_map(|r| r.standings);
    met.extend(standings.flat_map(|standing| {
        let items = standing
            .breakdown
            .into_iter()
            .filter(|item| item.points != 0);
        items.map(|item| format!("points {}", item.source.id))
    }));
    corpus.met.extend(met);
    (corpus.samples.met(), corpus.met.len()) != before
}

fn try_in<W: Plays>(game: &Game, at: usize, corpus: &mut Found) {
    let options = crate::rules::options::<W>(game.seats, &unhex(&game.options));
    let Ok(options) = options else {
        panic!("{} is refused", game.header());
    };
    let mut now = start::<W>(game, &options);
    for step in 0..=game.steps.len() {
        // The offset by the game's number makes the tried steps differ from game to game.
        if (step + at).is_multiple_of(TRY_EVERY) || step == game.steps.len() {
            try_at::<W>(&now, (at, step), game.seats, corpus);
        }
        if let Some((seat, message)) = game.steps.get(step) {
            let Ok((_, next)) = played::<W>(&now, *seat, &unhex(message)) else {
                panic!("game {at}, step {step}");
            };
            now = next;
        }
    }
}

fn try_at<W: Plays>(
    now: &Applied<W>,
    (game, step): (usize, usize),
    seats: usize,
    corpus: &mut Found,
) {
    let none = if seats < usize::from(W::INFO.max_seats) {
        Some(Seat::at(seats))
    } else {
        None
    };
    for seat in Seat::all(seats).chain(none) {
        let of = if none == Some(seat) {
            Seat::FIRST
        } else {
            seat
        };
        let legal = listed::<W>(&now.state, of, Detail::Moves);
        let legal_messages: BTreeSet<String> = legal.iter().map(action_hex::<W>).collect();
        let universe = universe::<W>(&now.state, of);
        let skip = universe.len().div_ceil(MAX_OF_UNIVERSE).max(1);
        let some = universe.iter().skip(step % skip).step_by(skip);
        let mut messages: Vec<String> = some.map(action_hex::<W>).collect();
        if let Some(message) = legal_messages
            .iter()
            .nth(step % legal_messages.len().max(1))
        {
            messages.extend(spoiled(message).filter(|m| reads::<W::PbAction>(m)));
            messages.push(message.clone());
        }
        messages.push(String::from("-"));
        for message in messages {
            if legal_messages.contains(&message) && seat == of {
                continue;
            }
            let result = result_of_action::<W>(now, seat, &unhex(&message));
            let sentence = match result.code {
                "ACCEPTED" => message.chars().take(6).collect(),
                _ => result.text,
            };
            if corpus.wants(result.code, &sentence) {
                let tried = Try {
                    game,
                    step,
                    seat,
                    action: message,
                };
                corpus.keep(result.code, tried, sentence);
            }
        }
    }
}

/// Returns options with small errors.
fn wishes<W: Plays>() -> Vec<Wish> {
    let mut results_seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut wishes = Vec::new();
    for seed in 0..20 {
        for seats in W::INFO.min_seats..=W::INFO.max_seats {
            let table = W::table(usize::from(seats), seed);
            let message = hex(&W::options_message(&table).encode_to_vec());
            for options in spoiled(&message).chain([message.clone()]) {
                if !reads::<W::PbOptions>(&options) {
                    continue;
                }
                for players in [usize::from(seats), 1, 6].into_iter().chain(2..=5) {
                    let result = result_of_creation::<W>(players, &unhex(&options));
                    let key = match result.code {
                        "ACCEPTED" => String::from(result.code),
                        code => format!("{code} {}", result.text),
                    };
                    let most = if result.code == "ACCEPTED" { 12 } else { 1 };
                    let same = results_seen.entry(key).or_default();
                    if *same < most {
                        *same += 1;
                        let options = options.clone();
                        wishes.push(Wish { players, options });
                    }
                }
            }
        }
    }
    // If there are many, an evenly spread selection is kept.
    let step = wishes.len().div_ceil(100).max(1);
    wishes.into_iter().step_by(step).collect()
}

/// Yields variants of a message with one byte changed.
fn spoiled(message: &str) -> impl Iterator<Item = String> {
    let bytes = unhex(message);
    (0..bytes.len()).flat_map(move |at| {
        let byte = bytes[at];
        let others = [byte ^ 1, byte.wrapping_add(1), 0, 9, 0x7f];
        let bytes = bytes.clone();
        others
            .into_iter()
            .filter(move |other| *other != byte)
            .map(move |other| {
                let mut bytes = bytes.clone();
                bytes[at] = other;
                hex(&bytes)
            })
    })
}

fn reads<M: Message + Default>(message: &str) -> bool {
    M::decode(&*unhex(message)).is_ok()
}
