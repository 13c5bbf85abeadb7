//! Tables that somebody describes (TM-15): makes the table of a view. `judge` decides whether it keeps the rules.

mod cards;
mod choices;
mod common;
mod judge;
mod map;
mod players;

use arrayvec::ArrayVec;

use self::common::path;
use super::data::{
    BonusCard, CULT_TOP, INTRODUCTION_SCORING, Introduction, LANDS, Land, TownTile, site_between,
};
use super::options::{Options, SetupMode};
use super::stage::{Choosing, Phase, Stage};
use super::state::turn::FollowUps;
use super::state::{
    Board, CultSpades, MAX_TOWNS, Offer, Player, PoolCard, Seats, State, Town, Turn,
};
use super::view::{BoardView, FollowUp, TownView, TurnView, View};
use crate::table::{Chance, MAX_SEATS, PerSeat, PositionError, Seat};

pub use judge::judge;

/// Makes the table that a view describes. Nothing is hidden, so luck deals nothing.
///
/// # Rule TM-15.1
pub fn position(
    options: &Options,
    view: &View,
    _chance: &mut Chance,
) -> Result<State, PositionError> {
    PositionError::unless(view.phase != Phase::Over, || {
        PositionError::new("TM-8.1", "phase", view.phase.id(), "a phase before the end")
    })?;
    lists(view, options.seats())?;
    seats_exist(view, options.seats())?;
    let state = read(options, view)?;
    judge(&state)?;
    agrees(options, &state)?;
    Ok(state)
}

/// # Rule TM-15.2
/// Lists of players, turns and hexes have one entry for each, in order.
fn lists(view: &View, seats: usize) -> Result<(), PositionError> {
    let players = view.players.iter().map(|player| player.seat.index());
    PositionError::in_order("TM-15.2", "players", players, seats)?;
    PositionError::in_order(
        "TM-15.2",
        "spaces",
        view.spaces.iter().map(|space| space.space.index()),
        LANDS,
    )?;
    let found = view.turn_order.len();
    PositionError::unless(found == seats, || {
        PositionError::new("TM-15.2", "turn_order", found, format!("{seats} entries"))
    })
}

/// # Rule TM-15.2
/// Every seat that is named sits at the table.
fn seats_exist(view: &View, seats: usize) -> Result<(), PositionError> {
    let list = |path: &str, named: Vec<Seat>| {
        let beyond = named.iter().position(|seat| seat.index() >= seats);
        beyond.map_or(Ok(()), |place| {
            let path = path.replacen("[]", &format!("[{place}]"), 1);
            let (found, allowed) = (named[place].number(), format!("a seat from 1 to {seats}"));
            Err(PositionError::new("TM-15.2", path, found, allowed))
        })
    };
    list(
        "turn.seat",
        view.turn.iter().map(|turn| turn.seat).collect(),
    )?;
    list("turn_order[]", view.turn_order.clone())?;
    list("passed_order[]", view.passed_order.clone())?;
    let offers = view.power_offers.iter().map(|offer| offer.seat);
    list("power_offers[].seat", offers.collect())?;
    let spades = view.cult_spades.iter().map(|spades| spades.seat);
    list("cult_spades[].seat", spades.collect())?;
    // A space without an owner counts as one of the first seat, which every table has.
    let owners = view.spaces.iter();
    let owners = owners.map(|space| space.owner.unwrap_or(Seat::FIRST));
    list("spaces[].owner", owners.collect())?;
    let bridges = view.bridges.iter().map(|bridge| bridge.seat);
    list("bridges[].seat", bridges.collect())?;
    list(
        "towns[].seat",
        view.towns.iter().map(|town| town.seat).collect(),
    )?;
    let priests = view.priests.iter().flatten().flatten().copied();
    list("priests[].seat", priests.collect())
}

/// Reads the table. The lists have their lengths, and all seats exist.
fn read(options: &Options, view: &View) -> Result<State, PositionError> {
    let turn_order: Seats = view.turn_order.iter().copied().collect();
    let towns = towns(view)?;
    let stage = stage(options, view)?;
    let players = match stage {
        Stage::ChooseFaction(_) => ArrayVec::new(),
        Stage::PlaceDwelling
        | Stage::ChooseBonusCard
        | Stage::Action
        | Stage::Cult
        | Stage::Over => with_boards(options.seats(), view, &towns)?,
    };
    let mut state = State {
        rules: options.rules,
        round: view.round,
        passed: few("passed_order", view.passed_order.iter().copied())?,
        turn: Turn::of(turn_order[0]),
        turn_order,
        cult_spades: cult_spades(view)?,
        board: map(view)?,
        towns,
        priest_spaces: view.priests,
        used_power_actions: view.used_power_actions.iter().copied().collect(),
        scoring_tiles: view.scoring_tiles,
        pool: few(
            "bonus_pool",
            view.bonus_pool.iter().map(|pooled| PoolCard {
                card: pooled.card,
                coins: pooled.coins,
            }),
        )?,
        players: PerSeat::new(players.len(), |seat| players[seat.index()].clone()),
        stage,
    };
    if state.stage == Stage::PlaceDwelling && state.next_to_place().is_none() {
        state.stage = Stage::ChooseBonusCard;
    }
    state.turn = turn(view, &state)?;
    Ok(state)
}

