//! Tables as a test describes them, and short names for actions.

use gamekeeper_rules::caylus::action::{Action, FavorEffect, Target};
use gamekeeper_rules::caylus::data::{Cubes, FavorLine, Resource, Section, Space, Special, Tile};
use gamekeeper_rules::caylus::event::Event;
use gamekeeper_rules::caylus::options::Options;
use gamekeeper_rules::caylus::stage::{Decision, Phase, Stage};
use gamekeeper_rules::caylus::state::Player;
use gamekeeper_rules::caylus::{Caylus, flow};
use gamekeeper_rules::conformance::TestTable;
use gamekeeper_rules::table::{Chance, OptionalParam, Seat};

pub(crate) use gamekeeper_rules::conformance::TestPlay;

pub(crate) const BLUE: Seat = Seat::at(0);
pub(crate) const RED: Seat = Seat::at(1);
pub(crate) const GREEN: Seat = Seat::at(2);
pub(crate) const ORANGE: Seat = Seat::at(3);
pub(crate) const BLACK: Seat = Seat::at(4);

/// The road of all cases (CAY-12): quarry, forest, carpenter, market, farm, sawmill.
pub(crate) const BASE_ROAD: [Tile; 6] = [
    Tile::NeutralQuarry,
    Tile::NeutralForest,
    Tile::NeutralCarpenter,
    Tile::NeutralMarket,
    Tile::NeutralFarm,
    Tile::NeutralSawmill,
];

gamekeeper_rules::test_type! { Table: TestTable<Caylus> }

/// Setting the table.
impl Table {
    /// The first placement of a plain game; seat 1 is first. Everybody has plenty of deniers.
    pub(crate) fn of(players: u8) -> Self {
        let mut table = Self::dealt(&Options {
            neutral_order: Some(BASE_ROAD),
            turn_order: Some(Seat::all(usize::from(players)).collect()),
            ..Options::plain(players)
        });
        for player in table.state.players.iter_mut() {
            player.deniers = 20;
        }
        table
    }

    /// The set-up of options that need no luck.
    pub(crate) fn dealt(options: &Options) -> Self {
        let table = TestTable::created(options, Chance::scripted([]));
        Self(table)
    }

    pub(crate) fn player(&mut self, seat: Seat) -> &mut Player {
        &mut self.state.players[seat]
    }

    /// Sets a player's deniers and cubes to exactly these.
    pub(crate) fn has(&mut self, seat: Seat, deniers: u16, cubes: &[(u16, Resource)]) {
        let player = self.player(seat);
        player.deniers = deniers;
        player.cubes = cubes
            .iter()
            .fold(Cubes::NONE, |sum, &(count, kind)| sum.and(count, kind));
    }

    /// Puts a building on the road; craft and prestige tiles come from the supply.
    pub(crate) fn built(&mut self, number: u8, tile: Tile, owner: Seat) {
        if self.state.supply.count(tile) > 0 {
            self.state.supply.take(tile);
        }
        let lot = &mut self.state.road[space(number)];
        (lot.tile, lot.owner) = (Some(tile), Some(owner));
    }

    /// Puts a worker on a road space.
    pub(crate) fn worker(&mut self, number: u8, seat: Seat) {
        self.state.road[space(number)].worker = Some(seat);
        self.player(seat).workers -= 1;
    }

    /// Puts a worker on a special building; at the inn, on the left circle.
    pub(crate) fn special(&mut self, special: Special, seat: Seat) {
        let workers = &mut self.state.special;
        match special {
            Special::Gate => workers.gate = Some(seat),
            Special::TradingPost => workers.trading_post = Some(seat),
            Special::MerchantsGuild => workers.merchants_guild = Some(seat),
            Special::JoustField => workers.joust_field = Some(seat),
            Special::Stables => workers.stables.push(seat),
            Special::Inn => workers.inn_left = Some(seat),
        }
        self.player(seat).workers -= 1;
    }

    pub(crate) fn inn_right(&mut self, seat: Seat) {
        self.state.special.inn_right = Some(seat);
        self.player(seat).workers -= 1;
    }

    pub(crate) fn order(&mut self, order: impl IntoIterator<Item = Seat>) {
        self.state.turn_order = order.into_iter().collect();
    }

    pub(crate) fn in_castle(&mut self, queue: impl IntoIterator<Item = Seat>) {
        for seat in queue {
            self.state.castle.queue.push(seat);
            self.player(seat).workers -= 1;
        }
    }

