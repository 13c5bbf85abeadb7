//! A **reader** of events: the table as the comments of the events tell it.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each part of the table hears of a few events only"
)]

use crate::caylus::Caylus;
use crate::caylus::action::Target;
use crate::caylus::data::{
    BAILIFF_START, Cubes, FIXED_BUILDINGS, Goods, Kind, Resource, Section, Space, Special, Tile,
    WORKERS, columns_available, start_deniers,
};
use crate::caylus::event::Event;
use crate::caylus::options::Options;
use crate::caylus::stage::{Phase, SeatList};
use crate::caylus::view::{
    CastleView, PlayerView, SectionView, SpaceView, SpecialView, SupplyView, View,
};
use crate::conformance::EventReader;
use crate::table::{PendingList, Seat, Viewer};

#[derive(Clone)]
pub struct Reader {
    view: View,
}

impl EventReader<Caylus> for Reader {
    fn new(options: &Options, _viewer: Viewer) -> Self {
        let seats = usize::from(options.players);
        let section = |section| SectionView {
            section,
            parts: vec![0; seats],
            scored: false,
        };
        Self {
            view: View {
                simplified_favors: options.simplified_favors,
                turn: 0,
                phase: Phase::Income,
                turn_order: SeatList::new(),
                pass_order: SeatList::new(),
                placement_cursor: 0,
                cursor: 0,
                players: Seat::all(seats).map(player).collect(),
                special: nobody(),
                castle: CastleView {
                    queue: SeatList::new(),
                    batches_this_turn: vec![0; seats],
                    sections: Section::ALL.map(section).to_vec(),
                    current_section: Some(Section::Dungeon),
                },
                road: Space::all().map(empty).collect(),
                supply: SupplyView {
                    wood: supply(Kind::Wood),
                    stone: supply(Kind::Stone),
                    prestige: supply(Kind::Prestige),
                },
                removed_neutral: Vec::new(),
                residences_built: 0,
                provost: BAILIFF_START,
                bailiff: BAILIFF_START,
                columns_available: columns_available(0),
                pending_favors: None,
                pending: PendingList::default(),
                question: None,
            },
        }
    }

    fn read(&mut self, event: &Event) {
        self.read_turn(event);
        self.read_workers(event);
        self.read_goods(event);
        self.read_buildings(event);
        self.read_castle(event);
    }

    fn view(&self, actual: &View) -> View {
        let mut view = View {
            phase: actual.phase,
            cursor: actual.cursor,
            placement_cursor: actual.placement_cursor,
            ..self.view.clone()
        };
        for (player, actual) in view.players.iter_mut().zip(&actual.players) {
            player.favor_lines_used.clone_from(&actual.favor_lines_used);
            player.placement_price = actual.placement_price;
        }
        view
    }
}

const fn player(seat: Seat) -> PlayerView {
    PlayerView {
        seat,
        deniers: 0,
        cubes: Cubes::of(2, Resource::Food).and(1, Resource::Wood),
        vp: 0,
        workers_available: WORKERS,
        favor_markers: [0; 4],
        favor_lines_used: Vec::new(),
        placement_price: None,
    }
}

const fn nobody() -> SpecialView {
    SpecialView {
        gate: None,
        trading_post: None,
        merchants_guild: None,
        joust_field: None,
        stables: Vec::new(),
        inn_left: None,
        inn_right: None,
    }
}

const fn empty(space: Space) -> SpaceView {
    SpaceView {
        space,
        tile: None,
        owner: None,
        worker: None,
        pending_transform: None,
    }
}

fn supply(kind: Kind) -> Vec<Tile> {
    let copies = |tile: Tile| std::iter::repeat_n(tile, usize::from(tile.sheet().copies));
    Tile::of_kind(kind).flat_map(copies).collect()
}

impl Reader {
    fn player(&mut self, seat: Seat) -> &mut PlayerView {
        &mut self.view.players[seat.index()]
    }

    fn space(&mut self, space: Space) -> &mut SpaceView {
        &mut self.view.road[space.index()]
    }

    fn return_worker(&mut self, seat: Seat) {
        self.player(seat).workers_available += 1;
    }

