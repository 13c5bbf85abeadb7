//! A **reader** of events: the table as the comments of the events tell it.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each part of the table hears of a few events only"
)]

use crate::conformance::EventReader;
use crate::kingsburg::Kingsburg;
use crate::kingsburg::action::EnvoyUse;
use crate::kingsburg::data::{Building, DieId, Enemy, Good, Goods, Phase, ROWS};
use crate::kingsburg::event::Event;
use crate::kingsburg::options::Options;
use crate::kingsburg::view::{
    BattleView, DiePlace, DieView, EnemyView, EnvoyMode, EnvoyView, FighterView, GroupView,
    PlayerView, View,
};
use crate::table::{PendingList, Seat, Viewer};

#[derive(Clone)]
pub struct Reader {
    view: View,
}

const ON_BOARD: EnvoyView = EnvoyView {
    holder: None,
    mode: EnvoyMode::None,
    declarer: None,
    spent: false,
};

impl EventReader<Kingsburg> for Reader {
    fn new(options: &Options, _viewer: Viewer) -> Self {
        let player = |seat| PlayerView {
            seat,
            color: options.colors[seat],
            vp: 0,
            goods: Goods::NONE,
            plus2: 0,
            soldiers: 0,
            rows: [0; ROWS],
            buildings: Vec::new(),
            aid_die: false,
            dice: Vec::new(),
            reroll_used: false,
            market_used: false,
            influence_done: false,
            build_actions_left: 0,
        };
        let enemies = Enemy::backs().iter().map(|back| EnemyView {
            year: back.year,
            min_strength: back.min_strength,
            max_strength: back.max_strength,
            card: None,
            revealed: false,
        });
        Self {
            view: View {
                options: options.clone(),
                year: 1,
                phase: Phase::KingsAid,
                step: None,
                pending: PendingList::default(),
                question: None,
                turn_order: Vec::new(),
                players: options.colors.seats().map(player).collect(),
                envoy: ON_BOARD,
                court: Vec::new(),
                enemies: enemies.collect(),
                peeked_by: Vec::new(),
                battle: None,
                history: Vec::new(),
                bookkeeping: None,
            },
        }
    }

    fn read(&mut self, event: &Event) {
        self.read_year(event);
        self.read_envoy(event);
        self.read_dice(event);
        self.read_gains(event);
        self.read_costs(event);
        self.read_buildings(event);
        self.read_winter(event);
    }

    fn view(&self, actual: &View) -> View {
        let mut view = View {
            step: actual.step,
            ..self.view.clone()
        };
        view.court.sort_by_key(|group| group.advisor);
        view
    }
}

impl Reader {
    fn player(&mut self, seat: Seat) -> &mut PlayerView {
        &mut self.view.players[seat.index()]
    }

    fn read_year(&mut self, event: &Event) {
        let view = &mut self.view;
        match event {
            Event::GameBegan { order } | Event::OrderSet { order, .. } => {
                view.turn_order = order.to_vec();
            }
            Event::PhaseBegan { year, phase } => {
                (view.year, view.phase) = (*year, *phase);
                if *phase == Phase::Recruit {
                    view.envoy = ON_BOARD;
                }
            }
            Event::AidDieGiven { seat } => self.player(*seat).aid_die = true,
            Event::AidDieReturned { seat } => self.player(*seat).aid_die = false,
            Event::YearEnded { .. } => {
                view.players
                    .iter_mut()
                    .for_each(|player| player.soldiers = 0);
                view.history.extend(view.battle.take());
            }
            _ => {}
        }
    }

    fn read_envoy(&mut self, event: &Event) {
        let envoy = &mut self.view.envoy;
        match event {
            Event::EnvoyGiven { seat } => {
                envoy.holder = Some(*seat);
                envoy.mode = EnvoyMode::Undeclared;
            }
            Event::EnvoyDeclared { seat, purpose } => {
                envoy.declarer = Some(*seat);
                (envoy.mode, envoy.holder) = match purpose {
                    EnvoyUse::Advisor => (EnvoyMode::Advisor, Some(*seat)),
                    EnvoyUse::SecondBuilding => (EnvoyMode::SecondBuilding, None),
                    EnvoyUse::Nothing => (EnvoyMode::None, None),
                };
            }
            Event::AdvisorInfluenced {
                use_envoy: true, ..
            } => (envoy.holder, envoy.spent) = (None, true),
            Event::EnvoyReturned { .. } => *envoy = ON_BOARD,
            _ => {}
        }
    }

