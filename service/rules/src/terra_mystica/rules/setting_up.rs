//! Choices of the set-up (TM-5.5 to TM-5.8).

use super::super::data::{BonusCard, Faction, Land, Space, Structure};
use super::super::event::Event;
use super::super::refusal::Refusal;
use super::super::state::{Player, Stage, State};
use super::{Play, land_of};
use crate::table::{PerSeat, Seat};

/// # Rule TM-5.5, TM-14.3
/// A faction that nobody has, of a colour that nobody has; of the drawn colour, if one was drawn.
pub(in super::super) fn check_faction(
    state: &State,
    seat: Seat,
    faction: Option<Faction>,
) -> Result<Faction, Refusal> {
    let faction = faction.ok_or(Refusal::UnknownFaction)?;
    let choosing = state.choosing();
    let chosen = || {
        choosing
            .iter()
            .flat_map(|choosing| choosing.chosen.iter())
            .flatten()
    };
    if chosen().any(|&other| other == faction) {
        return Err(Refusal::FactionTaken { faction });
    }
    let color = faction.home();
    let drawn = choosing.and_then(|choosing| choosing.colors.get(seat.index()));
    if chosen().any(|other| other.home() == color) || drawn.is_some_and(|&drawn| drawn != color) {
        return Err(Refusal::ColorTaken { color });
    }
    Ok(faction)
}

/// # Rule TM-5.7
/// Any empty space of the home terrain.
pub(in super::super) fn check_first_dwelling(
    state: &State,
    seat: Seat,
    space: Space,
) -> Result<Land, Refusal> {
    let land = land_of(space)?;
    let terrain = state.board.terrain(land);
    let space = land.id();
    if state.board.piece(land).is_some() {
        return Err(Refusal::SpaceOccupied { space });
    }
    if terrain != state.faction(seat).home() {
        return Err(Refusal::WrongTerrain { space, terrain });
    }
    Ok(land)
}

/// # Rule TM-5.8
/// Any card of the pool.
pub(in super::super) fn check_first_card(
    state: &State,
    card: BonusCard,
) -> Result<BonusCard, Refusal> {
    if state.in_pool(card) {
        Ok(card)
    } else {
        Err(Refusal::CardNotAvailable { card })
    }
}

impl Play<'_> {
    /// A faction is chosen; after the last one everybody gets a board (TM-5.6).
    pub(in super::super) fn perform_faction(&mut self, seat: Seat, faction: Faction) {
        self.tell(Event::FactionChosen { seat, faction });
        let Stage::ChooseFaction(choosing) = &mut self.state.stage else {
            return;
        };
        choosing.chosen[seat] = Some(faction);
        let chosen: Option<Vec<Faction>> = choosing.chosen.iter().copied().collect();
        if let Some(factions) = chosen {
            let board = |seat: Seat| Player::new(factions[seat.index()]);
            self.state.players = PerSeat::new(factions.len(), board);
            self.state.stage = Stage::PlaceDwelling;
        }
    }

    pub(in super::super) fn perform_first_dwelling(&mut self, seat: Seat, land: Land) {
        self.place_dwelling(seat, land);
        if self.state.next_to_place().is_none() {
            self.state.stage = Stage::ChooseBonusCard;
        }
    }

    pub(in super::super) fn place_dwelling(&mut self, seat: Seat, land: Land) {
        self.state.board.put(land, seat, Structure::Dwelling);
        self.tell(Event::DwellingPlaced { seat, land });
    }

    pub(in super::super) fn perform_first_card(&mut self, seat: Seat, card: BonusCard) {
        self.take_card(seat, card);
        if self.state.next_to_take_card().is_none() {
            self.lay_coins();
            self.begin_round();
        }
    }
}
