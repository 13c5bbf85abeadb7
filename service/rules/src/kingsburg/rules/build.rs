//! Buildings are built (KIN-6d, step BUILD).

use std::ops::ControlFlow;

use crate::kingsburg::action::Action;
use crate::kingsburg::data::{Building, Goods, ROWS};
use crate::kingsburg::event::Event;
use crate::kingsburg::refusal::{No, Refusal, known};
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{Play, Player, State};
use crate::table::{Lister, Named, Refusal as _, Seat, Visit};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    Build {
        building: Building,
        price: Goods,
        /// The number of build actions left after this one.
        left: u8,
    },
    Pass,
}

/// The stage of the player at this position, with all their build actions.
///
/// # Rule KIN-6.60
pub fn turn(state: &State, place: u8) -> Stage {
    let actions = |seat| state.envoy.build_actions(seat);
    Stage::Build {
        place,
        actions_left: state.at(place).map_or(0, actions),
    }
}

/// Asks the player to build. A player who can afford nothing passes.
///
/// # Rule KIN-6.60, KIN-6.64
pub fn enter(play: &mut Play<'_>, place: u8, actions_left: u8) -> ControlFlow<()> {
    match play.state.at(place) {
        None => play.state.stage = Stage::SeasonEnd { place: 0 },
        Some(_) if actions_left == 0 => play.state.stage = turn(play.state, place + 1),
        Some(seat) => {
            let player = &play.state.players[seat];
            if buildable(player).any(|building| player.goods.covers(player.price(building))) {
                return ControlFlow::Break(());
            }
            play.automatic(seat, Action::PassBuild, |play| pass(play, seat));
        }
    }
    ControlFlow::Continue(())
}

/// The next building of each row.
fn buildable(player: &Player) -> impl Iterator<Item = Building> {
    (0..ROWS).filter_map(|row| player.province.next_in_row(row))
}

/// Lists `build` row by row, then `pass_build`.
pub fn candidates(state: &State, seat: Seat, list: &mut Lister<'_, Action>) -> Visit {
    for building in buildable(&state.players[seat]) {
        list.visit(Action::Build {
            building: Some(building),
        })?;
    }
    list.visit(Action::PassBuild)
}

/// Judges `build`.
///
/// # Rule KIN-6.62
pub fn check(
    state: &State,
    seat: Seat,
    actions_left: u8,
    building: Named<Building>,
) -> Result<Deed, No> {
    let rule = "KIN-6.62";
    let player = &state.players[seat];
    let building = known(building, "building", rule)?;
    if player.has(building) {
        return Err(Refusal::AlreadyBuilt { building }.at(rule));
    }
    if let Some(needs) = building.before().filter(|&before| !player.has(before)) {
        return Err(Refusal::PrerequisiteMissing { building, needs }.at(rule));
    }
    let price = player.price(building);
    let owned = player.goods;
    if !owned.covers(price) {
        let refusal = Refusal::CannotAfford {
            building: Some(building),
            price,
            owned,
        };
        return Err(refusal.at(rule));
    }
    Ok(Deed::Build {
        building,
        price,
        left: actions_left - 1,
    })
}

pub fn perform(play: &mut Play<'_>, seat: Seat, deed: Deed) {
    match deed {
        Deed::Build {
            building,
            price,
            left,
        } => build(play, seat, building, price, left),
        Deed::Pass => pass(play, seat),
    }
}

/// Pays and builds; the building works at once.
///
/// # Rule KIN-6.63
fn build(play: &mut Play<'_>, seat: Seat, building: Building, paid: Goods, left: u8) {
    let player = &mut play.state.players[seat];
    player.goods = player.goods.minus(paid);
    player.province.add(building);
    play.tell(Event::Built {
        seat,
        building,
        paid,
        vp: building.vp(),
    });
    play.state.stage = Stage::Build {
        place: play.state.place_of(seat),
        actions_left: left,
    };
}

/// Ends all build actions of the player for this season.
///
/// # Rule KIN-6.61
fn pass(play: &mut Play<'_>, seat: Seat) {
    play.tell(Event::BuildPassed { seat });
    play.state.stage = turn(play.state, play.state.place_of(seat) + 1);
}
