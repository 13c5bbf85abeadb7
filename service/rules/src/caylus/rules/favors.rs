//! Royal favors (CAY-6.10).

use std::ops::ControlFlow;

use enumset::EnumSet;

use super::building::{self, Craft};
use super::common::{Bill, afford};
use super::goods;
use crate::caylus::action::{Action, FavorEffect};
use crate::caylus::data::{
    Column, Cubes, FAVOR_TRANSFORM_PRICE, FavorLine, Goods, Resource, Space, Tile,
};
use crate::caylus::event::Event;
use crate::caylus::refusal::{Expense, Refusal, RefusedAction, optional, require_known};
use crate::caylus::stage::Decision;
use crate::caylus::state::{ExecContext, PendingFavors, State};
use crate::table::{
    ActionEnumerator, MaybeKnown, OptionalParam, Refusal as _, Seat, VisitFlow, invariant_violated,
};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub struct ValidAction {
    line: FavorLine,
    marker: u8,
    column: u8,
    effect: Effect,
}

/// The effect of the chosen column.
#[derive(Clone, Copy, Debug)]
enum Effect {
    Goods { paid: Goods, gained: Goods },
    Build(building::ValidAction),
}

impl Effect {
    const NOTHING: Self = Self::gain(Goods::NONE);

    const fn gain(gained: Goods) -> Self {
        Self::Goods {
            paid: Goods::NONE,
            gained,
        }
    }
}

/// # Rule CAY-6.10.2
/// The next favor is used now; when all four lines are used this phase, the rest is lost.
pub fn enter(ctx: &mut ExecContext<'_>, favors: PendingFavors) {
    let PendingFavors { seat, count } = favors;
    if count == 0 {
        ctx.state.pending_favors = None;
    } else if ctx.state.players[seat].lines_used == EnumSet::all() {
        ctx.state.pending_favors = None;
        ctx.emit(Event::FavorsLost { seat, count });
    } else {
        ctx.state.ask(seat, Decision::TakeFavor);
    }
}

/// Returns the column of this line's marker after the favor: one further, as far as columns are available.
///
/// # Rule CAY-6.10.3
fn next_marker(state: &State, seat: Seat, line: FavorLine) -> u8 {
    let marker = state.players[seat].markers[line.index()];
    if marker < state.columns_available() {
        marker + 1
    } else {
        marker
    }
}

/// Lists lines in table order, columns ascending, column 0 first (CAY-6.2.2, CAY-14.10).
pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    for line in FavorLine::ALL {
        if state.players[seat].lines_used.contains(line) {
            continue;
        }
        for column in 0..=next_marker(state, seat, line) {
            let does = line.column(column);
            // Column 1 of the buildings has no effect either: listing it besides column 0 would list one choice twice
            // (CAY-14.3).
            if does == Column::Nothing && column > 0 {
                continue;
            }
            effects(state, seat, does, &mut |effect| {
                list.visit(Action::TakeFavor {
                    line: Some(line),
                    column: column.into(),
                    effect,
                })
            })?;
        }
    }
    ControlFlow::Continue(())
}

/// Visits the parameters with which a column can be used.
fn effects(
    state: &State,
    seat: Seat,
    column: Column,
    visit: &mut dyn FnMut(FavorEffect) -> VisitFlow,
) -> VisitFlow {
    match column {
        Column::Nothing | Column::Vp(_) | Column::Deniers(_) | Column::OneOf([_]) => {
            visit(FavorEffect::NONE)
        }
        Column::OneOf(kinds) => {
            for &resource in kinds {
                visit(FavorEffect {
                    resource: OptionalParam::Known(resource),
                    ..FavorEffect::NONE
                })?;
            }
            ControlFlow::Continue(())
        }
        Column::Exchange => exchanges(state, seat, visit),
        Column::Craft(kind, _) => building::candidates_craft(kind, &mut |tile, any_payment| {
            visit(FavorEffect {
                tile: OptionalParam::Known(tile),
                any_payment,
                ..FavorEffect::NONE
            })
        }),
        Column::Transform => building::candidates_transform(state, seat, &mut |space| {
            visit(FavorEffect {
                space: OptionalParam::Known(space),
                ..FavorEffect::NONE
            })
        }),
        Column::Prestige => building::candidates_prestige(state, seat, &mut |tile, space| {
            visit(FavorEffect {
                tile: OptionalParam::Known(tile),
                space: OptionalParam::Known(space),
                ..FavorEffect::NONE
            })
        }),
    }
}