    /// Sets the houses in a section, in seat order.
    pub(crate) fn parts<const N: usize>(&mut self, section: Section, parts: [u8; N]) {
        for (index, count) in parts.into_iter().enumerate() {
            self.state.castle.parts[section.index()][Seat::at(index)] = count;
        }
    }

    /// Marks the first this many sections as scored.
    pub(crate) fn scored(&mut self, sections: u8) {
        self.state.castle.scored = sections;
    }

    pub(crate) fn marker(&mut self, seat: Seat, line: FavorLine, column: u8) {
        self.player(seat).markers[line.index()] = column;
    }

    pub(crate) fn officials(&mut self, bailiff: u8, provost: u8) {
        self.state.bailiff = space(bailiff);
        self.state.provost = space(provost);
    }

    /// Continues from here: placement, with these players passed and this one to act.
    pub(crate) fn placing(&mut self, passed: impl IntoIterator<Item = Seat>, acting: Seat) {
        self.state.enter(Phase::Placement);
        self.state.pass_order = passed.into_iter().collect();
        let place = self.state.turn_order.iter().position(|&s| s == acting);
        self.state.placement_cursor = u8::try_from(place.unwrap()).unwrap();
        self.go_on(Stage::Place);
    }

    /// Continues from here: everybody has passed, in turn order, and phase 3 begins.
    pub(crate) fn specials(&mut self) {
        self.state.pass_order = self.state.turn_order.clone();
        self.state.enter(Phase::Special);
        self.go_on(Stage::Special);
    }

    /// Continues from here: players bribe the provost in this order.
    pub(crate) fn bribing(&mut self, order: impl IntoIterator<Item = Seat>) {
        self.state.pass_order = order.into_iter().collect();
        self.state.enter(Phase::Provost);
        self.go_on(Stage::Bribe);
    }

    /// Continues from here: the road is activated up to this space.
    pub(crate) fn road_up_to(&mut self, provost: u8) {
        self.state.pass_order = self.state.turn_order.clone();
        self.state.provost = space(provost);
        self.state.enter(Phase::Activation);
        self.state.cursor = 1;
        self.go_on(Stage::Road);
    }

    /// Continues from here: phase 6, if anybody is in the castle.
    pub(crate) fn castle(&mut self) {
        self.state.pass_order = self.state.turn_order.clone();
        self.state.cursor = Space::LAST.number() + 1;
        self.go_on(Stage::Road);
    }

    /// Continues from here: phase 7.
    pub(crate) fn end_of_turn(&mut self) {
        self.state.pass_order = self.state.turn_order.clone();
        self.go_on(Stage::Bailiff);
    }

    fn go_on(&mut self, stage: Stage) {
        self.state.pending = None;
        self.state.stage = stage;
        self.log.clear();
        flow::run_to_decision(&mut self.context());
    }
}

/// Playing at the table.
impl Table {
    pub(crate) fn pending(&self) -> Option<(Seat, Decision)> {
        self.state.pending()
    }

    /// Lets the acting player use favors on their first free line, without effect, until none is left. Returns the
    /// players and how many favors they used, in order.
    pub(crate) fn waste_favors(&mut self) -> Vec<(Seat, usize)> {
        let mut users: Vec<(Seat, usize)> = Vec::new();
        while let Some((seat, Decision::TakeFavor)) = self.pending() {
            match users.last_mut() {
                Some((last, count)) if *last == seat => *count += 1,
                _ => users.push((seat, 1)),
            }
            let first = self.legal().remove(0);
            self.play(seat, &first);
        }
        users
    }

    /// Lets every player pass and leave the provost alone until the next turn begins.
    pub(crate) fn skip_turn(&mut self) {
        let turn = self.state.turn;
        while self.state.turn == turn {
            let (seat, decision) = self.pending().unwrap();
            let action = match decision {
                Decision::PlaceWorker => Action::PassTurn,
                Decision::BribeProvost => provost(0),
                Decision::InnStay => Action::InnChoice { stay: true },
                Decision::GateRelocate
                | Decision::GuildMove
                | Decision::Joust
                | Decision::UseBuilding { .. }
                | Decision::OwnerBonus { .. }
                | Decision::TakeFavor
                | Decision::CastleBuild => panic!("{decision:?}"),
            };
            self.play(seat, &action);
        }
    }

    pub(crate) fn deniers(&self, seat: Seat) -> u16 {
        self.state.players[seat].deniers
    }

