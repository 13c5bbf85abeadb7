//! **Ledger check** of two states and the events between them: every change of goods, points, tokens and soldiers is an
//! event, and the events add up to the state.

use crate::kingsburg::data::{Building, Good, Goods};
use crate::kingsburg::event::Event;
use crate::kingsburg::state::State;
use crate::table::{Fault, PerSeat, Seat};

/// The countable possessions of one player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Account {
    goods: [i32; 3],
    vp: i32,
    plus2: i32,
    soldiers: i32,
    buildings: Vec<Building>,
}

impl Account {
    fn of(state: &State, seat: Seat) -> Self {
        let player = &state.players[seat];
        Self {
            goods: Good::ALL.map(|good| i32::from(player.goods.amount(good))),
            vp: i32::from(player.vp()),
            plus2: i32::from(player.plus2),
            soldiers: i32::from(player.soldiers),
            buildings: player.province.standing().collect(),
        }
    }

    fn gain(&mut self, goods: Goods) {
        for (mine, good) in self.goods.iter_mut().zip(Good::ALL) {
            *mine += i32::from(goods.amount(good));
        }
    }

    fn pay(&mut self, goods: Goods) {
        for (mine, good) in self.goods.iter_mut().zip(Good::ALL) {
            *mine -= i32::from(goods.amount(good));
        }
    }
}

/// # Rule KIN-INV-9, KIN-INV-10, KIN-INV-13, KIN-INV-14
pub fn balance(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
    let mut accounts = PerSeat::new(before.seats(), |seat| Account::of(before, seat));
    for event in events {
        book_gains(&mut accounts, event);
        book_costs(&mut accounts, event);
    }
    for (seat, account) in accounts.entries() {
        let mut account = account.clone();
        account.buildings.sort_unstable();
        let actual = Account::of(after, seat);
        Fault::unless(account == actual, "KIN-INV-9", || {
            format!("{seat}: the events give {account:?}, the state is {actual:?}")
        })?;
        let lost =
            |event: &&Event| matches!(event, Event::BuildingLost { seat: by, .. } if *by == seat);
        let losses = events.iter().filter(lost).count();
        Fault::unless(losses <= 1, "KIN-INV-13", || {
            format!("{seat} loses {losses} buildings")
        })?;
    }
    Fault::unless(before.deck == after.deck, "KIN-INV-14", || {
        String::from("an enemy card changed")
    })
}

/// The gains of an event. If an event that changes an account is missing here, the accounts differ
/// from the state at once.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a forgotten event is found by the sums"
)]
fn book_gains(accounts: &mut PerSeat<Account>, event: &Event) {
    match event {
        Event::AidGoodChosen { seat, good } | Event::RewardGoodChosen { seat, good } => {
            accounts[*seat].gain(Goods::of(*good, 1));
        }
        Event::GuildIncome { seat } => accounts[*seat].gain(Goods::of(Good::Gold, 1)),
        Event::HelpGiven {
            seat,
            goods,
            vp,
            plus2,
            soldiers,
            ..
        } => {
            let account = &mut accounts[*seat];
            account.gain(*goods);
            account.vp += i32::from(*vp);
            account.plus2 += i32::from(*plus2);
            account.soldiers += i32::from(*soldiers);
        }
        Event::HelpChosen { seat, goods, .. } => accounts[*seat].gain(*goods),
        Event::GoodExchanged { seat, gained, .. } => accounts[*seat].gain(*gained),
        Event::Built {
            seat, building, vp, ..
        } => {
            accounts[*seat].vp += i32::from(*vp);
            accounts[*seat].buildings.push(*building);
        }
        Event::InnToken { seat } | Event::TownHallToken { seat, .. } => accounts[*seat].plus2 += 1,
        Event::EmbassyPoint { seat }
        | Event::KingsRewardGiven { seat }
        | Event::FortressPoint { seat }
        | Event::StrongestPoint { seat }
        | Event::TownHallSale { seat, .. } => accounts[*seat].vp += 1,
        Event::SoldierRecruited { seat, .. } => accounts[*seat].soldiers += 1,
        Event::KingDieRolled { value, .. } => {
            for seat in accounts.seats() {
                accounts[seat].soldiers += i32::from(*value);
            }
        }
        Event::EnemyRewarded { seat, goods, vp } => {
            accounts[*seat].gain(*goods);
            accounts[*seat].vp += i32::from(*vp);
        }
        Event::CathedralExchange { seat, vp, .. } => accounts[*seat].vp += i32::from(*vp),
        _ => {}
    }
}

/// The costs of an event.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a forgotten event is found by the sums"
)]
fn book_costs(accounts: &mut PerSeat<Account>, event: &Event) {
    match event {
        Event::AdvisorInfluenced { seat, plus2, .. } => accounts[*seat].plus2 -= i32::from(*plus2),
        Event::GoodExchanged { seat, gave, .. } => accounts[*seat].pay(Goods::of(*gave, 1)),
        Event::TownHallSale { seat, good } => accounts[*seat].pay(Goods::of(*good, 1)),
        Event::Built { seat, paid, .. } | Event::SoldierRecruited { seat, paid } => {
            accounts[*seat].pay(*paid);
        }
        Event::GoodsLost { seat, goods }
        | Event::AnyGoodsLost { seat, goods, .. }
        | Event::CathedralExchange { seat, goods, .. } => accounts[*seat].pay(*goods),
        Event::BuildingLost {
            seat, building, vp, ..
        } => {
            let account = &mut accounts[*seat];
            account.buildings.retain(|stands| stands != building);
            account.vp -= i32::from(*vp);
        }
        Event::PointsLost { seat, vp } => accounts[*seat].vp -= i32::from(*vp),
        Event::YearEnded { .. } => {
            for seat in accounts.seats() {
                accounts[seat].soldiers = 0;
            }
        }
        _ => {}
    }
}
