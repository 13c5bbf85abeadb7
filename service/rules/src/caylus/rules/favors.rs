//! Royal favors (CAY-6.10).

use std::ops::ControlFlow;

use crate::caylus::action::{Action, FavorEffect, Given};
use crate::caylus::data::{
    Column, Cubes, FAVOR_TRANSFORM_PRICE, FavorLine, Goods, Resource, SIMPLIFIED_FAVOR_VP, Space,
    Tile,
};
use crate::caylus::event::Event;
use crate::caylus::pending::Decision;
use crate::caylus::refusal::Refusal;
use crate::caylus::rules::building::{self, CraftPlan, PrestigePlan, TransformPlan};
use crate::caylus::rules::{goods, vocabulary};
use crate::caylus::state::{Log, PendingFavors, State};
use crate::table::{Seat, Visit};

/// A favor that may be used as worked out here.
#[derive(Clone, Copy, Debug)]
pub(in crate::caylus) struct FavorPlan {
    line: FavorLine,
    marker: u8,
    column: u8,
    effect: Effect,
}

/// What the chosen column does.
#[derive(Clone, Copy, Debug)]
enum Effect {
    Goods { paid: Goods, gained: Goods },
    Craft(CraftPlan),
    Transform(TransformPlan),
    Prestige(PrestigePlan),
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

/// A player gains favors. They wait until what gave them is done; simplified, they are VP at once.
///
/// # Rule CAY-6.10.1, CAY-6.10.4
pub(in crate::caylus) fn gain(state: &mut State, seat: Seat, count: u8, journal: &mut Log) {
    if count == 0 {
        return;
    }
    if state.simplified_favors {
        let vp = u16::from(count) * SIMPLIFIED_FAVOR_VP;
        state.players[seat].vp += vp;
        journal.event(Event::FavorsSimplified { seat, count, vp });
        return;
    }
    let waiting = state.pending_favors.map_or(0, |favors| favors.count);
    state.pending_favors = Some(PendingFavors {
        seat,
        count: waiting + count,
    });
    journal.event(Event::FavorsGained { seat, count });
}

/// # Rule CAY-6.10.2
/// The next favor is used now; when all four lines are used this phase, the rest is lost.
pub(in crate::caylus) fn ask(state: &mut State, favors: PendingFavors, journal: &mut Log) {
    let PendingFavors { seat, count } = favors;
    if count == 0 {
        state.pending_favors = None;
    } else if state.players[seat].lines_used.is_full() {
        state.pending_favors = None;
        journal.event(Event::FavorsLost { seat, count });
    } else {
        state.ask(seat, Decision::TakeFavor);
    }
}

/// Where the marker of this line goes: one column on, as far as the columns are open.
///
/// # Rule CAY-6.10.3
fn next_marker(state: &State, seat: Seat, line: FavorLine) -> u8 {
    let marker = state.players[seat].markers[line as usize];
    if marker < state.columns_available() {
        marker + 1
    } else {
        marker
    }
}

/// # Rule CAY-6.10.3
/// The words; then the line, the column, and the column's effect.
pub(in crate::caylus) fn check(
    state: &State,
    seat: Seat,
    line: Option<FavorLine>,
    column: u8,
    effect: &FavorEffect,
) -> Result<FavorPlan, Refusal> {
    let line = vocabulary::line(line)?;
    let words = Words::of(effect)?;
    if state.players[seat].lines_used.has(line) {
        return Err(Refusal::FavorLineUsed { line });
    }
    let marker = next_marker(state, seat, line);
    if column > marker {
        return Err(Refusal::FavorColumnLocked {
            line,
            column,
            most: marker,
        });
    }
    let does = line.column(column);
    if does == Column::Nothing && column > 0 {
        return Err(no_option("column"));
    }
    words.only(does)?;
    Ok(FavorPlan {
        line,
        marker,
        column,
        effect: check_column(state, seat, does, &words)?,
    })
}

fn no_option(what: &'static str) -> Refusal {
    Refusal::InvalidOption {
        what,
        rule: "CAY-14.7",
    }
}

/// The parameters of an effect, all of them known words.
struct Words {
    resource: Option<Resource>,
    give: Option<Resource>,
    /// How many, and which ones.
    take: (usize, Cubes),
    tile: Option<Tile>,
    any_payment: Option<Resource>,
    space: Option<Space>,
}

impl Words {
    /// # Rule CAY-14.8
    /// Vocabulary is checked field by field.
    fn of(effect: &FavorEffect) -> Result<Self, Refusal> {
        let resource =
            |given, what| vocabulary::optional(given, |word| vocabulary::resource(word, what));
        Ok(Self {
            resource: resource(effect.resource, "resource")?,
            give: resource(effect.give, "give")?,
            take: (effect.take.len(), goods::multiset(&effect.take, "take")?),
            tile: vocabulary::optional(effect.tile, vocabulary::tile)?,
            any_payment: resource(effect.any_payment, "any_payment")?,
            space: vocabulary::optional(effect.space, vocabulary::space)?,
        })
    }

