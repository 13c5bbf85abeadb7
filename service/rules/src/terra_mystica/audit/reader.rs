//! A **reader** of events: the table as the comments of the events tell it.

use enumset::EnumSet;

use crate::conformance::EventReader;
use crate::table::{PendingList, Seat, Viewer};
use crate::terra_mystica::TerraMystica;
use crate::terra_mystica::data::{
    BRIDGE_SITES, BRIDGES, BonusCard, CULT_TOP, Cult, Faction, FavorTile, Goods, Land, PRIESTS,
    PriestSlot, START_VP, ScoringTile, SpecialAction, Structure, TownTile,
};
use crate::terra_mystica::event::Event;
use crate::terra_mystica::options::{HouseRules, Options};
use crate::terra_mystica::stage::Phase;
use crate::terra_mystica::view::{
    BoardView, BridgeView, PlayerView, PoolView, SpaceView, TownView, View,
};

#[derive(Clone)]
pub struct Reader {
    view: View,
    used: Vec<EnumSet<SpecialAction>>,
}

impl EventReader<TerraMystica> for Reader {
    fn new(options: &Options, _viewer: Viewer) -> Self {
        let seats = usize::from(options.seats);
        let space = |space: Land| SpaceView {
            space,
            terrain: space.printed(),
            owner: None,
            structure: None,
        };
        let player = |seat| PlayerView {
            seat,
            color: None,
            board: None,
        };
        let towns = TownTile::ALL.into_iter();
        let towns = towns.filter(|&tile| options.rules.has_town_tile(tile));
        Self {
            used: vec![EnumSet::empty(); seats],
            view: View {
                rules: options.rules,
                round: 0,
                phase: Phase::Setup,
                pending: PendingList::default(),
                first_player: Seat::FIRST,
                next_first_player: None,
                turn_order: Vec::new(),
                passed_order: Vec::new(),
                turn: None,
                power_offers: Vec::new(),
                follow_ups: Vec::new(),
                cult_spades: Vec::new(),
                spaces: Land::all().map(space).collect(),
                bridges: Vec::new(),
                towns: Vec::new(),
                priests: [[None; 4]; 4],
                used_power_actions: Vec::new(),
                scoring_tiles: [ScoringTile::ALL[0]; 6],
                unused_scoring_tiles: Vec::new(),
                bonus_pool: Vec::new(),
                unused_bonus_cards: Vec::new(),
                favor_pool: FavorTile::ALL.map(|tile| (tile, tile.copies())).to_vec(),
                town_pool: towns.map(|tile| (tile, tile.copies())).collect(),
                players: Seat::all(seats).map(player).collect(),
            },
        }
    }

    fn read(&mut self, event: &Event) {
        self.read_set_up(event);
        self.read_round(event);
        self.read_goods(event);
        self.read_power(event);
        self.read_tracks(event);
        self.read_map(event);
        self.read_tiles(event);
    }

    fn view(&self, actual: &View) -> View {
        let mut view = View {
            phase: actual.phase,
            ..self.view.clone()
        };
        let players = view.players.iter_mut().zip(&actual.players);
        for ((player, actual), used) in players.zip(&self.used) {
            if let (Some(board), Some(actual)) = (&mut player.board, &actual.board) {
                board.used_special = used.iter().collect();
                // Both follow from the map: the rules measure them.
                board.largest_area = actual.largest_area;
                board.leap_range = actual.leap_range;
            }
        }
        view
    }
}

/// A new faction board with what is printed on it.
fn board(faction: Faction) -> BoardView {
    let sheet = faction.sheet();
    BoardView {
        faction,
        vp: START_VP,
        coins: sheet.start.coins,
        workers: sheet.start.workers,
        priests: sheet.start.priests,
        priest_supply: PRIESTS - sheet.start.priests,
        power_bowls: sheet.bowls,
        cults: sheet.cults,
        shipping: sheet.shipping.map(|track| track.start),
        terraforming_level: 0,
        leap_range: None,
        bonus_card: None,
        favor_tiles: Vec::new(),
        keys: 0,
        bridges_left: BRIDGES,
        structures_left: Structure::ALL.map(Structure::stock),
        largest_area: 0,
        used_special: Vec::new(),
        passed: false,
    }
}

fn others<T: Copy + PartialEq>(
    all: &[T],
    rules: HouseRules,
    has: impl Fn(HouseRules, T) -> bool,
    taken: &[T],
) -> Vec<T> {
    let others = all.iter().copied();
    others
        .filter(|one| has(rules, *one) && !taken.contains(one))
        .collect()
}

impl Reader {
    fn change(&mut self, seat: Seat, change: impl FnOnce(&mut BoardView)) {
        if let Some(board) = &mut self.view.players[seat.index()].board {
            change(board);
        }
    }

