//! Tables that somebody describes: written by hand, with what is legal and refused there, and changed at random (CAY-15).

use gamekeeper_rules::caylus::action::{Action, Target};
use gamekeeper_rules::caylus::data::{Cubes, FavorLine, Resource, Special, Tile};
use gamekeeper_rules::caylus::{Caylus, Decision, Options, PendingFavors, Phase, View};
use gamekeeper_rules::conformance::{
    DescribedTable, TestDescription, assert_changed_tables_are_judged,
};
use gamekeeper_rules::table::Seat;

use crate::changes::change;
use crate::table::{
    BASE_ROAD, BLACK, BLUE, GREEN, ORANGE, RED, Table, TestPlay as _, batch, bonus, favor,
    favor_with, on, place, place_on, produce, provost, send, space, tile, transform,
};

gamekeeper_rules::test_type! { Described: DescribedTable<Caylus> }

impl Described {
    /// The first placement of a plain game: seat 1 is first, and everybody has 10 deniers and no cubes.
    fn of(players: u8) -> Self {
        let options = Options::plain(players);
        let mut described = Self(DescribedTable::of_state(&Table::of(players).state, options));
        for player in &mut described.view.players {
            (player.deniers, player.cubes) = (10, Cubes::NONE);
        }
        described
    }

    /// The phase after everybody has passed in turn order, with its cursor.
    fn passed(players: u8, phase: Phase, cursor: u8) -> Self {
        Self::of(players).with(|view| {
            view.pass_order = view.turn_order.clone();
            (view.phase, view.cursor) = (phase, cursor);
        })
    }

    fn has(self, seat: Seat, deniers: u16, cubes: &[(u16, Resource)]) -> Self {
        self.with(|view| {
            let player = &mut view.players[seat.index()];
            player.deniers = deniers;
            let cubes = cubes.iter();
            player.cubes = cubes.fold(Cubes::NONE, |sum, &(count, kind)| sum.and(count, kind));
        })
    }

    fn built(self, number: usize, tile: Tile, owner: Seat) -> Self {
        self.with(|view| {
            let lot = &mut view.road[number - 1];
            (lot.tile, lot.owner) = (Some(tile), Some(owner));
        })
    }

    fn worker(self, number: usize, seat: Seat) -> Self {
        self.with(|view| view.road[number - 1].worker = Some(seat))
    }

    fn favors(self, seat: Seat, count: u8) -> Self {
        self.with(|view| view.pending_favors = Some(PendingFavors { seat, count }))
    }

    /// The turn and the space of the bailiff, where the provost is too, with the first sections scored.
    fn later(self, turn: u8, bailiff: u8, scored: usize) -> Self {
        self.with(|view| {
            view.turn = turn;
            (view.bailiff, view.provost) = (space(bailiff), space(bailiff));
            for section in &mut view.castle.sections[..scored] {
                section.scored = true;
            }
        })
    }

    #[track_caller]
    fn begins(&self, seat: Seat, decision: Decision) -> Table {
        let table: Table = self.made().into();
        assert_eq!(table.pending(), Some((seat, decision)));
        table
    }
}

/// Four have passed: the last one pays 5, and 1 in a building of their own (AC-42).
#[test]
fn the_last_of_five_places_a_worker() {
    let described = Described::of(5)
        .built(9, Tile::Mason, BLACK)
        .has(BLACK, 4, &[])
        .with(|view| {
            view.pass_order = [BLUE, RED, GREEN, ORANGE].into_iter().collect();
            view.placement_cursor = 4;
        });
    let mut table = described.begins(BLACK, Decision::PlaceWorker);
    table.refuses(BLACK, place_on(1), "CANNOT_AFFORD");
    table.play(BLACK, place_on(9));
    assert_eq!(table.deniers(BLACK), 3);
}

/// A worker at the gate goes on to the joust field, where its seat then jousts (CAY-10.18).
#[test]
fn a_worker_at_the_gate_goes_on() {
    let described = Described::passed(3, Phase::Special, 0)
        .has(GREEN, 1, &[(1, Resource::Cloth)])
        .with(|view| {
            view.special.gate = Some(GREEN);
            view.castle.queue.push(GREEN);
            view.special.stables = vec![BLUE];
        });
    let mut table = described.begins(GREEN, Decision::GateRelocate);
    table.refuses(GREEN, send(Target::Castle), "ALREADY_IN_CASTLE");
    table.play(GREEN, send(Target::Special(Special::JoustField)));
    assert_eq!(table.pending(), Some((GREEN, Decision::Joust)));
}