    /// # Rule CAY-14.7
    /// A parameter that the effect does not need is refused.
    fn only(&self, column: Column) -> Result<(), Refusal> {
        let craft = matches!(column, Column::Craft(..));
        let prestige = column == Column::Prestige;
        let transform = column == Column::Transform;
        let choice = matches!(column, Column::OneOf([_, _, ..]));
        let exchange = column == Column::Exchange;
        let surplus = [
            ("resource", self.resource.is_some() && !choice),
            ("give", self.give.is_some() && !exchange),
            ("take", self.take.0 > 0 && !exchange),
            ("tile", self.tile.is_some() && !craft && !prestige),
            ("any_payment", self.any_payment.is_some() && !craft),
            ("space", self.space.is_some() && !transform && !prestige),
        ];
        match surplus.iter().find(|(_, surplus)| *surplus) {
            Some(&(what, _)) => Err(no_option(what)),
            None => Ok(()),
        }
    }
}

/// # Rule CAY-6.10.5
fn check_column(
    state: &State,
    seat: Seat,
    column: Column,
    words: &Words,
) -> Result<Effect, Refusal> {
    match column {
        Column::Nothing => Ok(Effect::NOTHING),
        Column::Vp(vp) => Ok(Effect::gain(Goods::vp(vp))),
        Column::Deniers(deniers) => Ok(Effect::gain(Goods::deniers(deniers))),
        Column::OneOf(kinds) => check_one_of(kinds, words.resource),
        Column::Exchange => check_exchange(state, seat, words),
        Column::Craft(kind, discount) => {
            let tile = vocabulary::tile(words.tile)?;
            let terms = (kind, Some(discount));
            building::check_craft(state, seat, terms, tile, words.any_payment).map(Effect::Craft)
        }
        Column::Transform => {
            let space = vocabulary::space(words.space)?;
            building::check_transform(state, seat, space, FAVOR_TRANSFORM_PRICE)
                .map(Effect::Transform)
        }
        Column::Prestige => {
            let tile = vocabulary::tile(words.tile)?;
            let space = vocabulary::space(words.space)?;
            building::check_prestige(state, seat, tile, space).map(Effect::Prestige)
        }
    }
}

fn check_one_of(kinds: &[Resource], given: Option<Resource>) -> Result<Effect, Refusal> {
    let resource = match kinds {
        [only] => *only,
        _ => vocabulary::resource(given, "resource")?,
    };
    if kinds.contains(&resource) {
        Ok(Effect::gain(Goods::cubes(Cubes::of(1, resource))))
    } else {
        Err(Refusal::InvalidResource {
            what: "resource",
            rule: "CAY-6.10.5",
        })
    }
}

/// # Rule CAY-6.10.5, CAY-14.9
/// The cube given is owned; two cubes are taken; none of them is gold.
fn check_exchange(state: &State, seat: Seat, words: &Words) -> Result<Effect, Refusal> {
    let rule = "CAY-6.10.5";
    let give = vocabulary::resource(words.give, "give")?;
    let paid = Goods::cubes(Cubes::of(1, give));
    if !state.players[seat].can_pay(paid) {
        return Err(Refusal::CannotAfford { price: paid, rule });
    }
    let (count, take) = words.take;
    if count != 2 {
        return Err(Refusal::InvalidAmount {
            what: "take",
            wanted: "2 cubes",
            rule,
        });
    }
    if take.count(Resource::Gold) > 0 {
        return Err(Refusal::GoldNotAllowed { rule });
    }
    Ok(Effect::Goods {
        paid,
        gained: Goods::cubes(take),
    })
}

/// Lines in table order, columns ascending, column 0 first (CAY-6.2.2, CAY-14.10).
pub(in crate::caylus) fn candidates(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    for line in FavorLine::ALL {
        if state.players[seat].lines_used.has(line) {
            continue;
        }
        for column in 0..=next_marker(state, seat, line) {
            let does = line.column(column);
            // Column 1 of the buildings equals column 0 (CAY-14.3).
            if does == Column::Nothing && column > 0 {
                continue;
            }
            effects(state, seat, does, &mut |effect| {
                visit(Action::TakeFavor {
                    line: Some(line),
                    column,
                    effect,
                })
            })?;
        }
    }
    ControlFlow::Continue(())
}

/// The ways to use a column.
fn effects(
    state: &State,
    seat: Seat,
    column: Column,
    visit: &mut dyn FnMut(FavorEffect) -> Visit,
) -> Visit {
    match column {
        Column::Nothing | Column::Vp(_) | Column::Deniers(_) | Column::OneOf([_]) => {
            visit(FavorEffect::NONE)
        }
        Column::OneOf(kinds) => {
            for &resource in kinds {
                visit(FavorEffect {
                    resource: Given::Known(resource),
                    ..FavorEffect::NONE
                })?;
            }
            ControlFlow::Continue(())
        }
        Column::Exchange => exchanges(state, seat, visit),
        Column::Craft(kind, _) => building::craft_candidates(kind, &mut |tile, any_payment| {
            visit(FavorEffect {
                tile: Given::Known(tile),
                any_payment,
                ..FavorEffect::NONE
            })
        }),
        Column::Transform => building::transform_candidates(state, seat, &mut |space| {
            visit(FavorEffect {
                space: Given::Known(space),
                ..FavorEffect::NONE
            })
        }),
        Column::Prestige => building::prestige_candidates(state, seat, &mut |tile, space| {
            visit(FavorEffect {
                tile: Given::Known(tile),
                space: Given::Known(space),
                ..FavorEffect::NONE
            })
        }),
    }
}

fn exchanges(state: &State, seat: Seat, visit: &mut dyn FnMut(FavorEffect) -> Visit) -> Visit {
    for give in Resource::ALL {
        if state.players[seat].cubes.count(give) == 0 {
            continue;
        }
        for take in goods::pairs_without_gold() {
            visit(FavorEffect {
                give: Given::Known(give),
                take: take.map(Some).to_vec(),
                ..FavorEffect::NONE
            })?;
        }
    }
    ControlFlow::Continue(())
}

/// # Rule CAY-6.10.4
/// The line is used, the marker goes on, the column does what it does; favors gained by that wait
/// behind the rest.
pub(in crate::caylus) fn take(state: &mut State, seat: Seat, plan: FavorPlan, journal: &mut Log) {
    let FavorPlan {
        line,
        marker,
        column,
        effect,
    } = plan;
    if let Some(favors) = &mut state.pending_favors {
        favors.count -= 1;
    }
    let player = &mut state.players[seat];
    player.lines_used.insert(line);
    player.markers[line as usize] = marker;
    let (paid, gained) = match effect {
        Effect::Goods { paid, gained } => (paid, gained),
        Effect::Craft(_) | Effect::Transform(_) | Effect::Prestige(_) => (Goods::NONE, Goods::NONE),
    };
    player.pay(paid);
    player.gain(gained);
    journal.event(Event::FavorTaken {
        seat,
        line,
        marker,
        column,
        paid,
        gained,
    });
    match effect {
        Effect::Goods { .. } => {}
        Effect::Craft(plan) => building::build_craft(state, seat, plan, journal),
        Effect::Transform(plan) => building::transform(state, seat, plan, journal),
        Effect::Prestige(plan) => building::build_prestige(state, seat, plan, journal),
    }
}
