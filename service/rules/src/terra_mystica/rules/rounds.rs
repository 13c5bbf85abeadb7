//! Income, turns, cult rewards, clean-up (TM-6.6, TM-6.60 to TM-6.63).

use std::ops::ControlFlow;

use super::super::data::{Faction, Goods, ROUNDS, ScoringReward, Structure};
use super::super::event::{Event, GoodsSource};
use super::super::options::TurnOrder;
use super::super::state::{CultSpades, Seats, SpecialSet, Stage, State, Turn};
use super::Play;
use super::reach::Leaps;
use crate::table::Seat;

impl State {
    /// # Rule TM-6.6
    /// Structures on the map, bonus card, favor tiles.
    pub(in super::super) fn income(&self, seat: Seat) -> Goods {
        let player = &self.players[seat];
        let income = &player.sheet().income;
        let count = |structure| usize::from(self.board.count(seat, structure));
        let (houses, temples) = (count(Structure::TradingHouse), count(Structure::Temple));
        let mut goods = Goods {
            coins: u16::from(income.trading_house_coins[houses]),
            workers: u16::from(income.dwelling_workers[count(Structure::Dwelling)]),
            priests: u16::from(income.temple_priests[temples]),
            power: u16::from(income.trading_house_power[houses])
                + u16::from(income.temple_power[temples]),
        };
        if count(Structure::Stronghold) > 0 {
            goods = goods.and(income.stronghold);
        }
        if count(Structure::Sanctuary) > 0 {
            goods = goods.and(income.sanctuary);
        }
        if let Some(card) = player.card {
            goods = goods.and(card.income());
        }
        let tiles = player.favors.iter();
        tiles.fold(goods, |goods, tile| goods.and(tile.income()))
    }

    /// The turn order of the next round: clockwise from the first to pass, or the order of passing
    /// (TM-6.63, TM-P.42).
    pub(in super::super) fn next_turn_order(&self) -> Seats {
        let first = self.passed.first().copied().unwrap_or(Seat::FIRST);
        match self.rules.turn_order {
            TurnOrder::Clockwise => first.clockwise(self.seats()).collect(),
            TurnOrder::PassingOrder => self.passed.clone(),
        }
    }

    /// The next player in the turn order who has not passed (TM-6.7, TM-P.41).
    fn next_in_turn(&self) -> Option<Seat> {
        let order = &self.turn_order;
        let now = order.iter().position(|&seat| seat == self.turn.seat)?;
        (1..=order.len())
            .map(|step| order[(now + step) % order.len()])
            .find(|&seat| !self.has_passed(seat))
    }

    /// Can any of these spades be used? (TM-6.62)
    fn can_use_spades(&self, spades: CultSpades) -> bool {
        let CultSpades { seat, spades } = spades;
        let lands = self.reach(seat, Leaps::Forbidden).reachable;
        let mut free = lands.minus(self.board.occupied()).iter();
        if self.faction(seat) == Faction::Giants {
            let home = Faction::Giants.home();
            spades >= 2 && free.any(|land| self.board.terrain(land) != home)
        } else {
            free.next().is_some()
        }
    }
}

impl Play<'_> {
    /// Lays a coin on each card of the pool (TM-5.8, TM-6.63).
    pub(super) fn lay_coins(&mut self) {
        for pooled in &mut self.state.pool {
            pooled.coins += 1;
        }
        let cards = self.state.pool.iter().map(|pooled| pooled.card).collect();
        self.tell(Event::CoinsLaid { cards });
    }

    /// The next round: income of all, then the first turn.
    pub(super) fn begin_round(&mut self) {
        self.state.round += 1;
        self.state.stage = Stage::Action;
        self.tell(Event::RoundBegan {
            round: self.state.round,
            turn_order: self.state.turn_order.clone(),
        });
        for seat in self.state.turn_order.clone() {
            let income = self.state.income(seat);
            self.receive(seat, income, GoodsSource::Income);
        }
        let first = self.state.turn_order[0];
        self.begin_turn(first);
    }

    fn begin_turn(&mut self, seat: Seat) {
        self.state.turn = Turn::of(seat);
        self.tell(Event::TurnBegan { seat });
    }

    pub(in super::super) fn perform_end_turn(&mut self, seat: Seat) {
        self.tell(Event::TurnEnded { seat });
        self.next_turn();
    }

    /// # Rule TM-6.60
    /// The next player who has not passed; after the last pass phase III, or the end.
    pub(super) fn next_turn(&mut self) {
        if let Some(seat) = self.state.next_in_turn() {
            self.begin_turn(seat);
            return;
        }
        self.state.turn = Turn::of(self.state.turn.seat);
        self.tell(Event::RoundEnded {
            round: self.state.round,
        });
        if self.state.round == ROUNDS {
            self.state.stage = Stage::Finished;
            self.final_scoring();
        } else {
            self.state.stage = Stage::Cult;
            self.cult_rewards();
        }
    }

    /// # Rule TM-6.61
    /// Goods at once, in the turn order of the next round; spades are queued.
    fn cult_rewards(&mut self) {
        let tile = self.state.scoring_tile();
        for seat in self.state.next_turn_order() {
            let steps =
                |cult: super::super::data::Cult| self.state.players[seat].cults[cult.index()];
            match tile.reward() {
                ScoringReward::Goods(cult, per, goods) => {
                    let goods = goods.times(u16::from(steps(cult) / per));
                    self.receive(seat, goods, GoodsSource::CultReward(tile));
                }
                ScoringReward::PerPriest(goods) => {
                    let priests = self.state.priests_on_cults(seat);
                    let goods = goods.times(u16::from(priests));
                    self.receive(seat, goods, GoodsSource::CultReward(tile));
                }
                ScoringReward::Spade(cult, per) => {
                    let spades = steps(cult) / per;
                    self.grant_cult_spades(seat, spades);
                }
            }
        }
    }

    /// Halflings score these spades when they come, usable or not (TM-14.7).
    fn grant_cult_spades(&mut self, seat: Seat, spades: u8) {
        if spades > 0 {
            self.tell(Event::CultSpadesGranted { seat, spades });
            self.halfling_spades(seat, spades);
            self.state.cult_spades.push(CultSpades { seat, spades });
        }
    }

    /// Goes on in phase III: skips those who can use no spade, then cleans up (TM-6.62, TM-6.63).
    pub(in super::super) fn settle_cult_phase(&mut self) -> ControlFlow<()> {
        while let Some(&queued) = self.state.cult_spades.first() {
            if self.state.can_use_spades(queued) {
                return ControlFlow::Break(());
            }
            self.state.cult_spades.remove(0);
            self.spades_unused(queued.seat, queued.spades);
        }
        self.clean_up();
        self.begin_round();
        ControlFlow::Continue(())
    }

    /// # Rule TM-6.63
    fn clean_up(&mut self) {
        self.state.used_power_actions = 0;
        for seat in self.state.players.seats() {
            self.state.players[seat].used = SpecialSet::EMPTY;
        }
        self.lay_coins();
        self.state.turn_order = self.state.next_turn_order();
        self.state.passed.clear();
    }
}
