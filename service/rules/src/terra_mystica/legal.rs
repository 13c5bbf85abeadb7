//! The only judge: may this seat do this now? And carrying out what was allowed.

use arrayvec::ArrayVec;

use super::TerraMystica;
use super::action::{Action, MAX_LIST};
use super::data::{
    BonusCard, Cult, Faction, FavorTile, Goods, Land, PowerAction, SpecialAction, TownTile,
};
use super::pending::Decision;
use super::refusal::Refusal;
use super::rules::{
    Bought, Exchange, Job, Play, PriestSent, RiverTown, SpadeSource, Special, Spend, Upgrade,
    check_convert, check_cult_spades, check_cult_step, check_engineer_bridge, check_faction,
    check_favor_tile, check_first_card, check_first_dwelling, check_late_dwelling,
    check_ordination, check_pass, check_power_action, check_river_town, check_sacrifice,
    check_send_priest, check_shipping, check_special_action, check_terraforming, check_town_tile,
    check_upgrade, check_work,
};
use super::state::State;
use crate::ruleset::JournalOf;
use crate::table::Seat;

/// An action that was allowed, with prices and targets worked out.
#[derive(Clone, Debug)]
pub struct Permit {
    seat: Seat,
    deed: Deed,
}

#[derive(Clone, Debug)]
enum Deed {
    ChooseFaction(Faction),
    PlaceDwelling(Land),
    ChooseBonusCard(BonusCard),
    Main(MainDeed),
    LateDwelling(Land),
    Convert(Exchange),
    Sacrifice(u8),
    RiverTown(RiverTown),
    EndTurn,
    DecidePower(bool),
    FavorTile(FavorTile),
    TownTile(TownTile, ArrayVec<Cult, MAX_LIST>),
    CultStep(Cult),
    Ordain(u8),
    StrongholdSpades(Job),
    CultSpades(Job),
}

#[derive(Clone, Debug)]
enum MainDeed {
    Work(Job),
    Shipping,
    Terraforming(Goods),
    Upgrade(Upgrade),
    Priest(PriestSent),
    Power(PowerAction, Spend, Bought),
    Special(SpecialAction, Special),
    EngineerBridge(usize),
    Pass(Option<BonusCard>),
}

/// # Rule TM-6.4, TM-14.1
/// The game runs, the seat is to act, the action belongs to the decision; then the action itself.
pub(super) fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, Refusal> {
    let Some((actor, decision)) = state.decision() else {
        return Err(Refusal::GameFinished);
    };
    if seat != actor {
        return Err(Refusal::NotYourTurn { seat, actor });
    }
    belongs(state, seat, decision, action)?;
    let deed = check_deed(state, seat, decision, action)?;
    Ok(Permit { seat, deed })
}

/// Does the action belong to the open decision? (TM-6.1)
fn belongs(state: &State, seat: Seat, decision: Decision, action: &Action) -> Result<(), Refusal> {
    let follow_ups = state.turn.follow_ups;
    let own_turn = matches!(decision, Decision::Turn | Decision::FollowUp);
    let alchemist = || state.faction(seat) == Faction::Alchemists;
    let choosing = decision == Decision::FollowUp;
    let fits = match action {
        Action::ChooseFaction { .. } => decision == Decision::ChooseFaction,
        Action::PlaceDwelling { .. } => decision == Decision::PlaceDwelling,
        Action::ChooseBonusCard { .. } => decision == Decision::ChooseBonusCard,
        Action::TransformAndBuild { .. }
        | Action::AdvanceShipping
        | Action::AdvanceTerraforming
        | Action::UpgradeStructure { .. }
        | Action::SendPriest { .. }
        | Action::TakePowerAction { .. }
        | Action::TakeSpecialAction { .. }
        | Action::BuildEngineerBridge { .. }
        | Action::Pass { .. } => {
            if decision == Decision::Turn && state.turn.main_action_done {
                return Err(Refusal::MainActionDone);
            }
            decision == Decision::Turn
        }
        Action::BuildDwelling { .. } => decision == Decision::Turn,
        Action::Convert { .. } => own_turn || decision == Decision::PowerDecision && alchemist(),
        Action::SacrificePower { .. } | Action::FoundRiverTown { .. } => own_turn,
        Action::EndTurn => {
            if choosing {
                return Err(Refusal::FollowUpPending);
            }
            if decision == Decision::Turn && !state.turn.main_action_done {
                return Err(Refusal::MainActionRequired);
            }
            decision == Decision::Turn
        }
        Action::DecidePower { .. } => decision == Decision::PowerDecision,
        Action::ChooseFavorTile { .. } => choosing && follow_ups.favor_tiles > 0,
        Action::ChooseTownTile { .. } => choosing && state.open_towns() > 0,
        Action::ChooseCultStep { .. } => choosing && follow_ups.cult_step,
        Action::OrdainPriests { .. } => choosing && follow_ups.ordination,
        Action::UseStrongholdSpades { .. } => choosing && follow_ups.stronghold_spades,
        Action::UseCultSpades { .. } => decision == Decision::CultSpades,
    };
    if fits {
        Ok(())
    } else {
        Err(out_of_place(action, decision))
    }
}