fn exchanges(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(FavorEffect) -> VisitFlow,
) -> VisitFlow {
    for give in Resource::ALL {
        if state.players[seat].cubes.count(give) == 0 {
            continue;
        }
        for take in goods::pairs_without_gold() {
            visit(FavorEffect {
                give: OptionalParam::Known(give),
                take: take.map(Some).to_vec(),
                ..FavorEffect::NONE
            })?;
        }
    }
    ControlFlow::Continue(())
}

/// # Rule CAY-6.10.3
/// The names; then the line, the column, and the column's effect.
pub fn check(
    state: &State,
    seat: Seat,
    line: MaybeKnown<FavorLine>,
    column: u32,
    effect: &FavorEffect,
) -> Result<ValidAction, RefusedAction> {
    let rule = "CAY-6.10.3";
    let line = require_known(line, "line", rule)?;
    let words = Words::of(effect, rule)?;
    if state.players[seat].lines_used.contains(line) {
        return Err(Refusal::FavorLineUsed { line }.citing(rule));
    }
    let marker = next_marker(state, seat, line);
    let open = u8::try_from(column).ok().filter(|open| *open <= marker);
    let Some(open) = open else {
        let refusal = Refusal::FavorColumnLocked {
            line,
            column,
            max: marker,
        };
        return Err(refusal.citing(rule));
    };
    let does = line.column(open);
    if does == Column::Nothing && open > 0 {
        return Err(Refusal::FavorColumnEmpty { line, column }.citing(rule));
    }
    if let Some(field) = words.surplus(does) {
        return Err(Refusal::SuperfluousParameter { field }.citing(rule));
    }
    let effect = check_column(state, seat, does, &words)?;
    Ok(ValidAction {
        line,
        marker,
        column: open,
        effect,
    })
}

/// The parameters of an effect, after their names were found to be known.
struct Words {
    resource: Option<Resource>,
    give: Option<Resource>,
    /// The number of cubes sent, and the cubes.
    take: (usize, Cubes),
    tile: Option<Tile>,
    any_payment: OptionalParam<Resource>,
    space: Option<Space>,
}

impl Words {
    /// # Rule CAY-14.8
    /// Vocabulary is checked field by field.
    fn of(effect: &FavorEffect, rule: &'static str) -> Result<Self, RefusedAction> {
        Ok(Self {
            resource: optional(effect.resource, "resource", rule)?,
            give: optional(effect.give, "give", rule)?,
            take: (
                effect.take.len(),
                goods::multiset(&effect.take, "take", rule)?,
            ),
            tile: optional(effect.tile, "tile", rule)?,
            any_payment: optional(effect.any_payment, "any_payment", rule)
                .map(|_| effect.any_payment)?,
            space: optional(effect.space, "space", rule)?,
        })
    }

    /// # Rule CAY-14.7
    /// A parameter that the effect does not need is refused.
    fn surplus(&self, column: Column) -> Option<&'static str> {
        let craft = matches!(column, Column::Craft(..));
        let prestige = column == Column::Prestige;
        let transform = column == Column::Transform;
        let choice = matches!(column, Column::OneOf([_, _, ..]));
        let exchange = column == Column::Exchange;
        let any_payment = self.any_payment != OptionalParam::Absent;
        let surplus = [
            ("resource", self.resource.is_some() && !choice),
            ("give", self.give.is_some() && !exchange),
            ("take", self.take.0 > 0 && !exchange),
            ("tile", self.tile.is_some() && !craft && !prestige),
            ("any_payment", any_payment && !craft),
            ("space", self.space.is_some() && !transform && !prestige),
        ];
        let first = surplus.into_iter().find(|(_, surplus)| *surplus);
        first.map(|(field, _)| field)
    }
}