/// A favor of the joust field: three lines are used, so that only one is left.
#[test]
fn a_favor_has_one_line_left() {
    let used = [
        FavorLine::Prestige,
        FavorLine::Deniers,
        FavorLine::Resources,
    ];
    let described = Described::passed(2, Phase::Special, 0)
        .favors(RED, 2)
        .with(|view| view.players[RED.index()].favor_lines_used = used.to_vec());
    let mut table = described.begins(RED, Decision::TakeFavor);
    assert_eq!(table.legal(), [favor(FavorLine::Buildings, 0)]);
    table.refuses(RED, favor(FavorLine::Deniers, 1), "FAVOR_LINE_USED");
    table.play(RED, favor(FavorLine::Buildings, 0));
    assert_eq!(table.state.phase, Phase::Provost);
}

/// The provost is near the end of the road (AC-47).
#[test]
fn the_provost_stops_at_the_end_of_the_road() {
    let described = Described::passed(2, Phase::Provost, 0)
        .has(BLUE, 2, &[])
        .with(|view| view.provost = space(27));
    let mut table = described.begins(BLUE, Decision::BribeProvost);
    table.refuses(BLUE, provost(2), "PROVOST_OUT_OF_RANGE");
    table.refuses(BLUE, provost(-3), "CANNOT_AFFORD");
    table.play(BLUE, provost(1));
    assert_eq!(table.deniers(BLUE), 1);
}

/// All 28 spaces are built: whoever is on the carpenter can only decline (AC-87).
#[test]
fn nobody_builds_on_a_full_road() {
    let free = [9, 10, 11, 12, 13, 14, 15].into_iter().chain(17..=28);
    let described = free.fold(
        Described::passed(2, Phase::Activation, 8),
        |road, number| road.built(number, Tile::Residence, RED),
    );
    let described = described
        .has(BLUE, 0, &[(3, Resource::Wood), (3, Resource::Food)])
        .worker(8, BLUE)
        .with(|view| view.provost = space(8));
    let table = described.begins(BLUE, Decision::UseBuilding { space: space(8) });
    assert_eq!(table.legal(), [Action::Decline]);
    assert_eq!(table.state.residences_built, 19);
}

/// A transformation waits for the worker in the building: nobody can order another one there (AC-58, AC-61).
#[test]
fn a_transformation_waits_for_a_worker() {
    let described = Described::passed(2, Phase::Activation, 9)
        .built(9, Tile::Lawyer, BLUE)
        .built(10, Tile::Mason, BLUE)
        .has(BLUE, 1, &[(1, Resource::Cloth)])
        .worker(9, BLUE)
        .worker(10, RED)
        .with(|view| {
            view.provost = space(10);
            view.road[9].pending_transform = Some(BLUE);
        });
    let mut table = described.begins(BLUE, Decision::UseBuilding { space: space(9) });
    table.refuses(BLUE, transform(10), "TARGET_ALREADY_PENDING");
    table.play(BLUE, transform(1));
    assert_eq!(table.standing(10), (Some(Tile::Residence), Some(BLUE)));
    assert_eq!(table.vp(BLUE), 4);
}

/// The owner of a stone farm takes a cube for the worker of another player (AC-49).
#[test]
fn an_owner_takes_a_cube() {
    let described = Described::passed(2, Phase::Activation, 9)
        .built(9, Tile::StoneFarm, RED)
        .worker(9, BLUE)
        .with(|view| view.provost = space(9));
    let mut table = described.begins(RED, Decision::OwnerBonus { space: space(9) });
    table.refuses(RED, bonus(Resource::Wood), "INVALID_RESOURCE");
    table.play(RED, bonus(Resource::Cloth));
    assert_eq!(table.count(RED, Resource::Cloth), 1);
}

