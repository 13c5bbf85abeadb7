//! Set-up: builds the first table from the options and random draws (TM-5).

use arrayvec::ArrayVec;
use enumset::EnumSet;

use super::action::Action;
use super::data::{
    BonusCard, Faction, INTRODUCTION_SCORING, Introduction, ROUNDS, SPARE_CARDS, ScoringTile,
    Terrain,
};
use super::event::Event;
use super::flow;
use super::options::{MAX_CARDS, Options, SetupMode, may_lie_so};
use super::rules::setting_up;
use super::stage::{Choosing, Stage};
use super::state::{Board, ExecContext, Player, PoolCard, Seats, State, Turn};
use crate::table::{Chance, Journal, MAX_SEATS, PerSeat, Seat, invariant_violated};

/// Sets up the table, up to the first decision.
///
/// # Rule TM-5.2, TM-14.8
/// Draws are in this order; parts that the options fix are not drawn.
pub fn setup(
    options: &Options,
    chance: &mut Chance,
    journal: &mut Journal<Action, Event>,
) -> State {
    let seats = usize::from(options.seats);
    let first_player = first_player(options, chance);
    let scoring_tiles = scoring_tiles(options, chance);
    let cards = bonus_cards(options, chance);
    let colors = colors(options, chance);
    journal.push_event(Event::TableSet {
        first_player,
        scoring_tiles,
        bonus_cards: cards.clone(),
        colors: colors.clone(),
    });
    let turn_order: Seats = first_player.clockwise(seats).collect();
    let choosing = Choosing {
        chosen: PerSeat::new(seats, |_| None),
        colors,
    };
    let mut state = State {
        rules: options.rules,
        stage: Stage::ChooseFaction(choosing),
        round: 0,
        turn_order,
        passed: Seats::new(),
        turn: Turn::of(first_player),
        cult_spades: ArrayVec::new(),
        board: Board::printed(),
        towns: ArrayVec::new(),
        priest_spaces: [[None; 4]; 4],
        used_power_actions: EnumSet::empty(),
        scoring_tiles,
        pool: cards
            .into_iter()
            .map(|card| PoolCard { card, coins: 0 })
            .collect(),
        players: PerSeat::new(0, |_| Player::new(Faction::Auren)),
    };
    let mut ctx = ExecContext {
        state: &mut state,
        chance,
        journal,
    };
    let factions = factions(options, first_player);
    for (seat, &faction) in Seat::all(seats).zip(&factions) {
        setting_up::perform_faction(&mut ctx, seat, faction);
    }
    flow::run_to_decision(&mut ctx);
    if options.setup_mode == SetupMode::Introductory {
        place_introductory(&mut ctx);
        flow::run_to_decision(&mut ctx);
    }
    state
}

fn first_player(options: &Options, chance: &mut Chance) -> Seat {
    let seats: Seats = Seat::all(usize::from(options.seats)).collect();
    let drawn = || chance.pick("first_player", None, &seats);
    match options.first_player.or_else(drawn) {
        Some(seat) => seat,
        None => invariant_violated("TM-5.1", options),
    }
}

/// # Rule TM-5.3, TM-P.30
/// Six tiles of the box, every arrangement without SCORE1 in rounds 5 and 6 equally likely.
fn scoring_tiles(options: &Options, chance: &mut Chance) -> [ScoringTile; ROUNDS as usize] {
    if options.setup_mode == SetupMode::Introductory {
        return INTRODUCTION_SCORING;
    }
    options.scoring_tiles.unwrap_or_else(|| {
        let box_has = |tile: &ScoringTile| options.rules.has_scoring_tile(*tile);
        let mut tiles: Vec<ScoringTile> = ScoringTile::ALL.into_iter().filter(box_has).collect();
        let rounds = usize::from(ROUNDS);
        chance.sample_where("scoring_tiles", None, &mut tiles, rounds, may_lie_so);
        std::array::from_fn(|round| tiles[round])
    })
}

/// # Rule TM-5.4, TM-P.20
/// Three more cards than players.
fn bonus_cards(options: &Options, chance: &mut Chance) -> ArrayVec<BonusCard, MAX_CARDS> {
    let seats = usize::from(options.seats);
    if options.setup_mode == SetupMode::Introductory {
        return Introduction::of(seats).cards.iter().copied().collect();
    }
    if !options.bonus_cards.is_empty() {
        return options.bonus_cards.clone();
    }
    let box_has = |card: &BonusCard| options.rules.has_card(*card);
    let mut cards: Vec<BonusCard> = BonusCard::ALL.into_iter().filter(box_has).collect();
    chance.sample("bonus_cards", None, &mut cards, seats + SPARE_CARDS);
    cards.into_iter().collect()
}

/// # Rule TM-5.5
/// A different color for every seat, if colors are drawn.
fn colors(options: &Options, chance: &mut Chance) -> ArrayVec<Terrain, MAX_SEATS> {
    if options.setup_mode != SetupMode::RandomColors {
        return ArrayVec::new();
    }
    let mut colors: Vec<Terrain> = Terrain::ALL.to_vec();
    chance.sample("colors", None, &mut colors, usize::from(options.seats));
    colors.into_iter().collect()
}

/// The factions set by the options, by seat; the first game deals them from the start player on (J41).
fn factions(options: &Options, first_player: Seat) -> ArrayVec<Faction, MAX_SEATS> {
    let seats = usize::from(options.seats);
    if options.setup_mode != SetupMode::Introductory || !options.factions.is_empty() {
        return options.factions.clone();
    }
    let listed = Introduction::of(seats).factions;
    let place = |seat: Seat| (seat.index() + seats - first_player.index()) % seats;
    Seat::all(seats).map(|seat| listed[place(seat)].0).collect()
}

/// Puts the dwellings of the first game on the map (TM-9.2).
fn place_introductory(ctx: &mut ExecContext<'_>) {
    let seats = ctx.state.seats();
    for &(faction, lands) in Introduction::of(seats).factions {
        let owner = Seat::all(seats).find(|&seat| ctx.state.faction(seat) == faction);
        for (&land, seat) in lands.iter().zip(owner.into_iter().cycle()) {
            setting_up::perform_dwelling(ctx, seat, land);
        }
    }
}
