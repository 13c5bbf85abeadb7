//! Listing what a seat may do, in the order of TM-6.3. `check` judges every entry.

mod works;

use arrayvec::ArrayVec;

use super::super::action::{Action, Conversion, PowerUse, Span, SpecialUse, Work};
use super::super::data::{
    BRIDGE_SITES, BonusCard, Cult, Faction, FavorTile, Land, LandSet, PowerAction, PriestSlot,
    River, SITES, Space, SpecialAction, Structure, Terrain, TownTile, bridge_sites_at,
};
use super::super::pending::Decision;
use super::super::state::State;
use super::power::Spend;
use super::transform::SpadeSource;
use crate::table::{Detail, Seat, Visit};
use std::ops::ControlFlow;

/// Lists the actions of one seat.
pub(in super::super) struct Lister<'a> {
    state: &'a State,
    seat: Seat,
    detail: Detail,
    visit: &'a mut dyn FnMut(Action) -> Visit,
}

impl<'a> Lister<'a> {
    pub(in super::super) fn of(
        state: &'a State,
        seat: Seat,
        detail: Detail,
        visit: &'a mut dyn FnMut(Action) -> Visit,
    ) -> Self {
        Self {
            state,
            seat,
            detail,
            visit,
        }
    }

    fn add(&mut self, action: Action) -> Visit {
        (self.visit)(action)
    }

    fn add_all(&mut self, actions: impl Iterator<Item = Action>) -> Visit {
        for action in actions {
            self.add(action)?;
        }
        ControlFlow::Continue(())
    }

    /// Everything that may belong to the open decision.
    pub(in super::super) fn list(mut self) -> Visit {
        match self.state.decision() {
            Some((actor, decision)) if actor == self.seat => match decision {
                Decision::ChooseFaction => self.add_all(Faction::ALL.iter().map(|&faction| {
                    let faction = Some(faction);
                    Action::ChooseFaction { faction }
                })),
                Decision::PlaceDwelling => self.first_dwellings(),
                Decision::ChooseBonusCard => {
                    let card = |&card: &BonusCard| Action::ChooseBonusCard { card };
                    self.add_all(BonusCard::ALL.iter().map(card))
                }
                Decision::Turn => self.turn(),
                Decision::PowerDecision => {
                    self.add(Action::DecidePower { accept: true })?;
                    self.add(Action::DecidePower { accept: false })?;
                    self.conversions(decision)
                }
                Decision::FollowUp => self.follow_ups(),
                Decision::CultSpades => self.cult_spades(),
                Decision::Finished => ControlFlow::Continue(()),
            },
            Some(_) | None => ControlFlow::Continue(()),
        }
    }

    fn first_dwellings(&mut self) -> Visit {
        let home = self.state.faction(self.seat).home();
        let state = self.state;
        let lands = Land::all().filter(|&land| state.board.terrain(land) == home);
        self.add_all(lands.map(|land| Action::PlaceDwelling { space: land.into() }))
    }

    fn turn(&mut self) -> Visit {
        if !self.state.turn.main_action_done {
            self.main_actions()?;
        }
        let late = self.state.turn.late_build.iter();
        self.add_all(late.map(|land| Action::BuildDwelling { space: land.into() }))?;
        self.free_actions(Decision::Turn)?;
        self.add(Action::EndTurn)
    }

    fn main_actions(&mut self) -> Visit {
        self.works(SpadeSource::Bought, &|work| Action::TransformAndBuild {
            work,
        })?;
        self.add(Action::AdvanceShipping)?;
        self.add(Action::AdvanceTerraforming)?;
        self.upgrades()?;
        self.priests()?;
        self.power_actions()?;
        self.special_actions()?;
        self.engineer_bridges()?;
        self.passes()
    }

    fn free_actions(&mut self, decision: Decision) -> Visit {
        self.conversions(decision)?;
        if self.state.rules.free_sacrifice {
            let most = u32::from(self.state.players[self.seat].bowls[1] / 2);
            self.add_all((1..=most).map(|tokens| Action::SacrificePower { tokens }))?;
        }
        if self.state.faction(self.seat) == Faction::Mermaids {
            let town = |river| Action::FoundRiverTown {
                river: Space::River(river),
            };
            self.add_all(River::all().map(town))?;
        }
        ControlFlow::Continue(())
    }

    fn upgrades(&mut self) -> Visit {
        for land in self.state.board.owned(self.seat).iter() {
            let space = land.into();
            let all = Structure::ALL.iter();
            self.add_all(all.map(|&to| Action::UpgradeStructure { space, to }))?;
        }
        ControlFlow::Continue(())
    }