/// A favor of the church, which the mason has just built, builds in turn; then the worker goes home.
#[test]
fn a_favor_of_the_church_builds() {
    let described = Described::passed(3, Phase::Activation, 9)
        .built(9, Tile::Mason, RED)
        .built(10, Tile::Church, BLUE)
        .has(BLUE, 0, &[(1, Resource::Food)])
        .worker(9, BLUE)
        .favors(BLUE, 1)
        .with(|view| {
            view.provost = space(9);
            view.players[BLUE.index()].favor_markers = [0, 0, 0, 1];
        });
    let mut table = described.begins(BLUE, Decision::TakeFavor);
    table.play(
        BLUE,
        favor_with(FavorLine::Buildings, 2, tile(Tile::WoodQuarry)),
    );
    assert_eq!(table.standing(11), (Some(Tile::WoodQuarry), Some(BLUE)));
    assert_eq!(table.state.players[BLUE].workers, 6);
}

/// The second builder overflows the Dungeon, and wins the favor for the most batches (AC-13).
#[test]
fn a_builder_fills_the_dungeon() {
    let cubes = [
        (2, Resource::Food),
        (2, Resource::Stone),
        (2, Resource::Wood),
    ];
    let described = Described::passed(3, Phase::Castle, 1)
        .has(GREEN, 0, &cubes)
        .with(|view| {
            view.castle.queue = [RED, GREEN].into_iter().collect();
            view.castle.batches_this_turn = vec![0, 1, 0];
            view.castle.sections[0].parts = vec![2, 1, 2];
        });
    let mut table = described.begins(GREEN, Decision::CastleBuild);
    table.play(GREEN, batch(Resource::Wood, Resource::Stone));
    table.play(GREEN, batch(Resource::Wood, Resource::Stone));
    assert_eq!(
        (table.vp(GREEN), table.pending()),
        (9, Some((GREEN, Decision::TakeFavor)))
    );
    table.refuses(GREEN, favor(FavorLine::Prestige, 3), "FAVOR_COLUMN_LOCKED");
}

/// A castle in which no section has room any more: whoever is in it only finishes (AC-71).
#[test]
fn a_full_castle_waits_for_the_end_of_the_turn() {
    let described = Described::passed(2, Phase::Castle, 0)
        .later(13, 18, 2)
        .with(|view| {
            view.castle.queue = [BLUE, RED].into_iter().collect();
            view.castle.sections[2].parts = vec![13, 1];
            view.castle.batches_this_turn = vec![1, 0];
        });
    let mut table = described.begins(BLUE, Decision::CastleBuild);
    assert_eq!(table.legal(), [Action::FinishCastle]);
    table.play(BLUE, &Action::FinishCastle);
    assert_eq!(
        (table.pending(), table.vp(RED)),
        (Some((BLUE, Decision::TakeFavor)), 0)
    );
}

/// The last favors of the last section: then the game is over (CAY-8.1).
#[test]
fn the_last_favor_ends_the_game() {
    let described = Described::passed(2, Phase::EndOfTurn, 0)
        .later(17, 24, 2)
        .favors(RED, 1)
        .with(|view| view.castle.sections[2].parts = vec![0, 3]);
    let mut table = described.begins(RED, Decision::TakeFavor);
    table.play(RED, favor(FavorLine::Deniers, 1));
    assert!(table.state.is_over());
}

/// The favor of a transformation in phase 7 is carried out at once (AC-95).
#[test]
fn a_section_gives_a_transformation() {
    let described = Described::passed(2, Phase::EndOfTurn, 0)
        .later(7, 13, 1)
        .built(9, Tile::WoodSawmill, BLUE)
        .has(BLUE, 0, &[(1, Resource::Cloth)])
        .favors(BLUE, 1)
        .with(|view| {
            view.castle.sections[1].parts = vec![5, 5];
            view.players[BLUE.index()].favor_markers = [0, 0, 0, 4];
        });
    let mut table = described.begins(BLUE, Decision::TakeFavor);
    table.play(BLUE, favor_with(FavorLine::Buildings, 4, on(9)));
    assert_eq!(table.standing(9), (Some(Tile::Residence), Some(BLUE)));
    assert_eq!(table.state.supply.count(Tile::WoodSawmill), 1);
}

