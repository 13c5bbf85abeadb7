//! The losses of a defeat: gold, stone, wood, goods of any kind, a building, points, in this order. Missing goods and
//! buildings are never replaced by another loss (KIN-6.106).

use std::ops::ControlFlow;

use super::common::{payment, payments};
use crate::kingsburg::action::{Action, Payment};
use crate::kingsburg::data::{Building, Goods};
use crate::kingsburg::event::Event;
use crate::kingsburg::refusal::{No, Refusal, known};
use crate::kingsburg::stage::{Part, Stage};
use crate::kingsburg::state::{Play, PointSource, State};
use crate::table::{Lister, Named, Refusal as _, Seat, Visit};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    Goods(Goods),
    Building(Building),
}

/// Takes the goods that the card names; returns the next part.
///
/// # Rule KIN-6.104
pub fn lose_named_goods(play: &mut Play<'_>, seat: Seat) -> Part {
    let loss = play.state.enemy().card().loss;
    let player = &mut play.state.players[seat];
    let goods = player.goods.at_most(loss.goods);
    player.goods = player.goods.minus(goods);
    let left = u8::try_from(player.goods.total()).unwrap_or(u8::MAX);
    if !goods.is_none() {
        play.tell(Event::GoodsLost { seat, goods });
    }
    Part::AnyGoods {
        goods: loss.any_goods.min(left),
    }
}

/// Takes this many goods of any kind. Asks only if there is more than one way.
///
/// # Rule KIN-6.104
pub fn enter_goods(play: &mut Play<'_>, seat: Seat, due: u8) -> ControlFlow<()> {
    if due == 0 {
        go_on(play, seat, Part::Building);
        return ControlFlow::Continue(());
    }
    let mut ways = payments(play.state.players[seat].goods, due);
    let (Some(only), None) = (ways.next(), ways.next()) else {
        return ControlFlow::Break(());
    };
    let action = Action::PayLostGoods(only.into());
    play.automatic(seat, action, |play| lose_goods(play, seat, only));
    ControlFlow::Continue(())
}

/// Lists `pay_lost_goods` with every payment.
pub fn candidates_goods(
    state: &State,
    seat: Seat,
    due: u8,
    list: &mut Lister<'_, Action>,
) -> Visit {
    payments(state.players[seat].goods, due)
        .try_for_each(|goods| list.visit(Action::PayLostGoods(goods.into())))
}

/// Judges `pay_lost_goods`.
pub fn check_goods(state: &State, seat: Seat, due: u8, offer: Payment) -> Result<Deed, No> {
    payment(state.players[seat].goods, offer, due, "KIN-6.104").map(Deed::Goods)
}

fn lose_goods(play: &mut Play<'_>, seat: Seat, goods: Goods) {
    let player = &mut play.state.players[seat];
    player.goods = player.goods.minus(goods);
    play.tell(Event::AnyGoodsLost { seat, goods });
    go_on(play, seat, Part::Building);
}

/// Takes a building of the rightmost column. Asks only if there are several.
///
/// # Rule KIN-6.105
pub fn enter_building(play: &mut Play<'_>, seat: Seat) -> ControlFlow<()> {
    let mut rightmost = play.state.players[seat].province.rightmost();
    let lost = match play.state.enemy().card().loss.buildings {
        0 => None,
        _ => rightmost.next(),
    };
    match (lost, rightmost.next()) {
        (None, _) => go_on(play, seat, Part::Points),
        (Some(building), None) => {
            let action = Action::LoseBuilding {
                building: Some(building),
            };
            play.automatic(seat, action, |play| lose_building(play, seat, building));
        }
        (Some(_), Some(_)) => return ControlFlow::Break(()),
    }
    ControlFlow::Continue(())
}

/// Lists `lose_building` for the last building of every longest row.
pub fn candidates_building(state: &State, seat: Seat, list: &mut Lister<'_, Action>) -> Visit {
    let mut rightmost = state.players[seat].province.rightmost();
    rightmost.try_for_each(|building| {
        list.visit(Action::LoseBuilding {
            building: Some(building),
        })
    })
}

/// Judges `lose_building`.
///
/// # Rule KIN-6.105, KIN-16.9
pub fn check_building(state: &State, seat: Seat, building: Named<Building>) -> Result<Deed, No> {
    let rule = "KIN-6.105";
    let building = known(building, "building", rule)?;
    let mut rightmost = state.players[seat].province.rightmost();
    if rightmost.any(|candidate| candidate == building) {
        Ok(Deed::Building(building))
    } else {
        Err(Refusal::NotRightmost { building }.at(rule))
    }
}

/// Takes the building with its points and its ability; it may be rebuilt.
fn lose_building(play: &mut Play<'_>, seat: Seat, building: Building) {
    play.state.players[seat].province.remove(building);
    play.tell(Event::BuildingLost {
        seat,
        building,
        vp: building.vp(),
    });
    go_on(play, seat, Part::Points);
}

pub fn perform(play: &mut Play<'_>, seat: Seat, deed: Deed) {
    match deed {
        Deed::Goods(goods) => lose_goods(play, seat, goods),
        Deed::Building(building) => lose_building(play, seat, building),
    }
}

/// Loses points, possibly below 0 (KIN-ADJ-24).
///
/// # Rule KIN-6.104
pub fn lose_points(play: &mut Play<'_>, seat: Seat) {
    let vp = play.state.enemy().card().loss.vp;
    if vp > 0 {
        play.state.players[seat].score(PointSource::Enemies, -i16::from(vp));
        play.tell(Event::PointsLost { seat, vp });
    }
}

fn go_on(play: &mut Play<'_>, seat: Seat, part: Part) {
    play.state.stage = Stage::Resolve {
        place: play.state.place_of(seat),
        part,
    };
}