/// Reads the players, each with a faction board.
fn with_boards(
    seats: usize,
    view: &View,
    towns: &[Town],
) -> Result<ArrayVec<Player, MAX_SEATS>, PositionError> {
    let read = |seat: Seat| match &view.players[seat.index()].board {
        Some(board) => Ok(player(seat, board, towns)),
        None => {
            let allowed = "a faction board: all factions have been chosen";
            Err(PositionError::new(
                "TM-15.2",
                path(seat, "faction"),
                "none",
                allowed,
            ))
        }
    };
    Seat::all(seats).map(read).collect()
}

/// Collects a list that has room for a limited number of entries.
fn few<T, const N: usize>(
    path: &str,
    items: impl ExactSizeIterator<Item = T>,
) -> Result<ArrayVec<T, N>, PositionError> {
    let found = items.len();
    PositionError::unless(found <= N, || {
        PositionError::new("TM-15.2", path, found, format!("at most {N} entries"))
    })?;
    Ok(items.collect())
}

/// The stage of a phase; of the set-up the first stage that may be left: dwellings or cards come as soon as all have
/// factions.
fn stage(options: &Options, view: &View) -> Result<Stage, PositionError> {
    match view.phase {
        Phase::Setup => {}
        Phase::Action => return Ok(Stage::Action),
        Phase::Cult => return Ok(Stage::Cult),
        Phase::Over => return Ok(Stage::Over),
    }
    let players = view.players.iter();
    let faction = |seat: Seat| {
        view.players[seat.index()]
            .board
            .as_ref()
            .map(|board| board.faction)
    };
    let chosen = PerSeat::new(options.seats(), faction);
    if chosen.iter().all(Option::is_some) {
        return Ok(Stage::PlaceDwelling);
    }
    let colors = players.filter_map(|player| player.color);
    let colors: ArrayVec<_, MAX_SEATS> = colors.collect();
    let needed = match options.setup_mode {
        SetupMode::RandomColors => options.seats(),
        SetupMode::Standard | SetupMode::Introductory | SetupMode::Custom => 0,
    };
    PositionError::unless(colors.len() == needed, || {
        let (found, allowed) = (colors.len(), format!("{needed} colors of players"));
        PositionError::new("TM-5.5", "players", found, allowed)
    })?;
    Ok(Stage::ChooseFaction(Choosing { chosen, colors }))
}

fn player(seat: Seat, board: &BoardView, towns: &[Town]) -> Player {
    let own = towns.iter().filter(|town| town.seat == seat);
    let keys = own.map(|town| {
        if town.tile == Some(TownTile::Tw6) {
            2_u8
        } else {
            1
        }
    });
    let used = board.cults.iter().filter(|&&steps| steps == CULT_TOP);
    Player {
        faction: board.faction,
        vp: board.vp,
        coins: board.coins,
        workers: board.workers,
        priests: board.priests,
        bowls: board.power_bowls,
        cults: board.cults,
        shipping: board.shipping.unwrap_or(0),
        terraforming: board.terraforming_level,
        keys: used.fold(keys.sum(), |left, _| left.saturating_sub(1)),
        card: board.bonus_card,
        favors: board.favor_tiles.iter().copied().collect(),
        used: board.used_special.iter().copied().collect(),
    }
}

fn map(view: &View) -> Result<Board, PositionError> {
    let mut board = Board::printed();
    for (place, space) in view.spaces.iter().enumerate() {
        board.set_terrain(space.space, space.terrain);
        match (space.owner, space.structure) {
            (Some(seat), Some(structure)) => board.put(space.space, seat, structure),
            (None, None) => {}
            (owner, structure) => {
                let found = structure.map_or("none", |structure| structure.id());
                let allowed = if owner.is_some() {
                    "a structure"
                } else {
                    "none without an owner"
                };
                let path = format!("spaces[{place}].structure");
                return Err(PositionError::new("TM-15.2", path, found, allowed));
            }
        }
    }
    for (place, bridge) in view.bridges.iter().enumerate() {
        let site = site_between(bridge.a, bridge.b).filter(|&site| board.bridge(site).is_none());
        let Some(site) = site else {
            let found = format!("{} to {}", bridge.a.id(), bridge.b.id());
            let allowed = "a site for bridges, each once";
            return Err(PositionError::new(
                "TM-11.8",
                format!("bridges[{place}]"),
                found,
                allowed,
            ));
        };
        board.put_bridge(site, bridge.seat);
    }
    Ok(board)
}