/// Fields that follow from the rest are not read (CAY-15.9), nor are decisions.
#[test]
fn what_follows_may_be_left_out() {
    let described = Described::passed(3, Phase::Special, 5).with(|view| {
        view.special.inn_right = Some(RED);
        view.castle.batches_this_turn.clear();
        view.supply.wood.clear();
        view.players[RED.index()].workers_available = 0;
        view.pending.clear();
    });
    let mut table = described.begins(RED, Decision::InnStay);
    assert_eq!(table.state.supply.count(Tile::Mason), 1);
    table.play(RED, &Action::InnChoice { stay: false });
    assert_eq!(table.state.players[RED].workers, 6);
}

/// Neutral tiles lie where the options put them (CAY-15.1).
#[test]
fn options_hold_on_described_tables() {
    let mut described = Described::of(2);
    described.options.neutral_order = Some(BASE_ROAD);
    let swapped = |view: &mut View| {
        (view.road[0].tile, view.road[1].tile) = (view.road[1].tile, view.road[0].tile);
    };
    described.broken_by(swapped, "CAY-15.1", "road[0].tile");
    described.options.neutral_order = None;
    let mut described = described.with(swapped);
    assert!(described.judged().is_ok());
    described.options.turn_order = Some([RED, BLUE].into_iter().collect());
    described.breaks("CAY-15.1", "turn_order");
}

#[test]
fn broken_lists_and_amounts_are_refused() {
    let plain = || Described::of(3);
    plain().broken_by(|view| view.phase = Phase::Over, "CAY-8.4", "phase");
    plain().broken_by(|view| view.phase = Phase::Income, "CAY-15.8", "phase");
    plain().broken_by(|view| drop(view.players.pop()), "CAY-15.2", "players");
    plain().broken_by(|view| view.road.swap(2, 3), "CAY-15.2", "road[2]");
    let path = "castle.sections[1].parts";
    plain().broken_by(
        |view| view.castle.sections[1].parts.push(0),
        "CAY-15.2",
        path,
    );
    plain()
        .worker(4, ORANGE)
        .breaks("CAY-15.2", "road[3].worker");
    plain()
        .with(|view| view.special.stables = vec![RED; 4])
        .breaks("CAY-11.4", "special.stables");
    plain().broken_by(|view| view.turn_order[0] = RED, "CAY-11.14", "turn_order");
    plain()
        .has(RED, 5_001, &[])
        .breaks("CAY-15.3", "players[1].deniers");
    let gold = [(5_001, Resource::Gold)];
    plain()
        .has(RED, 0, &gold)
        .breaks("CAY-15.3", "players[1].cubes.gold");
    assert!(
        plain()
            .has(RED, 5_000, &[(5_000, Resource::Gold)])
            .judged()
            .is_ok()
    );
    let path = "players[0].favor_markers[2]";
    plain().broken_by(
        |view| view.players[0].favor_markers[2] = 3,
        "CAY-11.11",
        path,
    );
}

#[test]
fn broken_roads_and_castles_are_refused() {
    let plain = || Described::of(3);
    plain()
        .built(10, Tile::Mason, RED)
        .breaks("CAY-11.9", "road[9].tile");
    plain()
        .built(8, Tile::Mason, RED)
        .breaks("CAY-11.8", "road[7].tile");
    plain()
        .built(6, Tile::Mason, RED)
        .breaks("CAY-15.6", "road[5].tile");
    let twice = plain()
        .built(9, Tile::Mason, RED)
        .built(10, Tile::Mason, RED);
    twice.breaks("CAY-11.7", "road[9].tile");
    plain()
        .built(6, Tile::Residence, RED)
        .breaks("CAY-11.7", "removed_neutral");
    plain().broken_by(
        |view| view.road[3].owner = Some(RED),
        "CAY-11.10",
        "road[3].owner",
    );
    plain().worker(9, RED).breaks("CAY-11.5", "road[8].worker");
    plain().broken_by(
        |view| view.castle.sections[1].scored = true,
        "CAY-11.18",
        "castle.sections[1].scored",
    );
    plain().broken_by(
        |view| view.castle.sections[1].parts[0] = 1,
        "CAY-11.6",
        "castle.sections[1].parts",
    );
    plain().broken_by(
        |view| view.castle.sections[0].parts = vec![6, 0, 0],
        "CAY-15.5",
        "castle.sections[0].scored",
    );
    plain()
        .later(4, 12, 0)
        .breaks("CAY-15.4", "castle.sections[0].scored");
    plain()
        .later(4, 12, 3)
        .breaks("CAY-15.4", "castle.sections[2].scored");
    plain().later(3, 12, 1).breaks("CAY-15.4", "turn");
    plain().broken_by(|view| view.provost = space(7), "CAY-11.13", "provost");
}

