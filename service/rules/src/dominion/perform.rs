//! Carries out what was allowed.

use super::legal::{Allowed, Permit};
use super::pending::settle;
use super::rules::cards::{
    bureaucrat, cellar, chancellor, chapel, library, militia, mine, remodel, spy, thief,
    throne_room,
};
use super::rules::procedures::Table;
use super::rules::{action_phase, attack, buy_phase, clean_up, gain};

/// The effect of the action, and everything automatic after it.
pub(super) fn perform(table: &mut Table<'_>, permit: Permit) {
    carry_out(table, permit.0);
    settle(table);
}

fn carry_out(table: &mut Table<'_>, allowed: Allowed) {
    match allowed {
        Allowed::PlayAction(card) => action_phase::perform_play(table, card),
        Allowed::EndActionPhase => action_phase::perform_end(table),
        Allowed::PlayTreasures(cards) => buy_phase::perform_treasures(table, cards),
        Allowed::PlayAllTreasures => buy_phase::perform_all_treasures(table),
        Allowed::BuyCard(card) => buy_phase::perform_buy(table, card),
        Allowed::EndTurn(discard_top) => clean_up::perform_end_turn(table, discard_top),
        Allowed::RevealReaction => attack::perform_reveal(table),
        Allowed::DeclineReaction => attack::perform_decline(table),
        Allowed::CellarDiscard(cards) => cellar::perform(table, cards),
        Allowed::ChancellorDiscard => chancellor::perform_discard(table),
        Allowed::ChancellorKeep => chancellor::perform_keep(table),
        Allowed::ChapelTrash(cards) => chapel::perform(table, cards),
        Allowed::GainCard(card) => gain::perform(table, card),
        Allowed::RemodelTrash(card) => remodel::perform(table, card),
        Allowed::MineTrash(card) => mine::perform(table, card),
        Allowed::LibrarySetAside => library::perform_set_aside(table),
        Allowed::LibraryKeep => library::perform_keep(table),
        Allowed::MilitiaDiscard(cards) => militia::perform(table, cards),
        Allowed::BureaucratTopdeck(card) => bureaucrat::perform(table, card),
        Allowed::SpyDiscard => spy::perform_discard(table),
        Allowed::SpyPutBack => spy::perform_put_back(table),
        Allowed::ThiefTrash(card) => thief::perform_trash(table, card),
        Allowed::ThiefGain(cards) => thief::perform_gain(table, &cards),
        Allowed::ThroneRoomChoose(card) => throne_room::perform(table, card),
    }
}