    fn read_dice(&mut self, event: &Event) {
        match event {
            Event::DiceRolled { seat, dice } => {
                let player = self.player(*seat);
                let rolled = dice.iter().map(|shown| DieView {
                    die: shown.die,
                    value: shown.value,
                    place: DiePlace::Pool,
                });
                player.dice = rolled.collect();
                player.reroll_used = false;
                player.market_used = false;
                player.influence_done = false;
            }
            Event::DieRerolled {
                seat, die, after, ..
            } => {
                let player = self.player(*seat);
                player.reroll_used = true;
                let dice = player.dice.iter_mut().filter(|shown| shown.die == *die);
                dice.for_each(|shown| shown.value = *after);
            }
            Event::DieSetAside { seat, die, .. } => self.put(*seat, *die, DiePlace::SetAside),
            Event::InfluencePassed { seat } => self.player(*seat).influence_done = true,
            Event::CourtCleared => self.clear_court(),
            _ => self.read_court(event),
        }
    }

    fn read_court(&mut self, event: &Event) {
        let sequence = u8::try_from(self.view.court.len() + 1).unwrap_or_default();
        match event {
            Event::NeutralPlaced { advisor, values } => self.view.court.push(GroupView {
                advisor: *advisor,
                owner: None,
                dice: Vec::new(),
                values: values.to_vec(),
                plus2: 0,
                market_offset: 0,
                via_envoy: false,
                sequence,
            }),
            Event::AdvisorInfluenced {
                seat,
                advisor,
                dice,
                plus2,
                market_offset,
                use_envoy,
            } => {
                self.view.court.push(GroupView {
                    advisor: *advisor,
                    owner: Some(*seat),
                    dice: dice.iter().collect(),
                    values: Vec::new(),
                    plus2: *plus2,
                    market_offset: *market_offset,
                    via_envoy: *use_envoy,
                    sequence,
                });
                dice.iter()
                    .for_each(|die| self.put(*seat, die, DiePlace::Court(*advisor)));
                let player = self.player(*seat);
                player.plus2 -= plus2;
                player.market_used |= *market_offset != 0;
                let own = |die: &DieView| DieId::OWN.contains(die.die);
                let mut left = player.dice.iter().filter(|die| own(die));
                player.influence_done = left.all(|die| die.place != DiePlace::Pool);
            }
            Event::DicePlaced { dice, .. } => {
                if let Some(group) = self.view.court.last_mut() {
                    group.values = dice.iter().map(|shown| shown.value).collect();
                }
            }
            _ => {}
        }
    }

    fn put(&mut self, seat: Seat, die: DieId, place: DiePlace) {
        let dice = self.player(seat).dice.iter_mut();
        let dice = dice.filter(|shown| shown.die == die);
        dice.for_each(|shown| shown.place = place);
    }

    /// The dice leave the court, and building begins.
    fn clear_court(&mut self) {
        let envoy = self.view.envoy;
        self.view.court.clear();
        for player in &mut self.view.players {
            player.dice.clear();
            let second =
                envoy.mode == EnvoyMode::SecondBuilding && envoy.declarer == Some(player.seat);
            player.build_actions_left = 1 + u8::from(second);
        }
    }