#[test]
fn broken_phases_are_refused() {
    let special = |cursor| Described::passed(3, Phase::Special, cursor);
    special(1).breaks("CAY-15.8", "cursor");
    special(2).breaks("CAY-15.8", "cursor");
    special(3)
        .with(|view| view.special.gate = Some(RED))
        .breaks("CAY-15.7", "special.gate");
    let inn = special(5).with(|view| view.special.inn_right = Some(RED));
    inn.with(|view| view.special.inn_left = Some(RED))
        .breaks("CAY-15.7", "special.inn_left");
    Described::of(3)
        .favors(RED, 1)
        .breaks("CAY-15.8", "pending_favors");
    special(3)
        .favors(RED, 5)
        .breaks("CAY-15.8", "pending_favors.count");
    let road = |cursor| Described::passed(3, Phase::Activation, cursor).worker(3, RED);
    assert!(road(3).judged().is_ok());
    road(2).breaks("CAY-15.8", "cursor");
    road(4).breaks("CAY-15.7", "road[2].worker");
    road(3).favors(RED, 1).breaks("CAY-15.8", "cursor");
    let transform = |seat| move |view: &mut View| view.road[2].pending_transform = Some(seat);
    assert!(road(3).with(transform(BLUE)).judged().is_ok());
    let mason = || road(3).built(9, Tile::Mason, GREEN).worker(9, RED);
    let waits = mason().with(|view| view.road[8].pending_transform = Some(BLUE));
    waits.breaks("CAY-11.15", "road[8].pending_transform");
    let castle = |cursor| {
        Described::passed(3, Phase::Castle, cursor).with(|view| {
            view.castle.queue = [RED, GREEN].into_iter().collect();
            view.castle.sections[0].parts = vec![0, 1, 1];
        })
    };
    let path = "castle.batches_this_turn[2]";
    castle(0)
        .with(|view| view.castle.batches_this_turn[2] = 1)
        .breaks("CAY-15.5", path);
    castle(1)
        .with(|view| view.castle.batches_this_turn[2] = 2)
        .breaks("CAY-15.5", path);
    castle(2).breaks("CAY-15.8", "cursor");
    castle(1)
        .favors(RED, 1)
        .breaks("CAY-6.8.7", "castle.batches_this_turn");
    let won = castle(1).with(|view| view.castle.batches_this_turn = vec![0, 1, 1]);
    won.favors(GREEN, 1)
        .breaks("CAY-15.8", "pending_favors.seat");
    let end = || Described::passed(3, Phase::EndOfTurn, 0).later(1, 7, 0);
    end().breaks("CAY-15.8", "pending_favors");
    end().favors(RED, 1).breaks("CAY-6.9.2", "castle.sections");
    let due = end()
        .favors(RED, 1)
        .with(|view| view.castle.sections[0].parts = vec![5, 1, 0]);
    due.breaks("CAY-6.9.4", "castle.sections[0].parts[1]");
}

/// A table begins like any other: production without a choice is carried out with the action before it.
#[test]
fn play_goes_on_from_a_described_table() {
    let described = Described::passed(2, Phase::Activation, 5)
        .worker(5, RED)
        .worker(6, BLUE);
    let mut table = described.begins(RED, Decision::UseBuilding { space: space(5) });
    table.play(RED, produce(1));
    assert!(table.forced(BLUE, produce(0)));
    assert_eq!(table.pending(), Some((RED, Decision::PlaceWorker)));
    assert!(table.allows(RED, place(Target::Castle)));
}

/// A game goes on from every table that is accepted.
#[test]
fn changed_tables_are_refused_or_played() {
    assert_changed_tables_are_judged::<Caylus>(400, change);
}