    pub(crate) fn vp(&self, seat: Seat) -> u16 {
        self.state.players[seat].vp
    }

    pub(crate) fn count(&self, seat: Seat, resource: Resource) -> u16 {
        self.state.players[seat].cubes.count(resource)
    }

    pub(crate) fn cubes(&self, seat: Seat) -> Cubes {
        self.state.players[seat].cubes
    }

    pub(crate) fn marker_on(&self, seat: Seat, line: FavorLine) -> u8 {
        self.state.players[seat].markers[line.index()]
    }

    pub(crate) fn standing(&self, number: u8) -> (Option<Tile>, Option<Seat>) {
        let lot = &self.state.road[space(number)];
        (lot.tile, lot.owner)
    }

    /// This player's income if the next turn began now.
    pub(crate) fn next_income(&self, seat: Seat) -> u16 {
        let mut next = self.clone();
        next.state.pending_favors = None;
        next.go_on(Stage::StartTurn);
        let of_seat = |event: &Event| {
            if let Event::Income { seat: who, deniers } = event
                && *who == seat
            {
                Some(*deniers)
            } else {
                None
            }
        };
        next.log.events.iter().find_map(of_seat).unwrap()
    }
}

pub(crate) fn space(number: u8) -> Space {
    Space::new(number).unwrap()
}

pub(crate) fn place(target: Target) -> Action {
    Action::PlaceWorker {
        target: Some(target),
    }
}

pub(crate) fn place_on(number: u8) -> Action {
    place(Target::Road(space(number)))
}

pub(crate) fn send(target: Target) -> Action {
    Action::MoveGateWorker {
        target: Some(target),
    }
}

pub(crate) fn provost(delta: i32) -> Action {
    Action::MoveProvost { delta }
}

pub(crate) fn produce(option: u8) -> Action {
    Action::Produce {
        option: Some(option),
    }
}

pub(crate) fn trade(option: u8) -> Action {
    Action::Trade {
        option: Some(option),
    }
}

pub(crate) fn sell(resource: Resource) -> Action {
    Action::SellCube {
        resource: Some(resource),
    }
}

pub(crate) fn buy(resources: &[Resource]) -> Action {
    Action::BuyCubes {
        resources: resources.iter().copied().map(Some).collect(),
    }
}

pub(crate) fn alchemy(cubes: &[(i32, Resource)]) -> Action {
    let mut payment = [0; 5];
    for &(count, resource) in cubes {
        payment[resource.index()] += count;
    }
    Action::Alchemy { payment }
}

pub(crate) fn craft(tile: Tile) -> Action {
    Action::BuildCraft {
        tile: Some(tile),
        any_payment: OptionalParam::Absent,
    }
}

pub(crate) fn craft_with(tile: Tile, any: Resource) -> Action {
    Action::BuildCraft {
        tile: Some(tile),
        any_payment: OptionalParam::Known(any),
    }
}

pub(crate) fn prestige(tile: Tile, number: u8) -> Action {
    Action::BuildPrestige {
        tile: Some(tile),
        space: Some(space(number)),
    }
}

pub(crate) fn transform(number: u8) -> Action {
    Action::TransformBuilding {
        space: Some(space(number)),
    }
}

pub(crate) fn bonus(resource: Resource) -> Action {
    Action::ChooseOwnerBonus {
        resource: Some(resource),
    }
}

pub(crate) fn batch(second: Resource, third: Resource) -> Action {
    Action::BuildCastleBatch {
        second: Some(second),
        third: Some(third),
    }
}

pub(crate) fn favor(line: FavorLine, column: u8) -> Action {
    favor_with(line, column, FavorEffect::NONE)
}

pub(crate) fn favor_with(line: FavorLine, column: u8, effect: FavorEffect) -> Action {
    Action::TakeFavor {
        line: Some(line),
        column: column.into(),
        effect,
    }
}

pub(crate) fn tile(tile: Tile) -> FavorEffect {
    FavorEffect {
        tile: OptionalParam::Known(tile),
        ..FavorEffect::NONE
    }
}

pub(crate) fn on(number: u8) -> FavorEffect {
    FavorEffect {
        space: OptionalParam::Known(space(number)),
        ..FavorEffect::NONE
    }
}

pub(crate) fn exchange(give: Resource, take: &[Resource]) -> FavorEffect {
    FavorEffect {
        give: OptionalParam::Known(give),
        take: take.iter().copied().map(Some).collect(),
        ..FavorEffect::NONE
    }
}