    fn read_set_up(&mut self, event: &Event) {
        let view = &mut self.view;
        match event {
            Event::TableSet {
                first_player,
                scoring_tiles,
                bonus_cards,
                colors,
            } => {
                view.first_player = *first_player;
                view.turn_order = first_player.clockwise(view.players.len()).collect();
                view.scoring_tiles = *scoring_tiles;
                let has_tile = |rules: HouseRules, tile: ScoringTile| rules.has_scoring_tile(tile);
                view.unused_scoring_tiles =
                    others(&ScoringTile::ALL, view.rules, has_tile, scoring_tiles);
                let has_card = |rules: HouseRules, card: BonusCard| rules.has_card(card);
                view.unused_bonus_cards =
                    others(&BonusCard::ALL, view.rules, has_card, bonus_cards);
                let cards = bonus_cards.iter();
                view.bonus_pool = cards.map(|&card| PoolView { card, coins: 0 }).collect();
                for (player, color) in view.players.iter_mut().zip(colors) {
                    player.color = Some(*color);
                }
            }
            Event::FactionChosen { seat, faction } => {
                view.players[seat.index()].board = Some(board(*faction));
                if view.players.iter().all(|player| player.board.is_some()) {
                    let players = view.players.iter_mut();
                    players.for_each(|player| player.color = None);
                }
            }
            _ => {}
        }
    }

    fn read_round(&mut self, event: &Event) {
        match event {
            Event::RoundBegan { round, turn_order } => {
                let view = &mut self.view;
                view.round = *round;
                view.turn_order = turn_order.to_vec();
                view.first_player = turn_order[0];
                view.next_first_player = None;
                view.passed_order.clear();
                view.used_power_actions.clear();
                self.used.fill(EnumSet::empty());
                for seat in turn_order {
                    self.change(*seat, |board| board.passed = false);
                }
            }
            Event::Passed { seat } => {
                self.view.next_first_player.get_or_insert(*seat);
                self.view.passed_order.push(*seat);
                self.change(*seat, |board| board.passed = true);
            }
            Event::CoinsLaid { cards } => {
                let pool = self.view.bonus_pool.iter_mut();
                let laid = pool.filter(|pooled| cards.contains(&pooled.card));
                laid.for_each(|pooled| pooled.coins += 1);
            }
            Event::BonusCardTaken { seat, card, .. } => {
                self.view.bonus_pool.retain(|pooled| pooled.card != *card);
                self.change(*seat, |board| board.bonus_card = Some(*card));
            }
            Event::BonusCardReturned { seat, card } => {
                self.view.bonus_pool.push(PoolView {
                    card: *card,
                    coins: 0,
                });
                // The next card may have been taken before.
                self.change(*seat, |board| {
                    board.bonus_card = board.bonus_card.filter(|held| held != card);
                });
            }
            _ => {}
        }
    }

    fn read_goods(&mut self, event: &Event) {
        match event {
            Event::Received { seat, goods, .. } => {
                self.gain(*seat, *goods);
                self.change(*seat, |board| move_power(board, goods.power));
            }
            Event::Paid { seat, goods, .. } => self.pay(*seat, *goods),
            Event::VpScored { seat, vp, .. } => self.change(*seat, |board| {
                board.vp = u16::try_from(i32::from(board.vp) + vp).unwrap_or_default();
            }),
            Event::Converted { seat, kind, times } => {
                let (gone, come) = kind.goods();
                self.pay(*seat, gone.times(*times));
                self.gain(*seat, come.times(*times));
                let (lost, won) = kind.vp();
                self.change(*seat, |board| {
                    board.vp = board.vp - lost * times + won * times;
                });
                self.spend_power(*seat, u16::from(kind.power()) * times);
            }
            Event::PriestsOrdained { seat, count } => {
                self.pay(*seat, Goods::workers(*count));
                self.gain(*seat, Goods::priests(*count));
            }
            _ => {}
        }
    }

    /// Adds coins, workers and priests.
    fn gain(&mut self, seat: Seat, goods: Goods) {
        self.change(seat, |board| {
            board.coins += goods.coins;
            board.workers += goods.workers;
            board.priests += goods.priests;
            board.priest_supply -= goods.priests;
        });
    }

    /// Subtracts coins, workers and priests.
    fn pay(&mut self, seat: Seat, goods: Goods) {
        self.change(seat, |board| {
            board.coins -= goods.coins;
            board.workers -= goods.workers;
            board.priests -= goods.priests;
            board.priest_supply += goods.priests;
        });
    }

    /// Moves tokens from bowl III to bowl I.
    fn spend_power(&mut self, seat: Seat, power: u16) {
        let power = u8::try_from(power).unwrap_or_default();
        self.change(seat, |board| {
            board.power_bowls[2] -= power;
            board.power_bowls[0] += power;
        });
    }

    fn read_power(&mut self, event: &Event) {
        match event {
            Event::PowerAccepted { seat, power } => {
                self.change(*seat, |board| move_power(board, u16::from(*power)));
            }
            Event::PowerSacrificed { seat, tokens } => self.change(*seat, |board| {
                board.power_bowls[1] -= 2 * tokens;
                board.power_bowls[2] += tokens;
            }),
            Event::PowerActionTaken { seat, action } => {
                self.spend_power(*seat, u16::from(action.power()));
                self.view.used_power_actions.push(*action);
                self.view.used_power_actions.sort_unstable();
            }
            Event::SpecialActionTaken { seat, action } => {
                self.used[seat.index()].insert(*action);
            }
            _ => {}
        }
    }

