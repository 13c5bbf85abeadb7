//! **Ledger check**: every change of cubes, deniers and prestige points is reported by an event.

use crate::caylus::data::{Cubes, Goods, Resource};
use crate::caylus::event::Event;
use crate::caylus::state::State;
use crate::table::{Fault, PerSeat, Seat};

/// Deniers, prestige points, then cubes in resource order.
type Account = [i32; 7];

/// Checks that the goods before, plus what the events report, are the goods after.
pub fn balance(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
    let mut accounts = PerSeat::new(before.seats(), |seat| account(before, seat));
    for event in events {
        book(&mut accounts, event);
    }
    for (seat, booked) in accounts.entries() {
        let actual = account(after, seat);
        Fault::unless(*booked == actual, "CAY-11.19", || {
            format!("{seat} has {actual:?}, the events say {booked:?}: {events:?}")
        })?;
    }
    Ok(())
}

fn account(state: &State, seat: Seat) -> Account {
    let player = &state.players[seat];
    entry(Goods {
        deniers: player.deniers,
        cubes: player.cubes,
        vp: player.vp,
    })
}

fn entry(goods: Goods) -> Account {
    let [food, wood, stone, cloth, gold] =
        Resource::ALL.map(|resource| i32::from(goods.cubes.count(resource)));
    [
        i32::from(goods.deniers),
        i32::from(goods.vp),
        food,
        wood,
        stone,
        cloth,
        gold,
    ]
}

fn add(accounts: &mut PerSeat<Account>, seat: Seat, goods: Goods) {
    for (balance, more) in accounts[seat].iter_mut().zip(entry(goods)) {
        *balance += more;
    }
}

fn take(accounts: &mut PerSeat<Account>, seat: Seat, goods: Goods) {
    for (balance, less) in accounts[seat].iter_mut().zip(entry(goods)) {
        *balance -= less;
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the others move nothing, or the balance shows it"
)]
fn book(accounts: &mut PerSeat<Account>, event: &Event) {
    match *event {
        Event::Income { seat, deniers }
        | Event::TradingPostPaid { seat, deniers }
        | Event::Passed {
            seat,
            bonus: deniers,
        } => add(accounts, seat, Goods::deniers(deniers)),
        Event::WorkerPlaced {
            seat, price, owner, ..
        } => {
            take(accounts, seat, Goods::deniers(price));
            book_owner(accounts, owner);
        }
        Event::GateMoved { owner, .. } => book_owner(accounts, owner),
        Event::ProvostMoved { seat, paid, .. } => take(accounts, seat, Goods::deniers(paid)),
        Event::Jousted {
            seat,
            paid: Some(paid),
        }
        | Event::TransformPaid { seat, paid, .. } => take(accounts, seat, paid),
        Event::Produced { seat, cubes } => add(accounts, seat, Goods::cubes(cubes)),
        Event::Traded { seat, paid, gained }
        | Event::FavorTaken {
            seat, paid, gained, ..
        } => {
            take(accounts, seat, paid);
            add(accounts, seat, gained);
        }
        Event::TileBuilt { seat, paid, vp, .. }
        | Event::PrestigeBuilt { seat, paid, vp, .. }
        | Event::CastleBatch { seat, paid, vp, .. } => {
            take(accounts, seat, Goods::cubes(paid));
            add(accounts, seat, Goods::vp(vp));
        }
        Event::TransformDone { seat, vp, .. } | Event::FavorsSimplified { seat, vp, .. } => {
            add(accounts, seat, Goods::vp(vp));
        }
        Event::OwnerBonus { seat, resource, .. } => {
            add(accounts, seat, Goods::cubes(Cubes::of(1, resource)));
        }
        Event::CastlePenalty { seat, vp } | Event::SectionPenalty { seat, vp, .. } => {
            take(accounts, seat, Goods::vp(vp));
        }
        Event::FinalScored {
            seat,
            gold,
            cubes,
            deniers,
        } => add(accounts, seat, Goods::vp(gold + cubes + deniers)),
        _ => {}
    }
}

fn book_owner(accounts: &mut PerSeat<Account>, owner: Option<Seat>) {
    if let Some(owner) = owner {
        add(accounts, owner, Goods::vp(1));
    }
}
