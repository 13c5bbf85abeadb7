//! What two states and the events between them must agree on: every change of goods, points,
//! tokens and soldiers is an event, and the events add up to the state.

use crate::kingsburg::data::{Building, Good, Goods};
use crate::kingsburg::event::Event;
use crate::kingsburg::state::State;
use crate::table::{Fault, PerSeat, Seat};

/// What one player has that can be counted.
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
pub(crate) fn check(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
    let mut accounts = PerSeat::new(before.players.count(), |seat| Account::of(before, seat));
    for event in events {
        book(&mut accounts, event);
    }
    for (seat, account) in accounts.entries() {
        let mut account = account.clone();
        account.buildings.sort_unstable();
        let found = Account::of(after, seat);
        Fault::unless(account == found, "KIN-INV-9", || {
            format!("{seat}: the events give {account:?}, the state is {found:?}")
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

#[expect(
    clippy::too_many_lines,
    reason = "one line for each event that changes an account"
)]
fn book(accounts: &mut PerSeat<Account>, event: &Event) {
    let one = |good: Good| Goods::of(good, 1);
    match event {
        Event::AidGoodChosen { seat, good } | Event::RewardGoodChosen { seat, good } => {
            accounts[*seat].gain(one(*good));
        }
        Event::GuildIncome { seat } => accounts[*seat].gain(one(Good::Gold)),
        Event::AdvisorInfluenced { seat, plus2, .. } => accounts[*seat].plus2 -= i32::from(*plus2),
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
        Event::GoodExchanged { seat, gave, gained } => {
            accounts[*seat].pay(one(*gave));
            accounts[*seat].gain(*gained);
        }
        Event::Built {
            seat,
            building,
            paid,
            vp,
        } => {
            let account = &mut accounts[*seat];
            account.pay(*paid);
            account.vp += i32::from(*vp);
            account.buildings.push(*building);
        }
        Event::InnToken { seat } | Event::TownHallToken { seat, .. } => accounts[*seat].plus2 += 1,
        Event::EmbassyPoint { seat }
        | Event::KingsRewardGiven { seat }
        | Event::FortressPoint { seat }
        | Event::StrongestPoint { seat } => accounts[*seat].vp += 1,
        Event::TownHallSale { seat, good } => {
            accounts[*seat].pay(one(*good));
            accounts[*seat].vp += 1;
        }
        Event::SoldierRecruited { seat, paid } => {
            accounts[*seat].pay(*paid);
            accounts[*seat].soldiers += 1;
        }
        Event::KingDieRolled { value, .. } => {
            for seat in accounts.seats() {
                accounts[seat].soldiers += i32::from(*value);
            }
        }
        Event::EnemyRewarded { seat, goods, vp } => {
            accounts[*seat].gain(*goods);
            accounts[*seat].vp += i32::from(*vp);
        }
        Event::GoodsLost { seat, goods } | Event::AnyGoodsLost { seat, goods, .. } => {
            accounts[*seat].pay(*goods);
        }
        Event::BuildingLost {
            seat, building, vp, ..
        } => {
            accounts[*seat]
                .buildings
                .retain(|stands| stands != building);
            accounts[*seat].vp -= i32::from(*vp);
        }
        Event::PointsLost { seat, vp } => accounts[*seat].vp -= i32::from(*vp),
        Event::YearEnded { .. } => {
            for seat in accounts.seats() {
                accounts[seat].soldiers = 0;
            }
        }
        Event::CathedralExchange { seat, goods, vp } => {
            accounts[*seat].pay(*goods);
            accounts[*seat].vp += i32::from(*vp);
        }
        Event::GameBegan { .. }
        | Event::PhaseBegan { .. }
        | Event::AidDieGiven { .. }
        | Event::EnvoyDeclared { .. }
        | Event::NeutralRolled { .. }
        | Event::NeutralPlaced { .. }
        | Event::DiceRolled { .. }
        | Event::DieRerolled { .. }
        | Event::RollKept { .. }
        | Event::OrderSet { .. }
        | Event::DieSetAside { .. }
        | Event::InfluencePassed { .. }
        | Event::EnemyPeeked { .. }
        | Event::ExchangeDeclined { .. }
        | Event::CourtCleared
        | Event::BuildPassed { .. }
        | Event::AidDieReturned { .. }
        | Event::EnvoyGiven { .. }
        | Event::EnvoyNotGiven
        | Event::EnvoyReturned { .. }
        | Event::RecruitPassed { .. }
        | Event::EnemyRevealed { .. }
        | Event::StrengthCounted { .. }
        | Event::GameEnded => {}
    }
}