    fn gain(&mut self, seat: Seat, goods: Goods) {
        let player = self.player(seat);
        player.deniers += goods.deniers;
        player.cubes += goods.cubes;
        player.vp += goods.vp;
    }

    fn pay(&mut self, seat: Seat, goods: Goods) {
        let player = self.player(seat);
        player.deniers -= goods.deniers;
        player.cubes = player.cubes.without(goods.cubes);
    }

    fn read_turn(&mut self, event: &Event) {
        match event {
            Event::GameCreated {
                neutral_order,
                turn_order,
                ..
            } => {
                self.view.turn_order.clone_from(turn_order);
                for (position, &seat) in turn_order.iter().enumerate() {
                    self.player(seat).deniers = start_deniers(turn_order.len(), position);
                }
                let neutral = Space::all().zip(neutral_order.iter().copied());
                for (space, tile) in neutral.chain(FIXED_BUILDINGS) {
                    self.space(space).tile = Some(tile);
                }
            }
            Event::TurnStarted { turn } => {
                self.view.turn = *turn;
                self.view.pass_order.clear();
                self.view.castle.batches_this_turn.fill(0);
            }
            Event::TurnOrderChanged { turn_order } => {
                self.view.turn_order.clone_from(turn_order);
                for seat in std::mem::take(&mut self.view.special.stables) {
                    self.return_worker(seat);
                }
            }
            Event::Passed { seat, bonus } => {
                self.view.pass_order.push(*seat);
                self.gain(*seat, Goods::deniers(*bonus));
            }
            Event::BailiffMoved { to_space, .. } => {
                (self.view.bailiff, self.view.provost) = (*to_space, *to_space);
            }
            Event::ProvostMoved {
                seat,
                to_space,
                paid,
                ..
            } => {
                self.view.provost = *to_space;
                self.pay(*seat, Goods::deniers(*paid));
                if let Some(worker) = self.view.special.merchants_guild.take() {
                    self.return_worker(worker);
                }
            }
            _ => {}
        }
    }

    fn read_workers(&mut self, event: &Event) {
        match event {
            Event::WorkerPlaced {
                seat,
                target,
                price,
                owner,
            } => {
                self.pay(*seat, Goods::deniers(*price));
                self.player(*seat).workers_available -= 1;
                self.put(*seat, *target, *owner);
            }
            Event::GateMoved {
                seat,
                target,
                owner,
            } => {
                self.view.special.gate = None;
                self.put(*seat, *target, *owner);
            }
            Event::GateRecalled { seat } => {
                self.view.special.gate = None;
                self.return_worker(*seat);
            }
            Event::TradingPostPaid { seat, deniers } => {
                self.view.special.trading_post = None;
                self.return_worker(*seat);
                self.gain(*seat, Goods::deniers(*deniers));
            }
            Event::Jousted { seat, paid } => {
                self.view.special.joust_field = None;
                self.return_worker(*seat);
                self.pay(*seat, paid.unwrap_or_default());
            }
            Event::InnChanged { returned, right } => {
                self.view.special.inn_left = None;
                self.view.special.inn_right = *right;
                returned.iter().for_each(|&seat| self.return_worker(seat));
            }
            Event::WorkerReturned { seat, space, .. } => {
                self.space(*space).worker = None;
                self.return_worker(*seat);
            }
            Event::CastleLeft { seats } => {
                self.view.castle.queue.clear();
                seats.iter().for_each(|&seat| self.return_worker(seat));
            }
            _ => {}
        }
    }

    /// Puts a worker somewhere; another player who owns the building gains a point.
    fn put(&mut self, seat: Seat, target: Target, owner: Option<Seat>) {
        let special = &mut self.view.special;
        match target {
            Target::Castle => self.view.castle.queue.push(seat),
            Target::Special(Special::Gate) => special.gate = Some(seat),
            Target::Special(Special::TradingPost) => special.trading_post = Some(seat),
            Target::Special(Special::MerchantsGuild) => special.merchants_guild = Some(seat),
            Target::Special(Special::JoustField) => special.joust_field = Some(seat),
            Target::Special(Special::Stables) => special.stables.push(seat),
            Target::Special(Special::Inn) => special.inn_left = Some(seat),
            Target::Road(space) => self.space(space).worker = Some(seat),
        }
        owner
            .iter()
            .for_each(|&owner| self.gain(owner, Goods::vp(1)));
    }