    fn priests(&mut self) -> Visit {
        if self.state.players[self.seat].priests == 0 {
            return ControlFlow::Continue(());
        }
        for &cult in Cult::ALL {
            let slots = PriestSlot::ALL.iter();
            self.add_all(slots.map(|&slot| Action::SendPriest { cult, slot }))?;
        }
        ControlFlow::Continue(())
    }

    fn power_actions(&mut self) -> Visit {
        let (state, seat) = (self.state, self.seat);
        for &action in PowerAction::ALL {
            if state.power_action_used(action) {
                continue;
            }
            let (player, power) = (&state.players[seat], action.power());
            for sacrifice in Spend::sacrifices(player, power, state.rules, self.detail) {
                self.power_action(action, sacrifice)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn power_action(&mut self, action: PowerAction, sacrifice: u32) -> Visit {
        let with = |power_use| Action::TakePowerAction {
            power_use,
            sacrifice,
        };
        match action {
            PowerAction::Act1 => {
                self.add(with(PowerUse::Bridge(None)))?;
                self.bridges(&|span| with(PowerUse::Bridge(Some(span))))
            }
            PowerAction::Act2 => self.add(with(PowerUse::Priest)),
            PowerAction::Act3 => self.add(with(PowerUse::Workers)),
            PowerAction::Act4 => self.add(with(PowerUse::Coins)),
            PowerAction::Act5 => {
                self.add(with(PowerUse::Spade(Work::default())))?;
                self.works(SpadeSource::Act5, &|work| with(PowerUse::Spade(work)))
            }
            PowerAction::Act6 => {
                self.add(with(PowerUse::TwoSpades(Work::default())))?;
                self.works(SpadeSource::Act6, &|work| with(PowerUse::TwoSpades(work)))?;
                self.many_spaces(SpadeSource::Act6, &|work| with(PowerUse::TwoSpades(work)))
            }
        }
    }

    fn special_actions(&mut self) -> Visit {
        let (state, seat) = (self.state, self.seat);
        for &action in SpecialAction::ALL {
            if state.has_special(seat, action) && !state.players[seat].used.has(action) {
                self.special_action(action)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn special_action(&mut self, action: SpecialAction) -> Visit {
        let with = |special_use| Action::TakeSpecialAction { special_use };
        let cults = Cult::ALL.iter().copied();
        let state = self.state;
        match action {
            SpecialAction::Bon1 => self.works(SpadeSource::Bon1, &|work| {
                with(SpecialUse::BonusSpade(work))
            }),
            SpecialAction::Bon2 => {
                self.add_all(cults.map(|cult| with(SpecialUse::BonusCultStep(cult))))
            }
            SpecialAction::Fav6 => {
                self.add_all(cults.map(|cult| with(SpecialUse::FavorCultStep(cult))))
            }
            SpecialAction::ActA => {
                self.add_all(cults.map(|cult| with(SpecialUse::CultSteps(cult))))
            }
            SpecialAction::ActW => {
                let free = LandSet::ALL.minus(state.board.occupied()).iter();
                let forest = free.filter(|&land| state.board.terrain(land) == Terrain::Forest);
                self.add_all(forest.map(|land| with(SpecialUse::WitchesRide(land.into()))))
            }
            SpecialAction::ActS => {
                let own = state.board.owned(self.seat).iter();
                self.add_all(own.map(|land| with(SpecialUse::FreeTradingHouse(land.into()))))
            }
            SpecialAction::ActC => self.add(with(SpecialUse::DoubleTurn)),
            SpecialAction::ActG => self.works(SpadeSource::ActG, &|work| {
                with(SpecialUse::GiantSpades(work))
            }),
            SpecialAction::ActN => {
                let near = state
                    .next_to(self.seat)
                    .minus(state.board.occupied())
                    .iter();
                let storms = near.flat_map(|land| {
                    let space = land.into();
                    [false, true].map(|build| with(SpecialUse::Sandstorm { space, build }))
                });
                self.add_all(storms)
            }
        }
    }

    fn engineer_bridges(&mut self) -> Visit {
        if self.state.faction(self.seat) == Faction::Engineers {
            self.bridges(&|span| Action::BuildEngineerBridge { span })?;
        }
        ControlFlow::Continue(())
    }

    /// Every site at an own structure, its ends in the order of the data.
    fn bridges(&mut self, wrap: &dyn Fn(Span) -> Action) -> Visit {
        let own = self.state.board.owned(self.seat).iter();
        let sites = own.fold(0, |sites, land| sites | bridge_sites_at(land));
        let near = (0..SITES).filter(|site| sites & (1 << site) != 0);
        self.add_all(near.map(|site| {
            let ends = BRIDGE_SITES[site];
            wrap(Span {
                a: ends.a.into(),
                b: ends.b.into(),
            })
        }))
    }

    fn passes(&mut self) -> Visit {
        self.add(Action::Pass { card: None })?;
        let state = self.state;
        let pool = BonusCard::ALL.iter().filter(|&&card| state.in_pool(card));
        self.add_all(pool.map(|&card| Action::Pass { card: Some(card) }))
    }

    fn conversions(&mut self, decision: Decision) -> Visit {
        let (state, seat) = (self.state, self.seat);
        let player = &state.players[seat];
        for kind in Conversion::ALL {
            if kind.is_alchemy() && player.faction != Faction::Alchemists
                || !kind.is_alchemy() && decision == Decision::PowerDecision
            {
                continue;
            }
            let most = match kind {
                Conversion::PowerToPriest | Conversion::PowerToWorker | Conversion::PowerToCoin => {
                    u16::from((player.bowls[2] + player.bowls[1] / 2) / kind.power())
                }
                Conversion::PriestToWorker => u16::from(player.priests),
                Conversion::WorkerToCoin => player.workers,
                Conversion::AlchemyVpToCoin => player.vp,
                Conversion::AlchemyCoinToVp => player.coins / 2,
            };
            for times in 1..=most {
                self.conversion(kind, times)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn conversion(&mut self, kind: Conversion, times: u16) -> Visit {
        let (state, seat) = (self.state, self.seat);
        let times = u32::from(times);
        let convert = |sacrifice| Action::Convert {
            kind,
            times,
            sacrifice,
        };
        if kind.power() == 0 {
            return self.add(convert(0));
        }
        let power = u8::try_from(times)
            .unwrap_or(u8::MAX)
            .saturating_mul(kind.power());
        let player = &state.players[seat];
        self.add_all(Spend::sacrifices(player, power, state.rules, self.detail).map(convert))
    }

    fn follow_ups(&mut self) -> Visit {
        let open = self.state.turn.follow_ups;
        if open.favor_tiles > 0 {
            let tiles = FavorTile::ALL.iter();
            self.add_all(tiles.map(|&tile| Action::ChooseFavorTile { tile }))?;
        }
        if self.state.open_towns() > 0 {
            self.town_tiles()?;
        }
        if open.cult_step {
            let cults = Cult::ALL.iter();
            self.add_all(cults.map(|&cult| Action::ChooseCultStep { cult }))?;
        }
        if open.ordination {
            let most = u32::from(self.state.most_ordained(self.seat));
            self.add_all((0..=most).map(|count| Action::OrdainPriests { count }))?;
        }
        if open.stronghold_spades {
            let wrap = |work| Action::UseStrongholdSpades { work };
            self.add(wrap(Work::default()))?;
            self.works(SpadeSource::Stronghold, &wrap)?;
            self.many_spaces(SpadeSource::Stronghold, &wrap)?;
        }
        self.free_actions(Decision::FollowUp)
    }

    /// Every tile; with too few keys, every choice of the tracks that use them (TM-6.37).
    fn town_tiles(&mut self) -> Visit {
        for &tile in TownTile::ALL {
            let (keys, wanting) = self.state.key_choice(self.seat, tile);
            let wanting: ArrayVec<Cult, 4> = wanting.collect();
            if keys == 0 || wanting.len() <= usize::from(keys) {
                let key_cults = ArrayVec::new();
                self.add(Action::ChooseTownTile { tile, key_cults })?;
                continue;
            }
            for chosen in 0..1_u8 << wanting.len() {
                if chosen.count_ones() == u32::from(keys) {
                    let tracks = wanting.iter().enumerate();
                    let key_cults = tracks
                        .filter(|(at, _)| chosen & (1 << at) != 0)
                        .map(|(_, &cult)| cult)
                        .collect();
                    self.add(Action::ChooseTownTile { tile, key_cults })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn cult_spades(&mut self) -> Visit {
        let spades = self
            .state
            .cult_spades
            .first()
            .map_or(0, |queued| queued.spades);
        let wrap = |work: Work| Action::UseCultSpades {
            transforms: work.transforms,
        };
        self.add(wrap(Work::default()))?;
        self.works(SpadeSource::Cult(spades), &wrap)?;
        self.many_spaces(SpadeSource::Cult(spades), &wrap)
    }
}