fn check_deed(
    state: &State,
    seat: Seat,
    decision: Decision,
    action: &Action,
) -> Result<Deed, Refusal> {
    Ok(match action {
        Action::ChooseFaction { faction } => {
            Deed::ChooseFaction(check_faction(state, seat, *faction)?)
        }
        Action::PlaceDwelling { space } => {
            Deed::PlaceDwelling(check_first_dwelling(state, seat, *space)?)
        }
        Action::ChooseBonusCard { card } => Deed::ChooseBonusCard(check_first_card(state, *card)?),
        Action::TransformAndBuild { .. }
        | Action::AdvanceShipping
        | Action::AdvanceTerraforming
        | Action::UpgradeStructure { .. }
        | Action::SendPriest { .. }
        | Action::TakePowerAction { .. }
        | Action::TakeSpecialAction { .. }
        | Action::BuildEngineerBridge { .. }
        | Action::Pass { .. } => Deed::Main(check_main(state, seat, action)?),
        Action::BuildDwelling { space } => {
            Deed::LateDwelling(check_late_dwelling(state, seat, *space)?)
        }
        Action::Convert {
            kind,
            times,
            sacrifice,
        } => Deed::Convert(check_convert(
            state,
            seat,
            decision,
            (*kind, *times, *sacrifice),
        )?),
        Action::SacrificePower { tokens } => {
            Deed::Sacrifice(check_sacrifice(state, seat, *tokens)?)
        }
        Action::FoundRiverTown { river } => Deed::RiverTown(check_river_town(state, seat, *river)?),
        Action::EndTurn => Deed::EndTurn,
        Action::DecidePower { accept } => Deed::DecidePower(*accept),
        Action::ChooseFavorTile { tile } => Deed::FavorTile(check_favor_tile(state, seat, *tile)?),
        Action::ChooseTownTile { tile, key_cults } => Deed::TownTile(
            check_town_tile(state, seat, *tile, key_cults)?,
            key_cults.clone(),
        ),
        Action::ChooseCultStep { cult } => Deed::CultStep(check_cult_step(state, seat, *cult)?),
        Action::OrdainPriests { count } => Deed::Ordain(check_ordination(state, seat, *count)?),
        Action::UseStrongholdSpades { work } => {
            Deed::StrongholdSpades(check_work(state, seat, SpadeSource::Stronghold, work)?)
        }
        Action::UseCultSpades { transforms } => {
            Deed::CultSpades(check_cult_spades(state, seat, transforms)?)
        }
    })
}

