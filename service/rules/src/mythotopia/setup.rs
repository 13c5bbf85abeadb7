//! From options and luck to the first decision, and from the last set-up choice to the first turn
//! (chapter 5).

use arrayvec::ArrayVec;

use super::data::{
    ARMIES, BorderSet, Card, CardSet, DISPLAYED, DRAGONS, FOURTH_PLAYER_EXTRA, HAND, Improvement,
    Island, PointCard, PointCardSet, Province, ProvinceSet, RUNESTONES, SHIPS, STARTING_ARMIES,
    STARTING_SHIPS, Stack, TOKENS, VARIABLE_IN_PLAY,
};
use super::event::Event;
use super::rules::Play;
use super::rules::capture::complete_island;
use super::rules::drawing::{self, Shuffle};
use super::state::{Citadel, Forces, Pieces, Player, SeasMarks, Stage, State, Turn, count, dealt};
use super::{Mythotopia, Options};
use crate::ruleset::JournalOf;
use crate::table::{Chance, DrawValue, PerSeat, Seat};

impl DrawValue for Province {
    fn draw_value(self) -> u16 {
        u16::from(self.printed_number())
    }
}

impl DrawValue for Improvement {
    fn draw_value(self) -> u16 {
        u16::from(self.printed_number())
    }
}

impl DrawValue for PointCard {
    fn draw_value(self) -> u16 {
        u16::from(count(self.index())) + 1
    }
}

impl DrawValue for Card {
    fn draw_value(self) -> u16 {
        u16::from(count(self.index())) + 1
    }
}

/// What a drawn number means, as the data file spells it (MYT-14.1).
pub(super) fn draw_label(draw: &str, value: u16) -> String {
    let place = usize::from(value).wrapping_sub(1);
    let label = match draw {
        "deal" => Province::nth(place).map(|province| province.id().to_owned()),
        "improvements" => Improvement::nth(place).map(|improvement| improvement.id().to_owned()),
        "point_cards" => PointCard::nth(place).map(|card| card.id().to_owned()),
        "first_player" => None,
        _ => Card::nth(place).map(Card::id),
    };
    label.unwrap_or_else(|| value.to_string())
}

/// Sets the table up to the secret choices.
///
/// # Rule MYT-5.2 to 5.6
pub(super) fn setup(
    options: &Options,
    chance: &mut Chance,
    journal: &mut JournalOf<Mythotopia>,
) -> State {
    let mut pile = Province::ALL.to_vec();
    chance.shuffle("deal", None, &mut pile);
    let each = usize::from(dealt(options.colours.count(), options.more_choice));
    let players = PerSeat::new(options.colours.count(), |seat| {
        let provinces = pile.drain(..each).collect();
        journal.event(Event::ProvincesDealt { seat, provinces });
        player(options, seat, provinces)
    });
    let mut improvements = Improvement::ALL.to_vec();
    chance.shuffle("improvements", None, &mut improvements);
    let face_down = improvements.split_off(DISPLAYED);
    journal.event(Event::ImprovementsDisplayed {
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
        castles: ProvinceSet::EMPTY,
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
    state
}

/// # Rule MYT-5.2, 14.1
/// The dealt cards and the starting cards lie in the deck, in no order yet.
fn player(options: &Options, seat: Seat, provinces: ProvinceSet) -> Player {
    let colour = options.colours[seat];
    let starting = Card::starting(colour);
    let dealt = provinces.iter().map(Card::province);
    Player {
        colour,
        towns: provinces,
        cities: ProvinceSet::EMPTY,
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
        deck: starting.chain(dealt).collect(),
        discard: CardSet::EMPTY,
        reserve: CardSet::EMPTY,
        removed: CardSet::EMPTY,
        tokens: [0; 3],
        seas_claimed: SeasMarks::EMPTY,
        seas_towns: 0,
        choice: None,
    }
}

/// # Rule MYT-5.5
/// The three fixed cards, and four of the ten variable ones.
fn point_cards(chance: &mut Chance, journal: &mut JournalOf<Mythotopia>) -> PointCardSet {
    let fixed: PointCardSet = PointCard::FIXED.into_iter().collect();
    let variable = PointCard::ALL.iter().copied();
    let mut variable: Vec<PointCard> = variable.filter(|&card| !fixed.contains(card)).collect();
    chance.shuffle("point_cards", None, &mut variable);
    variable.truncate(VARIABLE_IN_PLAY);
    journal.event(Event::PointCardsLaidOut {
        cards: variable.clone(),
    });
    fixed | variable.into_iter().collect()
}

/// # Rule MYT-5.6
/// Dragons lie in the provinces of the first five cards of the pile, runestones in those of the
/// next five. The cards go below the pile, whose order then has no further meaning.
fn wonders(
    pile: &[Province],
    in_play: PointCardSet,
    journal: &mut JournalOf<Mythotopia>,
) -> (ProvinceSet, ProvinceSet) {
    let mut cards = pile.iter().copied();
    let mut draw = |card, most| {
        let most = if in_play.contains(card) { most } else { 0 };
        cards.by_ref().take(most).collect::<ProvinceSet>()
    };
    let dragons = draw(PointCard::HereBeDragons, DRAGONS);
    let runestones = draw(PointCard::Runestones, RUNESTONES);
    if !dragons.is_empty() {
        journal.event(Event::DragonsPlaced { provinces: dragons });
    }
    if !runestones.is_empty() {
        journal.event(Event::RunestonesPlaced {
            provinces: runestones,
        });
    }
    (dragons, runestones)
}

/// # Rule MYT-5.5, A30
/// Every card gets all its tokens; the bank has the rest, if there is one.
fn stock_point_cards(state: &mut State) {
    for &stack in Stack::ALL {
        if state.in_play.contains(stack.card()) {
            let tokens = stack.tokens(state.players.count());
            state.tokens[stack.index()] = tokens;
            let bank = state.bank_of(stack);
            *bank = bank.saturating_sub(tokens);
        }
    }
}

/// Everybody has chosen: first player, decks, opening hands, islands.
///
/// # Rule MYT-5.9 to 5.11
pub(super) fn begin(play: &mut Play) {
    let seats: Vec<Seat> = play.state.players.seats().collect();
    let first = play.chance.pick("first_player", None, &seats);
    let first = first.unwrap_or(Seat::FIRST);
    play.state.first = first;
    play.state.active = first;
    play.state.stage = Stage::Turns;
    play.note(Event::FirstPlayer { seat: first });
    for &seat in &seats {
        let player = &mut play.state.players[seat];
        drawing::shuffle(player, seat, Shuffle::Beginning, play.chance);
    }
    for (place, seat) in first.clockwise(seats.len()).enumerate() {
        let extra = if place == 3 { FOURTH_PLAYER_EXTRA } else { 0 };
        drawing::draw(play, seat, HAND + extra);
    }
    for &seat in &seats {
        for &island in Island::ALL {
            complete_island(play.state, seat, island);
        }
    }
    play.note(Event::TurnBegan { seat: first });
}