fn towns(view: &View) -> Result<ArrayVec<Town, MAX_TOWNS>, PositionError> {
    let town = |town: &TownView| Town {
        seat: town.seat,
        tile: town.tile,
        lands: town.spaces.iter().copied().collect(),
        river: town.river,
    };
    few("towns", view.towns.iter().map(town))
}

fn cult_spades(view: &View) -> Result<ArrayVec<CultSpades, MAX_SEATS>, PositionError> {
    few(
        "cult_spades",
        view.cult_spades.iter().map(|queued| CultSpades {
            seat: queued.seat,
            spades: queued.spades,
        }),
    )
}

/// Reads the turn that runs; without one, the turn is that of the first player in the set-up, and of the last one to
/// pass in phase III.
fn turn(view: &View, state: &State) -> Result<Turn, PositionError> {
    if state.stage != Stage::Action {
        let last = state.passed.last().copied();
        return Ok(Turn::of(last.unwrap_or(state.turn_order[0])));
    }
    let Some(running) = &view.turn else {
        return Err(PositionError::new(
            "TM-6.7",
            "turn",
            "none",
            "the turn that runs",
        ));
    };
    let TurnView {
        seat,
        main_action_done,
        extra_actions,
        ref late_build,
        power_accepted,
    } = *running;
    let offer = |seat: Seat, land: Land| Offer {
        seat,
        land,
        value: state.board.power_value(seat, state.board.direct(land)),
    };
    let offers = view.power_offers.iter();
    let mut turn = Turn {
        main_action_done,
        extra_actions,
        late_build: late_build.iter().copied().collect(),
        offers: few(
            "power_offers",
            offers.map(|open| offer(open.seat, open.space)),
        )?,
        follow_ups: follow_ups(&view.follow_ups),
        ..Turn::of(seat)
    };
    turn.takers = choices::takers(state, &turn, power_accepted)?;
    Ok(turn)
}

fn follow_ups(open: &[FollowUp]) -> FollowUps {
    let mut follow_ups = FollowUps::NONE;
    for &choice in open {
        match choice {
            FollowUp::FavorTiles(count) => follow_ups.favor_tiles = count,
            // Towns without a tile owe these.
            FollowUp::TownTiles(_) => {}
            FollowUp::CultStep => follow_ups.cult_step = true,
            FollowUp::Ordination => follow_ups.ordination = true,
            FollowUp::StrongholdSpades => follow_ups.stronghold_spades = true,
        }
    }
    follow_ups
}

/// # Rule TM-15.1
/// The table has what the options fix: scoring tiles, bonus cards, factions, and the first player up to round 1.
fn agrees(options: &Options, state: &State) -> Result<(), PositionError> {
    let other = |path: String, found: &str, allowed: &str| {
        let allowed = format!("{allowed}, as the options say");
        Err(PositionError::new("TM-15.1", path, found, allowed))
    };
    let introductory = options.setup_mode == SetupMode::Introductory;
    let tiles = introductory
        .then_some(INTRODUCTION_SCORING)
        .or(options.scoring_tiles);
    let tiles = tiles.into_iter().flatten().zip(state.scoring_tiles);
    for (place, (wanted, tile)) in tiles.enumerate() {
        if tile != wanted {
            return other(format!("scoring_tiles[{place}]"), tile.id(), wanted.id());
        }
    }
    let first = options.first_player.filter(|_| state.round <= 1);
    if first.is_some_and(|first| first != state.turn_order[0]) {
        let found = state.turn_order[0].to_string();
        return other(String::from("turn_order[0]"), &found, "the first player");
    }
    let cards = match introductory {
        true => Introduction::of(options.seats()).cards,
        false => options.bonus_cards.as_slice(),
    };
    let stray = |card: &BonusCard| !cards.is_empty() && !cards.contains(card);
    if let Some(card) = state.pool.iter().map(|pooled| pooled.card).find(stray) {
        return other(String::from("bonus_pool"), card.id(), "the cards in play");
    }
    for seat in Seat::all(options.seats()) {
        let path = |name: &str| format!("players[{}].board.{name}", seat.index());
        let player = state.players.iter().nth(seat.index());
        if let Some(card) = player.and_then(|player| player.card).filter(stray) {
            return other(path("bonus_card"), card.id(), "a card in play");
        }
        let found = player.map_or("none", |player| player.faction.id());
        let wanted = options
            .factions
            .get(seat.index())
            .map(|faction| faction.id());
        if wanted.is_some_and(|wanted| wanted != found) {
            return other(path("faction"), found, wanted.unwrap_or_default());
        }
    }
    Ok(())
}