    fn read_goods(&mut self, event: &Event) {
        match event {
            Event::Income { seat, deniers } => self.gain(*seat, Goods::deniers(*deniers)),
            Event::Produced { seat, cubes } => self.gain(*seat, Goods::cubes(*cubes)),
            Event::Traded { seat, paid, gained } => {
                self.pay(*seat, *paid);
                self.gain(*seat, *gained);
            }
            Event::OwnerBonus { seat, resource, .. } => {
                self.gain(*seat, Goods::cubes(Cubes::of(1, *resource)));
            }
            Event::FavorsSimplified { seat, vp, .. } => self.gain(*seat, Goods::vp(*vp)),
            Event::FavorTaken {
                seat,
                line,
                marker,
                paid,
                gained,
                ..
            } => {
                self.player(*seat).favor_markers[line.index()] = *marker;
                self.pay(*seat, *paid);
                self.gain(*seat, *gained);
            }
            Event::FinalScored {
                seat,
                gold,
                cubes,
                deniers,
            } => self.gain(*seat, Goods::vp(gold + cubes + deniers)),
            _ => {}
        }
    }

    fn read_buildings(&mut self, event: &Event) {
        match event {
            Event::TileBuilt {
                seat,
                tile,
                space,
                paid,
                vp,
            }
            | Event::PrestigeBuilt {
                seat,
                tile,
                space,
                paid,
                vp,
            } => {
                self.pay(*seat, Goods::cubes(*paid));
                self.gain(*seat, Goods::vp(*vp));
                let pile = self.pile(*tile);
                if let Some(copy) = pile.iter().position(|other| other == tile) {
                    pile.remove(copy);
                }
                self.erect(*tile, *space, *seat);
            }
            Event::TransformPaid {
                seat,
                space,
                paid,
                waits_for,
            } => {
                self.pay(*seat, *paid);
                self.space(*space).pending_transform = waits_for.and(Some(*seat));
            }
            Event::TransformDone {
                seat,
                space,
                replaced,
                vp,
            } => {
                self.gain(*seat, Goods::vp(*vp));
                self.view.residences_built += 1;
                if replaced.kind() == Kind::Neutral {
                    self.view.removed_neutral.push(*replaced);
                } else {
                    let pile = self.pile(*replaced);
                    pile.push(*replaced);
                    pile.sort_unstable();
                }
                self.erect(Tile::Residence, *space, *seat);
            }
            _ => {}
        }
    }

    fn pile(&mut self, tile: Tile) -> &mut Vec<Tile> {
        let supply = &mut self.view.supply;
        match tile.kind() {
            Kind::Stone => &mut supply.stone,
            Kind::Prestige => &mut supply.prestige,
            _ => &mut supply.wood,
        }
    }

    fn erect(&mut self, tile: Tile, space: Space, seat: Seat) {
        *self.space(space) = SpaceView {
            tile: Some(tile),
            owner: Some(seat),
            ..empty(space)
        };
    }

    fn read_castle(&mut self, event: &Event) {
        match event {
            Event::CastleBatch {
                seat,
                section,
                paid,
                vp,
            } => {
                self.pay(*seat, Goods::cubes(*paid));
                self.gain(*seat, Goods::vp(*vp));
                let castle = &mut self.view.castle;
                castle.batches_this_turn[seat.index()] += 1;
                castle.sections[section.index()].parts[seat.index()] += 1;
            }
            Event::CastlePenalty { seat, vp } | Event::SectionPenalty { seat, vp, .. } => {
                self.player(*seat).vp -= vp;
            }
            Event::SectionScored { section } => {
                let castle = &mut self.view.castle;
                castle.sections[section.index()].scored = true;
                let mut open = castle.sections.iter().filter(|section| !section.scored);
                castle.current_section = open.next().map(|open| open.section);
                let scored = castle.sections.iter().filter(|section| section.scored);
                let scored = u8::try_from(scored.count()).unwrap_or_default();
                self.view.columns_available = columns_available(scored);
            }
            _ => {}
        }
    }
}
