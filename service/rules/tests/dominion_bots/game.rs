//! One game between two bots.

use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::{Action, Dominion, Event, KingdomDraft};
use gamekeeper_rules::dominion::{Draft, Options, State};
use gamekeeper_rules::ruleset::{Ruleset, apply_permitted};
use gamekeeper_rules::table::{Chance, Journal, Seat, Seed};

use super::bot::{Bot, Buys};

/// The number of Provinces in the Supply of two players.
const PROVINCES: u32 = 8;

/// The result of one seat.
#[derive(Clone, Copy, Default)]
pub(crate) struct Outcome {
    pub(crate) points: i32,
    pub(crate) turns: u32,
    /// Whether the seat alone has rank 1.
    pub(crate) wins: bool,
}

/// Returns options with a kingdom of the cards that these bots buy, filled up with others.
pub(crate) fn options(buys: [Buys; 2]) -> Options {
    let bought = buys.into_iter().flatten().map(|(card, _)| *card);
    let mut kingdom: Vec<Card> = Vec::new();
    for card in bought.chain(Card::ALL.into_iter().rev()) {
        if card >= Card::Adventurer && !kingdom.contains(&card) && kingdom.len() < 10 {
            kingdom.push(card);
        }
    }
    let draft = Draft {
        kingdom: KingdomDraft::Cards(kingdom.into_iter().map(Some).collect()),
        first_player: Some(1),
        strict_secrecy: false,
    };
    let names = [String::from("first"), String::from("second")];
    Dominion::options(&names, &draft).expect("ten kingdom cards")
}

/// Plays a game; `buys` and outcomes are in seat order, seat 1 begins.
pub(crate) fn play(options: &Options, buys: [Buys; 2], seed: u64) -> [Outcome; 2] {
    let mut chance = Chance::from_seed(&Seed::from_number(seed));
    let mut journal = Journal::new();
    let mut state = Dominion::setup(options, &mut chance, &mut journal);
    let mut bots = [
        Bot::new(Seat::at(0), buys[0]),
        Bot::new(Seat::at(1), buys[1]),
    ];
    let mut provinces_left = PROVINCES;
    while let Some(pending) = Dominion::pending(&state).first() {
        let bot = &bots[pending.seat.index()];
        let permit = bot.decide(&state, pending.decision, provinces_left);
        journal.clear();
        apply_permitted::<Dominion>(&mut state, permit, &mut chance, &mut journal);
        drop(chance.take_record());
        provinces_left -= note_gains(&mut bots, &journal);
    }
    outcomes(&state)
}

/// Adds the cards that each bot gained to its records. Returns the number of Provinces among them.
fn note_gains(bots: &mut [Bot; 2], journal: &Journal<Action, Event>) -> u32 {
    let mut provinces = 0;
    for event in &journal.events {
        if let Event::CardGained { seat, card, .. } = event {
            bots[seat.index()].gained.push(*card);
            provinces += u32::from(*card == Card::Province);
        }
    }
    provinces
}

fn outcomes(state: &State) -> [Outcome; 2] {
    let ranking = Dominion::ranking(state).expect("the game is over");
    let alone = ranking.winners().count() == 1;
    let mut outcomes = [Outcome::default(); 2];
    for standing in &ranking.standings {
        let turns = -standing
            .tie_breaks
            .iter()
            .map(|item| item.points)
            .sum::<i32>();
        outcomes[standing.seat.index()] = Outcome {
            points: standing.score,
            turns: turns.unsigned_abs(),
            wins: alone && standing.rank == 1,
        };
    }
    outcomes
}
