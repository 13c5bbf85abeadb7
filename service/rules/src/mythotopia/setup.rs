//! Set-up: builds the first table from the options and random draws (MYT-5).

use arrayvec::ArrayVec;

use super::action::Action;
use super::data::{
    ARMIES, BorderSet, Card, CardSet, DISPLAYED, DRAGONS, Improvement, PointCard, PointCardSet,
    Province, ProvinceSet, RUNESTONES, SHIPS, STARTING_ARMIES, STARTING_SHIPS, Stack, TOKENS,
    VARIABLE_IN_PLAY,
};
use super::event::Event;
use super::options::Options;
use super::rules::{awards, begin};
use super::stage::{SeasMarks, Stage, Turn};
use super::state::{Citadel, ExecContext, Forces, Pieces, Player, State, dealt};
use crate::table::{Chance, Journal, PerSeat, Seat};

/// Sets up the table, up to the first decision.
///
/// # Rule MYT-5.2 to 5.11
/// Without the option of more choice and without the Citadel card, that is the first turn.
pub fn setup(
    options: &Options,
    chance: &mut Chance,
    journal: &mut Journal<Action, Event>,
) -> State {
    let mut pile = Province::ALL.to_vec();
    chance.shuffle("deal", None, &mut pile);
    let each = usize::from(dealt(options.colors.count(), options.more_choice));
    let players = PerSeat::new(options.colors.count(), |seat| {
        let provinces = pile.drain(..each).collect();
        journal.push_event(Event::ProvincesDealt { seat, provinces });
        player(options, seat, provinces)
    });
    let mut improvements = Improvement::ALL.to_vec();
    chance.shuffle("improvements", None, &mut improvements);
    let face_down = improvements.split_off(DISPLAYED);
    journal.push_event(Event::ImprovementsDisplayed {
        improvements: improvements.clone(),
    });
    let in_play = point_cards(chance, journal);
    let (dragons, runestones) = wonders(&pile, in_play, journal);
    let mut state = State {
        switches: options.switches,
        more_choice: options.more_choice,
        stage: Stage::SetupDiscard,
        first: Seat::FIRST,
        active: Seat::FIRST,
        turn: Turn::default(),
        castles: ProvinceSet::empty(),
        dragons,
        runestones,
        roads: BorderSet::EMPTY,
        display: improvements.into_iter().collect(),
        improvement_deck: face_down.into_iter().rev().collect(),
        in_play,
        tokens: [0; 15],
        bank: TOKENS,
        awards: ArrayVec::new(),
        players,
    };
    stock_point_cards(&mut state);
    if !options.more_choice {
        let play = &mut ExecContext {
            state: &mut state,
            chance,
            journal,
        };
        begin::with_provinces(play);
        awards::settle(play, awards::SourceChooser::Receiver);
    }
    state
}

/// # Rule MYT-5.2, 14.1
/// The dealt cards and the starting cards are in the deck, not ordered yet.
fn player(options: &Options, seat: Seat, provinces: ProvinceSet) -> Player {
    let color = options.colors[seat];
    let starting = Card::starting(color);
    let dealt = provinces.iter().map(Card::province);
    Player {
        color,
        towns: provinces,
        cities: ProvinceSet::empty(),
        citadel: Citadel::Unused,
        armies: Forces::default(),
        mercenaries: Forces::default(),
        ships: [0; 4],
        stock: Pieces {
            armies: STARTING_ARMIES,
            ships: STARTING_SHIPS,
        },
        pool: Pieces {
            armies: ARMIES - STARTING_ARMIES,
            ships: SHIPS - STARTING_SHIPS,
        },
        hand: CardSet::EMPTY,
        shown: CardSet::EMPTY,
        secret: None,
        has_looked: false,
        deck: starting.chain(dealt).collect(),
        discard: CardSet::EMPTY,
        reserve: CardSet::EMPTY,
        removed: CardSet::EMPTY,
        tokens: [0; 3],
        seas_claimed: SeasMarks::empty(),
        seas_towns: 0,
        choice: None,
    }
}

/// # Rule MYT-5.5
/// The three fixed cards, and four of the ten variable ones.
fn point_cards(chance: &mut Chance, journal: &mut Journal<Action, Event>) -> PointCardSet {
    let fixed: PointCardSet = PointCard::FIXED.into_iter().collect();
    let variable = PointCard::ALL.iter().copied();
    let mut variable: Vec<PointCard> = variable.filter(|&card| !fixed.contains(card)).collect();
    chance.shuffle("point_cards", None, &mut variable);
    variable.truncate(VARIABLE_IN_PLAY);
    journal.push_event(Event::PointCardsLaidOut {
        cards: variable.clone(),
    });
    fixed | variable.into_iter().collect::<PointCardSet>()
}

/// # Rule MYT-5.6
/// Dragons are placed in the provinces of the first five cards of the pile, runestones in those of
/// the next five. The cards go below the pile, whose order then has no further meaning.
fn wonders(
    pile: &[Province],
    in_play: PointCardSet,
    journal: &mut Journal<Action, Event>,
) -> (ProvinceSet, ProvinceSet) {
    let mut cards = pile.iter().copied();
    let mut draw = |card, most| {
        let most = if in_play.contains(card) { most } else { 0 };
        cards.by_ref().take(most).collect::<ProvinceSet>()
    };
    let dragons = draw(PointCard::HereBeDragons, DRAGONS);
    let runestones = draw(PointCard::Runestones, RUNESTONES);
    if !dragons.is_empty() {
        journal.push_event(Event::DragonsPlaced { provinces: dragons });
    }
    if !runestones.is_empty() {
        journal.push_event(Event::RunestonesPlaced {
            provinces: runestones,
        });
    }
    (dragons, runestones)
}

/// # Rule MYT-5.5, A30
/// Every card gets all its tokens; the bank has the rest, if any.
fn stock_point_cards(state: &mut State) {
    for stack in Stack::ALL {
        if state.in_play.contains(stack.card()) {
            let tokens = stack.tokens(state.seats());
            state.tokens[stack.index()] = tokens;
            let bank = state.bank_of(stack);
            *bank = bank.saturating_sub(tokens);
        }
    }
}