/// The main actions. The others are refused as out of place, which `belongs` has done before.
fn check_main(state: &State, seat: Seat, action: &Action) -> Result<MainDeed, Refusal> {
    Ok(match action {
        Action::TransformAndBuild { work } => {
            MainDeed::Work(check_work(state, seat, SpadeSource::Bought, work)?)
        }
        Action::AdvanceShipping => {
            check_shipping(state, seat)?;
            MainDeed::Shipping
        }
        Action::AdvanceTerraforming => MainDeed::Terraforming(check_terraforming(state, seat)?),
        Action::UpgradeStructure { space, to } => {
            MainDeed::Upgrade(check_upgrade(state, seat, *space, *to)?)
        }
        Action::SendPriest { cult, slot } => {
            MainDeed::Priest(check_send_priest(state, seat, *cult, *slot)?)
        }
        Action::TakePowerAction {
            power_use,
            sacrifice,
        } => {
            let (action, spend, bought) = check_power_action(state, seat, power_use, *sacrifice)?;
            MainDeed::Power(action, spend, bought)
        }
        Action::TakeSpecialAction { special_use } => {
            let (action, special) = check_special_action(state, seat, special_use)?;
            MainDeed::Special(action, special)
        }
        Action::BuildEngineerBridge { span } => {
            MainDeed::EngineerBridge(check_engineer_bridge(state, seat, *span)?)
        }
        Action::Pass { card } => MainDeed::Pass(check_pass(state, *card)?),
        Action::ChooseFaction { .. }
        | Action::PlaceDwelling { .. }
        | Action::ChooseBonusCard { .. }
        | Action::BuildDwelling { .. }
        | Action::Convert { .. }
        | Action::SacrificePower { .. }
        | Action::FoundRiverTown { .. }
        | Action::EndTurn
        | Action::DecidePower { .. }
        | Action::ChooseFavorTile { .. }
        | Action::ChooseTownTile { .. }
        | Action::ChooseCultStep { .. }
        | Action::OrdainPriests { .. }
        | Action::UseStrongholdSpades { .. }
        | Action::UseCultSpades { .. } => return Err(out_of_place(action, Decision::Turn)),
    })
}

fn out_of_place(action: &Action, decision: Decision) -> Refusal {
    let action = action.kind();
    Refusal::WrongDecision { action, decision }
}

/// Carries out what was allowed, and everything automatic after it.
pub(super) fn perform(state: &mut State, permit: Permit, journal: &mut JournalOf<TerraMystica>) {
    let Permit { seat, deed } = permit;
    let mut play = Play { state, journal };
    match deed {
        Deed::ChooseFaction(faction) => play.perform_faction(seat, faction),
        Deed::PlaceDwelling(land) => play.perform_first_dwelling(seat, land),
        Deed::ChooseBonusCard(card) => play.perform_first_card(seat, card),
        Deed::Main(main) => perform_main(&mut play, seat, main),
        Deed::LateDwelling(land) => play.perform_late_dwelling(seat, land),
        Deed::Convert(exchange) => play.perform_convert(seat, exchange),
        Deed::Sacrifice(tokens) => play.sacrifice_power(seat, tokens),
        Deed::RiverTown(town) => play.perform_river_town(seat, town),
        Deed::EndTurn => play.perform_end_turn(seat),
        Deed::DecidePower(accept) => play.perform_decide_power(seat, accept),
        Deed::FavorTile(tile) => play.perform_favor_tile(seat, tile),
        Deed::TownTile(tile, key_cults) => play.perform_town_tile(seat, tile, &key_cults),
        Deed::CultStep(cult) => play.perform_cult_step(seat, cult),
        Deed::Ordain(count) => play.perform_ordination(seat, count),
        Deed::StrongholdSpades(job) => {
            play.state.turn.follow_ups.stronghold_spades = false;
            play.perform_work(seat, &job);
        }
        Deed::CultSpades(job) => {
            play.state.cult_spades.remove(0);
            play.perform_work(seat, &job);
        }
    }
    play.settle();
}

fn perform_main(play: &mut Play<'_>, seat: Seat, main: MainDeed) {
    play.state.turn.begin_main_action();
    match main {
        MainDeed::Work(job) => play.perform_work(seat, &job),
        MainDeed::Shipping => play.perform_shipping(seat),
        MainDeed::Terraforming(price) => play.perform_terraforming(seat, price),
        MainDeed::Upgrade(upgrade) => play.perform_upgrade(seat, upgrade),
        MainDeed::Priest(sent) => play.perform_send_priest(seat, sent),
        MainDeed::Power(action, spend, bought) => {
            play.perform_power_action(seat, action, spend, &bought);
        }
        MainDeed::Special(action, special) => {
            play.perform_special_action(seat, action, &special);
        }
        MainDeed::EngineerBridge(site) => play.perform_engineer_bridge(seat, site),
        MainDeed::Pass(card) => play.perform_pass(seat, card),
    }
}