    fn read_tracks(&mut self, event: &Event) {
        match event {
            Event::CultAdvanced {
                seat,
                cult,
                to_level,
                ..
            } => self.change(*seat, |board| {
                board.cults[cult.index()] = *to_level;
                board.keys -= u8::from(*to_level == CULT_TOP);
            }),
            Event::PriestPlaced { seat, cult, slot } => {
                self.pay(*seat, Goods::priests(1));
                self.put_priest(*seat, *cult, *slot);
            }
            Event::ShippingAdvanced { seat, level } => {
                self.change(*seat, |board| board.shipping = Some(*level));
            }
            Event::TerraformingAdvanced { seat, level } => {
                self.change(*seat, |board| board.terraforming_level = *level);
            }
            _ => {}
        }
    }

    /// A priest on the cult board is neither in hand nor in the supply.
    fn put_priest(&mut self, seat: Seat, cult: Cult, slot: PriestSlot) {
        let [three, twos @ ..] = &mut self.view.priests[cult.index()];
        let place = match slot {
            PriestSlot::Three => Some(three),
            PriestSlot::Two => twos.iter_mut().find(|place| place.is_none()),
            PriestSlot::Supply => None,
        };
        if let Some(place) = place {
            *place = Some(seat);
            self.change(seat, |board| board.priest_supply -= 1);
        }
    }

    fn read_map(&mut self, event: &Event) {
        match event {
            Event::TerrainTransformed {
                space, to_terrain, ..
            } => self.space(*space).terrain = *to_terrain,
            Event::DwellingPlaced { seat, space } | Event::StructureBuilt { seat, space } => {
                self.build(*seat, *space, Structure::Dwelling);
            }
            Event::StructureUpgraded {
                seat,
                space,
                from_structure,
                to_structure,
            } => {
                self.build(*seat, *space, *to_structure);
                self.change(*seat, |board| {
                    board.structures_left[from_structure.index()] += 1;
                });
            }
            Event::BridgeBuilt { seat, a, b } => {
                self.view.bridges.push(BridgeView {
                    a: *a,
                    b: *b,
                    seat: *seat,
                });
                let place = |bridge: &BridgeView| {
                    let sites = BRIDGE_SITES.iter();
                    let mut sites = sites.map(|site| (site.a, site.b));
                    sites.position(|ends| ends == (bridge.a, bridge.b))
                };
                self.view.bridges.sort_by_key(place);
                self.change(*seat, |board| board.bridges_left -= 1);
            }
            Event::TownFounded {
                seat,
                spaces,
                river,
            } => {
                self.view.towns.push(TownView {
                    seat: *seat,
                    tile: None,
                    spaces: spaces.iter().collect(),
                    river: *river,
                });
                self.change(*seat, |board| board.keys += 1);
            }
            Event::TownExtended { town, spaces, .. } => {
                let towns = self.view.towns.iter_mut();
                for grown in towns.filter(|grown| grown.spaces.contains(town)) {
                    grown.spaces.extend(spaces.iter());
                    grown.spaces.sort_unstable();
                }
            }
            _ => {}
        }
    }

    fn space(&mut self, space: Land) -> &mut SpaceView {
        &mut self.view.spaces[space.index()]
    }

    fn build(&mut self, seat: Seat, space: Land, structure: Structure) {
        let built = self.space(space);
        (built.owner, built.structure) = (Some(seat), Some(structure));
        self.change(seat, |board| board.structures_left[structure.index()] -= 1);
    }

    fn read_tiles(&mut self, event: &Event) {
        match event {
            Event::FavorTileTaken { seat, tile } => {
                let pool = self.view.favor_pool.iter_mut();
                for (_, left) in pool.filter(|(pooled, _)| pooled == tile) {
                    *left -= 1;
                }
                self.change(*seat, |board| {
                    board.favor_tiles.push(*tile);
                    board.favor_tiles.sort_unstable();
                });
            }
            Event::TownTileTaken { seat, tile } => {
                let pool = self.view.town_pool.iter_mut();
                for (_, left) in pool.filter(|(pooled, _)| pooled == tile) {
                    *left -= 1;
                }
                let mut towns = self.view.towns.iter_mut();
                if let Some(town) = towns.find(|town| town.seat == *seat && town.tile.is_none()) {
                    town.tile = Some(*tile);
                }
                let key = u8::from(*tile == TownTile::Tw6);
                self.change(*seat, |board| board.keys += key);
            }
            _ => {}
        }
    }
}

/// Moves tokens from bowl I to bowl II, then from bowl II to bowl III.
fn move_power(board: &mut BoardView, power: u16) {
    let [first, second, third] = &mut board.power_bowls;
    for _ in 0..power {
        if *first > 0 {
            (*first, *second) = (*first - 1, *second + 1);
        } else {
            (*second, *third) = (*second - 1, *third + 1);
        }
    }
}
