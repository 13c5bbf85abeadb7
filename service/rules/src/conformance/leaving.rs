//! Seats whose players have left: their fallbacks are legal, use only what the seats know, and bring the game to its
//! end. However a game ends, standings, sentence, views and refusals agree afterwards.

use super::audit::Audit;
use super::foresight::foresight_holds;
use super::retelling::Audience;
use super::secrecy::viewers;
use crate::ruleset::{Applied, create, fallback, legal_actions};
use crate::table::{Chance, Detail, Fault, Names, Refusal, Seat, Seed, Viewer};
use crate::table_life::{
    self, ActionError, EntryStamp, Outcome, Table, TableEvent, TableLife, TableOptions,
    TableRefusal,
};

/// Checks that every seat that owes a decision has a fallback, which is legal and does not depend on what the seat
/// cannot know.
pub(super) fn fallbacks_answer<R: Audit>(
    state: &R::State,
    seats: usize,
    chance: &mut Chance,
) -> Result<(), Fault> {
    for seat in Seat::all(seats) {
        let owes = R::pending(state).iter().any(|pending| pending.seat == seat);
        let action = fallback::<R>(state, seat);
        let legal = |action| R::check(state, seat, action).is_ok();
        let answers = action
            .as_ref()
            .map_or(!owes, |action| owes && legal(action));
        Fault::unless(answers, "fallback", || {
            format!("{seat} owes a decision: {owes}, but its fallback is {action:?}")
        })?;
        let other = R::scramble(state, Viewer::Seat(seat), chance);
        Fault::unless(fallback::<R>(&other, seat) == action, "fallback", || {
            format!("the fallback of {seat} depends on what it cannot know")
        })?;
    }
    Ok(())
}

/// A preview is compared with what happens after every action whose version is a multiple of this.
const PREVIEWED_EVERY: u64 = 31;

/// A table at which seats leave, one after another.
struct Leaving<R: Audit> {
    now: Applied<R>,
    /// The readers of the events.
    audience: Audience<R>,
    table_life: Option<Box<TableLife>>,
    seats: usize,
    version: u64,
    player: Chance,
    /// The last action of a player.
    played: Option<R::Action>,
}

/// Plays a game for each seed and each set of seats that leave, at random moments: from the start, or later. Returns
/// the number of games that ended, and the number of games that were unfinished after this many actions.
///
/// # Errors
/// The first guarantee that did not hold.
pub fn whoever_leaves<R: Audit>(
    seats: usize,
    seeds: u64,
    max_actions: u64,
) -> Result<(u64, u64), Fault> {
    let (mut ended, mut unfinished) = (0, 0);
    for seed in 0..seeds {
        let options = R::table(seats, seed);
        let mut moments = Chance::from_seed(&Seed::from_number(!seed));
        for set in 1_u32..1 << seats {
            let leaves = |seat: &Seat| set >> seat.index() & 1 == 1;
            let leaving: Vec<(Seat, u64)> = Seat::all(seats)
                .filter(leaves)
                .map(|seat| (seat, moment(&mut moments)))
                .collect();
            let played = play_leaving::<R>(&options, seed, &leaving, max_actions);
            let of_game = |Fault { rule, text }| Fault {
                rule,
                text: format!("seed {seed}, {leaving:?}: {text}"),
            };
            match played.map_err(of_game)? {
                Some(_) => ended += 1,
                None => unfinished += 1,
            }
        }
    }
    Ok((ended, unfinished))
}

/// Plays such games with every number of seats; all of them must end.
///
/// # Errors
/// The first guarantee that did not hold.
pub fn all_end_whoever_leaves<R: Audit>(seeds: u64) -> Result<(), Fault> {
    const MAX_ACTIONS: u64 = 20_000;
    for seats in R::INFO.seats() {
        let (ended, unfinished) = whoever_leaves::<R>(seats, seeds, MAX_ACTIONS)?;
        Fault::unless(ended > 0 && unfinished == 0, "leaving", || {
            format!("{seats} seats: {unfinished} games did not end")
        })?;
    }
    Ok(())
}

/// Draws the number of actions after which a seat leaves; often 0, the start of the game.
fn moment(chance: &mut Chance) -> u64 {
    let [moment] = chance.dice("moment", None, 60);
    u64::from(moment).saturating_sub(20)
}