    fn read_gains(&mut self, event: &Event) {
        match event {
            Event::AidGoodChosen { seat, good } | Event::RewardGoodChosen { seat, good } => {
                self.gain(*seat, Goods::of(*good, 1), 0);
            }
            Event::GuildIncome { seat } => self.gain(*seat, Goods::of(Good::Gold, 1), 0),
            Event::HelpGiven {
                seat,
                goods,
                vp,
                plus2,
                soldiers,
                ..
            } => {
                self.gain(*seat, *goods, i16::from(*vp));
                let player = self.player(*seat);
                player.plus2 += plus2;
                player.soldiers += u16::from(*soldiers);
            }
            Event::HelpChosen { seat, goods, .. } => self.gain(*seat, *goods, 0),
            Event::GoodExchanged { seat, gave, gained } => {
                self.pay(*seat, Goods::of(*gave, 1));
                self.gain(*seat, *gained, 0);
            }
            Event::InnToken { seat } | Event::TownHallToken { seat } => {
                self.player(*seat).plus2 += 1;
            }
            Event::TownHallSale { seat, good } => {
                self.pay(*seat, Goods::of(*good, 1));
                self.gain(*seat, Goods::NONE, 1);
            }
            Event::EmbassyPoint { seat }
            | Event::KingsRewardGiven { seat }
            | Event::FortressPoint { seat }
            | Event::StrongestPoint { seat } => self.gain(*seat, Goods::NONE, 1),
            Event::EnemyRewarded { seat, goods, vp } => self.gain(*seat, *goods, i16::from(*vp)),
            Event::CathedralExchange { seat, goods, vp } => {
                self.pay(*seat, *goods);
                self.gain(*seat, Goods::NONE, i16::from(*vp));
            }
            _ => {}
        }
    }

    fn read_costs(&mut self, event: &Event) {
        match event {
            Event::SoldierRecruited { seat, paid } => {
                self.pay(*seat, *paid);
                self.player(*seat).soldiers += 1;
            }
            Event::GoodsLost { seat, goods } | Event::AnyGoodsLost { seat, goods } => {
                self.pay(*seat, *goods);
            }
            Event::PointsLost { seat, vp } => self.player(*seat).vp -= i16::from(*vp),
            _ => {}
        }
    }

    fn gain(&mut self, seat: Seat, goods: Goods, vp: i16) {
        let player = self.player(seat);
        player.goods = player.goods.plus(goods);
        player.vp += vp;
    }

    fn pay(&mut self, seat: Seat, goods: Goods) {
        let player = self.player(seat);
        player.goods = player.goods.minus(goods);
    }

    fn read_buildings(&mut self, event: &Event) {
        match event {
            Event::Built {
                seat,
                building,
                paid,
                vp,
            } => {
                self.pay(*seat, *paid);
                let player = self.player(*seat);
                player.vp += i16::from(*vp);
                player.rows[building.row_index()] += 1;
                player.buildings.push(*building);
                player.buildings.sort_unstable();
                player.build_actions_left -= 1;
            }
            Event::BuildPassed { seat } => self.player(*seat).build_actions_left = 0,
            Event::BuildingLost { seat, building, vp } => {
                let lost: Building = *building;
                let player = self.player(*seat);
                player.vp -= i16::from(*vp);
                player.rows[lost.row_index()] -= 1;
                player.buildings.retain(|stands| *stands != lost);
            }
            _ => {}
        }
    }

    fn read_winter(&mut self, event: &Event) {
        let view = &mut self.view;
        let this_year = usize::from(view.year) - 1;
        match event {
            Event::EnemyPeeked { seat, card, .. } => {
                view.peeked_by.push(*seat);
                view.peeked_by.sort_unstable();
                view.peeked_by.dedup();
                if card.is_some() {
                    view.enemies[this_year].card = *card;
                }
            }
            Event::EnemyRevealed { card } => {
                view.enemies[this_year].card = Some(*card);
                view.enemies[this_year].revealed = true;
                view.peeked_by.clear();
                view.battle = Some(BattleView {
                    card: *card,
                    king_die: 0,
                    fighters: Vec::new(),
                });
            }
            Event::KingDieRolled { value, .. } => {
                let players = view.players.iter_mut();
                players.for_each(|player| player.soldiers += u16::from(*value));
                if let Some(battle) = &mut view.battle {
                    battle.king_die = *value;
                }
            }
            Event::StrengthCounted {
                seat,
                strength,
                outcome,
            } => {
                let fighter = FighterView {
                    seat: *seat,
                    strength: *strength,
                    outcome: *outcome,
                };
                if let Some(battle) = &mut view.battle {
                    battle.fighters.push(fighter);
                    battle.fighters.sort_by_key(|fighter| fighter.seat);
                }
            }
            _ => {}
        }
    }
}