/// # Rule CAY-6.10.5
fn check_column(
    state: &State,
    seat: Seat,
    column: Column,
    words: &Words,
) -> Result<Effect, RefusedAction> {
    let rule = "CAY-6.10.5";
    match column {
        Column::Nothing => Ok(Effect::NOTHING),
        Column::Vp(vp) => Ok(Effect::gain(Goods::vp(vp))),
        Column::Deniers(deniers) => Ok(Effect::gain(Goods::deniers(deniers))),
        Column::OneOf(kinds) => check_one_of(kinds, words.resource, rule),
        Column::Exchange => check_exchange(state, seat, words, rule),
        Column::Craft(kind, discount) => {
            let craft = Craft {
                kind,
                discount: Some(discount),
                rule,
            };
            building::check_craft(state, seat, craft, words.tile, words.any_payment)
                .map(Effect::Build)
        }
        Column::Transform => {
            building::check_transform(state, seat, words.space, FAVOR_TRANSFORM_PRICE, rule)
                .map(Effect::Build)
        }
        Column::Prestige => {
            building::check_prestige(state, seat, words.tile, words.space, rule).map(Effect::Build)
        }
    }
}

fn check_one_of(
    kinds: &'static [Resource],
    given: Option<Resource>,
    rule: &'static str,
) -> Result<Effect, RefusedAction> {
    let resource = match kinds {
        [only] => *only,
        _ => require_known(given, "resource", rule)?,
    };
    if kinds.contains(&resource) {
        Ok(Effect::gain(Goods::cubes(Cubes::of(1, resource))))
    } else {
        let allowed = kinds;
        Err(Refusal::InvalidResource { resource, allowed }.citing(rule))
    }
}

/// # Rule CAY-6.10.5, CAY-14.9
/// The cube given is owned; two cubes are taken; none of them is gold.
fn check_exchange(
    state: &State,
    seat: Seat,
    words: &Words,
    rule: &'static str,
) -> Result<Effect, RefusedAction> {
    let give = require_known(words.give, "give", rule)?;
    let paid = Goods::cubes(Cubes::of(1, give));
    afford(state, seat, Bill::of(Expense::Trade, paid), rule)?;
    let (count, take) = words.take;
    goods::check_number(count, (2, 2), "take", rule)?;
    if take.count(Resource::Gold) > 0 {
        return Err(Refusal::GoldNotAllowed.citing(rule));
    }
    let gained = Goods::cubes(take);
    Ok(Effect::Goods { paid, gained })
}

/// # Rule CAY-6.10.4
/// The line is used, the marker advances, the column takes effect; favors gained by that wait
/// behind the rest.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    let ValidAction {
        line,
        marker,
        column,
        effect,
    } = valid_action;
    let Some(favors) = &mut ctx.state.pending_favors else {
        invariant_violated("CAY-6.10.2", valid_action)
    };
    favors.count -= 1;
    let player = &mut ctx.state.players[seat];
    player.lines_used.insert(line);
    let marker_before = std::mem::replace(&mut player.markers[line.index()], marker);
    let (paid, gained) = match effect {
        Effect::Goods { paid, gained } => (paid, gained),
        Effect::Build(_) => (Goods::NONE, Goods::NONE),
    };
    player.pay(paid);
    player.gain(gained);
    ctx.emit(Event::FavorTaken {
        seat,
        line,
        marker,
        column,
        paid,
        gained,
        marker_before,
    });
    if let Effect::Build(valid_action) = effect {
        building::execute(ctx, seat, valid_action);
    }
}