/// Plays a game in which these seats leave, each after a number of actions of others. Returns the number of actions,
/// or `None` if the game did not end.
///
/// # Errors
/// The first guarantee that did not hold.
fn play_leaving<R: Audit>(
    options: &R::Options,
    seed: u64,
    leaving: &[(Seat, u64)],
    max_actions: u64,
) -> Result<Option<u64>, Fault> {
    let now = create::<R>(options, Chance::from_seed(&Seed::from_number(seed)));
    let seats = R::seats(options);
    let mut game = Leaving::<R> {
        table_life: TableLife::new_if_needed(
            TableOptions::default(),
            seats,
            &R::pending(&now.state),
        ),
        audience: Audience::new(options),
        now,
        seats,
        version: 1,
        player: Chance::from_seed(&Seed::from_number(seed ^ (1 << 62))),
        played: None,
    };
    game.audience.hear(&game.now)?;
    for actions in 0..max_actions {
        for &(seat, _) in leaving.iter().filter(|(_, after)| *after == actions) {
            game.leave(seat)?;
        }
        if !game.step()? {
            game.is_over()?;
            return Ok(Some(actions));
        }
    }
    Ok(None)
}

impl<R: Audit> Leaving<R> {
    fn table(&self) -> Table<'_, R> {
        Table {
            state: &self.now.state,
            chance: &self.now.chance,
            seats: self.seats,
            table_life: self.table_life.as_deref(),
        }
    }

    fn stamp(&self) -> EntryStamp {
        EntryStamp {
            version: self.version + 1,
            at_ms: self.version,
        }
    }

    fn leave(&mut self, seat: Seat) -> Result<(), Fault> {
        let over = table_life::pending::<R>(&self.now.state, self.table_life.as_deref()).is_empty();
        let left = table_life::apply_table_event(
            self.table(),
            &TableEvent::Resigned { seat },
            None,
            self.stamp(),
        );
        match left {
            Ok(after) => self.take(after),
            Err(_) if over => Ok(()),
            Err(refusal) => Err(fault(refusal.to_string())),
        }
    }

    /// Plays one action. Returns false at the end of the game.
    fn step(&mut self) -> Result<bool, Fault> {
        let pending = table_life::pending::<R>(&self.now.state, self.table_life.as_deref());
        let seats: Vec<Seat> = pending.iter().map(|pending| pending.seat).collect();
        let Some(seat) = self.player.pick("seat", None, &seats) else {
            return Ok(false);
        };
        let state = &self.now.state;
        let legal = legal_actions::<R>(state, seat, Detail::Moves);
        let choice = R::choose(state, seat, &legal, &mut self.player);
        drop(self.player.take_record());
        let (action, stamp) = (&legal[choice], self.stamp());
        let played = table_life::apply_action(self.table(), seat, action, stamp);
        let played = played.map_err(|denied| fault(denied.to_string()))?;
        if self.version.is_multiple_of(PREVIEWED_EVERY) {
            let mut chance = Chance::from_seed(&Seed::from_number(self.version));
            let (applied, table_life) = &played;
            let after = Outcome::of(applied, table_life.as_deref(), seat);
            foresight_holds::<R>(self.table(), &after, (seat, action, stamp), &mut chance)?;
        }
        self.take(played)?;
        self.played = Some(legal[choice].clone());
        Ok(true)
    }

    /// Takes over a new version. Checks that no seat that has left owes a decision, and that no view depends on what
    /// its viewer cannot know.
    fn take(&mut self, (now, life): table_life::AppliedAtTable<R>) -> Result<(), Fault> {
        self.audience.hear(&now)?;
        self.now = now;
        self.table_life = life;
        self.version += 1;
        R::invariants(&self.now.state)?;
        let pending = table_life::pending::<R>(&self.now.state, self.table_life.as_deref());
        let left = self
            .table_life
            .as_ref()
            .map_or(&[][..], |table_life| table_life.left());
        let waits = pending.iter().find(|pending| left.contains(&pending.seat));
        Fault::unless(waits.is_none(), "leaving", || {
            format!("the game waits for {waits:?}, who has left")
        })?;
        for viewer in viewers(self.seats) {
            let other = R::scramble(&self.now.state, viewer, &mut self.player);
            let same = R::view(&self.now.state, viewer) == R::view(&other, viewer);
            Fault::unless(same, "secrecy", || format!("{viewer:?} sees too much"))?;
        }
        drop(self.player.take_record());
        Ok(())
    }

    /// Checks that every seat is ranked, and that seats that left come last, the last to leave before the others.
    fn is_over(&self) -> Result<(), Fault> {
        let ranking = table_life::ranking::<R>(&self.now.state, self.table_life.as_deref());
        let standings = ranking.map_or_else(Vec::new, |ranking| ranking.standings);
        let left = self
            .table_life
            .as_ref()
            .map_or(&[][..], |table_life| table_life.left());
        let ranked: Vec<Seat> = standings.iter().map(|standing| standing.seat).collect();
        let last: Vec<Seat> = ranked.iter().rev().take(left.len()).copied().collect();
        let rising = standings.windows(2).all(|two| two[0].rank <= two[1].rank);
        Fault::unless(
            ranked.len() == self.seats && last == left && rising,
            "leaving",
            || format!("{left:?} have left, but the result is {standings:?}"),
        )?;
        let winners = standings.iter().take_while(|standing| standing.rank == 1);
        self.sentence_names(&winners.map(|standing| standing.seat).collect::<Vec<_>>())?;
        self.nothing_is_pending()?;
        self.nothing_happens()
    }

    /// Checks that the sentence about the end names exactly the seats of the first rank as winners.
    fn sentence_names(&self, winners: &[Seat]) -> Result<(), Fault> {
        let names: Vec<String> = NAMES[..self.seats]
            .iter()
            .map(|name| (*name).to_owned())
            .collect();
        let table_life = self.table_life.as_deref();
        let sentence = table_life::outcome::<R>(&self.now.state, table_life, Names::new(&names));
        let (named, _) = sentence.split_once(" win").unwrap_or_default();
        let named: Vec<Seat> = Seat::all(self.seats)
            .filter(|seat| named.contains(NAMES[seat.index()]))
            .collect();
        Fault::unless(named == winners, "ends", || {
            format!("{winners:?} are of the first rank, but the sentence is {sentence:?}")
        })
    }

    /// Checks that no view contains anything that belongs to a decision.
    fn nothing_is_pending(&self) -> Result<(), Fault> {
        let (state, table_life) = (&self.now.state, self.table_life.as_deref());
        for viewer in viewers(self.seats) {
            let view = table_life::view::<R>(state, table_life, viewer);
            let mut silent = table_life::view::<R>(state, table_life, viewer);
            R::clear_pending(&mut silent);
            Fault::unless(view == silent, "ends", || {
                format!("the game is over, but the view of {viewer:?} asks for something")
            })?;
        }
        Ok(())
    }

    /// Checks that everything is refused, with one code.
    fn nothing_happens(&self) -> Result<(), Fault> {
        for seat in Seat::all(self.seats) {
            let left = table_life::apply_table_event(
                self.table(),
                &TableEvent::Resigned { seat },
                None,
                self.stamp(),
            );
            Fault::unless(left.err() == Some(TableRefusal::GameOver), "ends", || {
                format!("the game is over, but {seat} can leave it")
            })?;
            let Some(action) = &self.played else {
                continue;
            };
            let acted = table_life::apply_action(self.table(), seat, action, self.stamp());
            let is_over = match &acted {
                Err(ActionError::Table(no)) => *no == TableRefusal::GameOver,
                Err(ActionError::Rules(refused)) => refused.reason.code() == GAME_OVER,
                Ok(_) => false,
            };
            Fault::unless(is_over, "ends", || {
                let why = acted.err().map(|denied| denied.to_string());
                format!("the game is over, but the action of {seat} is refused because: {why:?}")
            })?;
        }
        Ok(())
    }
}

/// The code of all refusals in a game that is over.
const GAME_OVER: &str = "GAME_OVER";

/// No name is part of another one, or of any other word of the sentence.
const NAMES: [&str; 6] = ["Zoe", "Yann", "Xia", "Wanda", "Vito", "Ulf"];

fn fault(text: String) -> Fault {
    let rule = "leaving";
    Fault { rule, text }
}
