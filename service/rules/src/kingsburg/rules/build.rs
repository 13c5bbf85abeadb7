//! Buildings are built (KIN-6d, step BUILD).

use std::ops::ControlFlow;

use crate::kingsburg::action::Action;
use crate::kingsburg::data::{Building, Goods, ROWS};
use crate::kingsburg::event::Event;
use crate::kingsburg::refusal::{Refusal, RefusedAction, require_known};
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{ExecContext, Player, State};
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
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
pub fn turn(state: &State, turn_index: u8) -> Stage {
    let actions = |seat| state.envoy.build_actions(seat);
    Stage::Build {
        turn_index,
        actions_left: state.seat_at(turn_index).map_or(0, actions),
    }
}

/// Asks the player to build. A player who can afford nothing passes.
///
/// # Rule KIN-6.60, KIN-6.64
pub fn enter(ctx: &mut ExecContext<'_>, turn_index: u8, actions_left: u8) -> ControlFlow<()> {
    match ctx.state.seat_at(turn_index) {
        None => ctx.state.stage = Stage::SeasonEnd { turn_index: 0 },
        Some(_) if actions_left == 0 => ctx.state.stage = turn(ctx.state, turn_index + 1),
        Some(seat) => {
            let player = &ctx.state.players[seat];
            if buildable(player).any(|building| player.goods.covers(player.price(building))) {
                return ControlFlow::Break(());
            }
            ctx.execute_forced(seat, Action::PassBuild, |ctx| pass(ctx, seat));
        }
    }
    ControlFlow::Continue(())
}

/// The next building of each row.
fn buildable(player: &Player) -> impl Iterator<Item = Building> {
    (0..ROWS).filter_map(|row| player.province.next_in_row(row))
}

/// Lists `build` row by row, then `pass_build`.
pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
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
    building: MaybeKnown<Building>,
) -> Result<ValidAction, RefusedAction> {
    let rule = "KIN-6.62";
    let player = &state.players[seat];
    let building = require_known(building, "building", rule)?;
    if player.has(building) {
        return Err(Refusal::AlreadyBuilt { building }.citing(rule));
    }
    if let Some(needs) = building.before().filter(|&before| !player.has(before)) {
        return Err(Refusal::PrerequisiteMissing { building, needs }.citing(rule));
    }
    let price = player.price(building);
    let owned = player.goods;
    if !owned.covers(price) {
        let refusal = Refusal::CannotAfford {
            building: Some(building),
            price,
            owned,
        };
        return Err(refusal.citing(rule));
    }
    Ok(ValidAction::Build {
        building,
        price,
        left: actions_left - 1,
    })
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    match valid_action {
        ValidAction::Build {
            building,
            price,
            left,
        } => build(ctx, seat, building, price, left),
        ValidAction::Pass => pass(ctx, seat),
    }
}

/// Pays and builds; the building works at once.
///
/// # Rule KIN-6.63
fn build(ctx: &mut ExecContext<'_>, seat: Seat, building: Building, paid: Goods, left: u8) {
    let player = &mut ctx.state.players[seat];
    player.goods = player.goods.minus(paid);
    player.province.add(building);
    ctx.emit(Event::Built {
        seat,
        building,
        paid,
        vp: building.vp(),
    });
    ctx.state.stage = Stage::Build {
        turn_index: ctx.state.turn_index_of(seat),
        actions_left: left,
    };
}

/// Ends all build actions of the player for this season.
///
/// # Rule KIN-6.61
fn pass(ctx: &mut ExecContext<'_>, seat: Seat) {
    ctx.emit(Event::BuildPassed { seat });
    ctx.state.stage = turn(ctx.state, ctx.state.turn_index_of(seat) + 1);
}
