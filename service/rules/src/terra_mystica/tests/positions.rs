//! Tables that somebody describes: written by hand, with what is legal and refused there, and changed at random (TM-15).

use super::changes::change;
use super::table::*;
use gamekeeper_rules::conformance::{
    DescribedTable, TestDescription, assert_changed_tables_are_judged,
};
use gamekeeper_rules::table::{OptionalParam, Seat};
use gamekeeper_rules::terra_mystica::data::Cult::{Air, Fire};
use gamekeeper_rules::terra_mystica::data::Faction::*;
use gamekeeper_rules::terra_mystica::data::ScoringTile::{
    Score2, Score3, Score4, Score5, Score6, Score7, Score8,
};
use gamekeeper_rules::terra_mystica::data::{
    BonusCard, FavorTile, SpecialAction, Terrain, TownTile,
};
use gamekeeper_rules::terra_mystica::{
    Action, BoardView, Decision, Draft, FollowUp, OfferView, Phase, PoolView, PowerUse, SetupMode,
    SpadesView, TerraMystica, TownView, View,
};

gamekeeper_rules::test_type! { Described: DescribedTable<TerraMystica> }

impl Described {
    /// The tables of the other tests, with six different scoring tiles.
    fn of(table: &Table) -> Self {
        let mut view = table.view(Spectator);
        view.scoring_tiles = [Score2, Score3, Score4, Score5, Score6, Score7];
        let options = options(view.players.len(), &Draft::default()).unwrap();
        Self(DescribedTable::of(view, options))
    }

    /// The set-up, with the dwellings of this table and nobody holding a card.
    fn setup(table: &Table) -> Self {
        Self::of(table).with(|view| {
            (view.phase, view.round, view.turn) = (Phase::Setup, 0, None);
            let boards = view
                .players
                .iter_mut()
                .filter_map(|player| player.board.as_mut());
            let given = boards.filter_map(|board| board.bonus_card.take());
            view.bonus_pool.extend(given.map(pooled));
            for pooled in &mut view.bonus_pool {
                pooled.coins = 0;
            }
        })
    }

    /// Sets the options, which are plain otherwise.
    fn options(mut self, change: impl FnOnce(&mut Draft)) -> Self {
        let mut draft = Draft::default();
        change(&mut draft);
        self.options = options(self.view.players.len(), &draft).unwrap();
        self
    }

    /// A main action is done, and this is still open.
    fn acted(self, open: &[FollowUp]) -> Self {
        self.with(|view| {
            view.turn.as_mut().unwrap().main_action_done = true;
            view.follow_ups = open.to_vec();
        })
    }

    /// Says that the active player has just built here, and that these seats have still to answer.
    fn offers(self, space: &str, seats: &[Seat]) -> Self {
        self.acted(&[]).with(|view| {
            let builder = view.turn.as_ref().unwrap().seat;
            let offer = |&seat: &Seat| OfferView {
                seat,
                builder,
                space: land(space),
                value: 0,
                gainable: 0,
            };
            view.power_offers = seats.iter().map(offer).collect();
        })
    }

    #[track_caller]
    fn begins(&self, seat: Seat, decision: Decision) -> Table {
        let table: Table = self.made().into();
        assert_eq!(table.decision(), Some((seat, decision)));
        table
    }
}

fn pooled(card: BonusCard) -> PoolView {
    PoolView { card, coins: 1 }
}

/// Cultists who have built on F3 between two neighbors.
fn cultists() -> Described {
    let table = Table::of(&[Cultists, Nomads, Witches])
        .at(S1, D, &["E6", "F3"])
        .at(S2, D, &["G2", "A1", "A2"])
        .at(S3, D, &["F4", "A12"]);
    Described::of(&table)
}

/// The first neighbor has accepted: whatever the second one answers, the Cultists step (TM-12.45).
#[test]
fn a_neighbor_of_the_cultists_has_accepted() {
    let described = cultists().offers("F3", &[S3]);
    let waits = |accepted| {
        let turn = move |view: &mut View| view.turn.as_mut().unwrap().power_accepted = accepted;
        cultists()
            .offers("F3", &[S3])
            .with(turn)
            .begins(S3, Decision::PowerDecision)
    };
    let table = waits(true).play(S3, &REFUSE);
    assert_eq!(table.decision(), Some((S1, Decision::FollowUp)));
    table.refuses(S1, &Action::EndTurn, "FOLLOW_UP_PENDING");
    let table = table.play(S1, &Action::ChooseCultStep { cult: Air });
    assert_eq!(table.decision(), Some((S1, Decision::Turn)));
    let bowls = waits(false).p(S1).bowls;
    assert_ne!(waits(false).play(S3, &REFUSE).p(S1).bowls, bowls);
    let both = described.offers("F3", &[S2, S3]);
    both.broken_by(
        |view| view.turn.as_mut().unwrap().power_accepted = true,
        "TM-15.5",
        "turn.power_accepted",
    );
}

/// The Chaos Magicians take the first of two favor tiles, in the middle of their double turn.
#[test]
fn chaos_magicians_take_two_tiles_in_a_double_turn() {
    let table = Table::of(&[ChaosMagicians, Nomads])
        .at(S1, SH, &["E6"])
        .at(S1, TE, &["A1"]);
    let table = table.at(S2, D, &["G2", "H1", "I1"]);
    let described = Described::of(&table).with(|view| {
        view.turn.as_mut().unwrap().extra_actions = 1;
        view.follow_ups = vec![FollowUp::FavorTiles(2)];
        view.players[0].board.as_mut().unwrap().used_special = vec![SpecialAction::ActC];
    });
    let table = described.begins(S1, Decision::FollowUp);
    let table = table.play(S1, &favor_tile(FavorTile::Fav9));
    table.refuses(S1, favor_tile(FavorTile::Fav9), "TILE_ALREADY_OWNED");
    let table = table.play(S1, &favor_tile(FavorTile::Fav12));
    assert_eq!(table.decision(), Some((S1, Decision::Turn)));
    assert!(!table.state.turn.main_action_done);
    let used = |view: &mut View| view.players[0].board.as_mut().unwrap().used_special.clear();
    described.with(used).breaks("TM-6.44", "turn.extra_actions");
}

/// A space was turned into home terrain in the main action: the dwelling may still follow, there only (TM-6.27).
#[test]
fn a_dwelling_follows_late() {
    let table = Table::of(&[Auren, Nomads])
        .at(S1, D, &["F4", "A1"])
        .at(S2, D, &["G2", "H1", "I1"])
        .terrain("F3", Terrain::Forest)
        .goods(S1, 1, 2, 0);
    let described = Described::of(&table).acted(&[]);
    let late_on = |id: &'static str| {
        move |view: &mut View| view.turn.as_mut().unwrap().late_build = vec![land(id)]
    };
    let described = described.with(late_on("F3"));
    let table = described.begins(S1, Decision::Turn);
    table.refuses(S1, late("E6"), "BUILD_SPACE_NOT_TRANSFORMED");
    table.refuses(S1, build("F3"), "MAIN_ACTION_DONE");
    assert_eq!(table.play(S1, &late("F3")).piece("F3"), Some((S1, D)));
    described
        .with(late_on("F4"))
        .breaks("TM-6.27", "turn.late_build[0]");
}

/// A town waits for its tile, and its key is there already (TM-6.51, J22).
#[test]
fn a_town_waits_for_its_tile() {
    let spaces = ["E6", "F3", "F4", "G2"];
    let table = Table::of(&[Darklings, Nomads]).at(S1, TP, &["E6", "F3", "F4"]);
    let table = table.at(S1, D, &["G2"]).at(S2, D, &["A1", "A2", "A3"]);
    let town = |view: &mut View, tile| {
        view.towns = vec![TownView {
            seat: S1,
            tile,
            spaces: spaces.map(land).to_vec(),
            river: None,
        }];
    };
    let described = Described::of(&table)
        .acted(&[])
        .with(|view| town(view, None));
    let table = described.begins(S1, Decision::FollowUp);
    assert_eq!(table.p(S1).keys, 1);
    let table = table.play(S1, &town_tile(TownTile::Tw1, &[]));
    assert_eq!(table.state.towns[0].tile, Some(TownTile::Tw1));
    let optional = described.with(|view| town(view, Some(TownTile::Tw8)));
    optional.breaks("TM-11.5", "towns[0].tile");
    let none = optional.with(|view| view.towns.clear());
    none.breaks("TM-11.10", "towns");
    let small = none.with(|view| town(view, None)).with(|view| {
        view.towns[0].spaces.truncate(3);
    });
    small.breaks("TM-6.50", "towns[0].spaces");
}

/// Two seats use spades of the cult reward, in the turn order of the next round (TM-6.61, TM-6.62).
#[test]
fn two_seats_use_spades_of_a_cult() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, D, &["E6", "A1", "A2"])
        .at(S2, D, &["F4", "A12"])
        .cults(S1, [1, 0, 8, 0])
        .cults(S2, [0, 0, 4, 2]);
    let spades = |seat, spades| SpadesView { seat, spades };
    let described = Described::of(&table).with(|view| {
        (view.phase, view.turn) = (Phase::Cult, None);
        view.scoring_tiles.swap(0, 2);
        view.passed_order = vec![S2, S1];
        view.cult_spades = vec![spades(S2, 1), spades(S1, 2)];
    });
    let table = described.begins(S2, Decision::CultSpades);
    let table = table.play(S2, &cult_spades(&[]));
    assert_eq!(table.decision(), Some((S1, Decision::CultSpades)));
    table.refuses(S1, &Action::EndTurn, "WRONG_DECISION");
    let table = table.play(S1, &cult_spades(&[]));
    assert_eq!((table.state.round, table.state.turn_order[0]), (4, S2));
    let wrong = described.with(|view| view.cult_spades = vec![spades(S1, 2), spades(S2, 1)]);
    wrong.breaks("TM-15.7", "cult_spades");
}

/// The last player passes in the last round: the game is over (TM-8.1).
#[test]
fn the_last_pass_ends_the_game() {
    let table = Table::of(&[Witches, Nomads]).at(S1, D, &["F4", "A12"]);
    let table = table.at(S2, D, &["E6", "A1", "A2"]);
    let described = Described::of(&table).with(|view| {
        view.round = 6;
        view.passed_order = vec![S2];
        let card = view.players[1].board.as_mut().unwrap().bonus_card.take();
        view.bonus_pool.push(pooled(card.unwrap()));
    });
    let table = described.begins(S1, Decision::Turn);
    table.refuses(S1, pass(BonusCard::Bon2), "CARD_NOT_ALLOWED");
    assert_eq!(table.play(S1, &LAST_PASS).decision(), None);
    described.broken_by(
        |view| view.round = 5,
        "TM-11.6",
        "players[1].board.bonus_card",
    );
}

/// All seven priests are on the cult board: a power action brings none (TM-10.7).
#[test]
fn all_priests_are_on_the_cults() {
    let table = Table::of(&[Auren, Nomads])
        .at(S1, D, &["F4", "A1"])
        .at(S2, D, &["G2", "H1", "I1"])
        .goods(S1, 0, 0, 0)
        .bowls(S1, [0, 0, 12])
        .priests_on_cults(S1, 7);
    let described = Described::of(&table);
    let table = described.begins(S1, Decision::Turn);
    assert_eq!(table.play(S1, &power(PowerUse::Priest)).p(S1).priests, 0);
    let board = |view: &mut View| view.players[0].board.as_mut().unwrap().priests = 1;
    let eighth = described.clone().with(board);
    eighth.breaks("TM-11.1", "players[0].board.priests");
    let on_cults = described.with(|view| {
        let mut spaces = view.priests.iter_mut().flatten();
        *spaces.find(|space| space.is_none()).unwrap() = Some(S1);
    });
    on_cults.breaks("TM-11.1", "priests");
}

/// The Halflings use the three spades of their stronghold (TM-6.57).
#[test]
fn halflings_use_the_spades_of_their_stronghold() {
    let table = Table::of(&[Halflings, Nomads])
        .at(S1, SH, &["F4"])
        .at(S1, D, &["A1"]);
    let table = table.at(S2, D, &["G2", "H1", "I1"]).goods(S1, 1, 2, 0);
    let described = Described::of(&table).acted(&[FollowUp::StrongholdSpades]);
    let table = described.begins(S1, Decision::FollowUp);
    let spades = Action::UseStrongholdSpades {
        work: work(&[("F3", Terrain::Plains)], "F3"),
    };
    assert_eq!(table.play(S1, &spades).piece("F3"), Some((S1, D)));
    described
        .acted(&[FollowUp::Ordination])
        .breaks("TM-6.56", "follow_ups");
}

/// Factions are chosen for drawn colors: each seat has two to choose from (TM-5.5).
#[test]
fn a_faction_of_the_drawn_color_is_chosen() {
    let colors = [Terrain::Forest, Terrain::Desert];
    let random = |draft: &mut Draft| {
        draft.setup_mode = OptionalParam::Known(SetupMode::RandomColors);
    };
    let table = Table::of(&[Auren, Engineers]);
    let described = Described::setup(&table).options(random).with(|view| {
        for (player, color) in view.players.iter_mut().zip(colors) {
            player.color = Some(color);
        }
        view.players[1].board = None;
    });
    let table = described.begins(S2, Decision::ChooseFaction);
    let choose = |faction| Action::ChooseFaction {
        faction: Some(faction),
    };
    table.refuses(S2, choose(Halflings), "COLOR_TAKEN");
    let table = table.play(S2, &choose(Nomads));
    assert_eq!(table.decision(), Some((S1, Decision::PlaceDwelling)));
    described.broken_by(|view| view.players[1].color = None, "TM-5.5", "players");
}

/// Both have placed two dwellings: the Nomads place their third one (TM-5.7).
#[test]
fn nomads_place_a_third_dwelling() {
    let table = Table::of(&[Witches, Nomads]).at(S1, D, &["A3", "A10"]);
    let described = Described::setup(&table.at(S2, D, &["A5", "B1"]));
    let table = described.begins(S2, Decision::PlaceDwelling);
    let place = |id| Action::PlaceDwelling { space: space(id) };
    table.refuses(S2, place("A3"), "SPACE_OCCUPIED");
    let table = table.play(S2, &place("B6"));
    assert_eq!(table.decision(), Some((S2, Decision::ChooseBonusCard)));
    described.broken_by(
        |view| view.spaces[76].terrain = Terrain::Forest,
        "TM-15.4",
        "spaces[76].terrain",
    );
}

/// The table agrees with the options (TM-15.1).
#[test]
fn options_hold_on_described_tables() {
    let custom = |draft: &mut Draft| draft.setup_mode = OptionalParam::Known(SetupMode::Custom);
    assert!(cultists().options(custom).judged().is_ok());
    let tiles = [Score2, Score3, Score4, Score5, Score6, Score8].map(Some);
    let described = cultists().options(|draft| {
        custom(draft);
        draft.scoring_tiles = Some(tiles.to_vec());
    });
    described.breaks("TM-15.1", "scoring_tiles[5]");
    let factions = [Auren, Nomads, Engineers].map(Some);
    let described = cultists().options(|draft| {
        custom(draft);
        draft.factions = Some(factions.to_vec());
    });
    described.breaks("TM-15.1", "players[0].board.faction");
}

#[test]
fn broken_goods_are_refused() {
    let board = |change: fn(&mut BoardView)| {
        cultists().with(|view| change(view.players[0].board.as_mut().unwrap()))
    };
    board(|board| board.coins = 5_001).breaks("TM-15.3", "players[0].board.coins");
    assert!(board(|board| board.coins = 5_000).judged().is_ok());
    board(|board| board.power_bowls = [6, 6, 1]).breaks("TM-11.2", "players[0].board.power_bowls");
    board(|board| board.cults[0] = 0).breaks("TM-11.7", "players[0].board.cults.fire");
    board(|board| board.cults[Fire.index()] = 10).breaks("TM-11.7", "players[0].board.keys");
    board(|board| board.shipping = Some(4)).breaks("TM-3.8", "players[0].board.shipping");
    board(|board| board.faction = Auren).breaks("TM-5.5", "players[2].board.faction");
    board(|board| board.used_special = vec![SpecialAction::Fav6])
        .breaks("TM-11.11", "players[0].board.used_special");
    board(|board| board.bonus_card = Some(BonusCard::Bon2)).breaks("TM-11.6", "bonus_pool");
    let favors = cultists().with(|view| {
        for player in &mut view.players {
            player.board.as_mut().unwrap().favor_tiles = vec![FavorTile::Fav1];
        }
    });
    favors.breaks("TM-11.5", "players[1].board.favor_tiles");
}

#[test]
fn broken_maps_and_turns_are_refused() {
    let plain = cultists;
    plain().broken_by(|view| view.phase = Phase::Over, "TM-8.1", "phase");
    plain().broken_by(|view| view.round = 0, "TM-11.15", "round");
    plain().broken_by(|view| view.turn_order.swap(0, 1), "TM-6.63", "turn_order");
    plain().broken_by(|view| view.spaces.swap(0, 1), "TM-15.2", "spaces[0]");
    plain().broken_by(|view| view.passed_order = vec![S1], "TM-6.7", "turn.seat");
    plain().broken_by(
        |view| view.passed_order = vec![S4],
        "TM-15.2",
        "passed_order[0]",
    );
    plain().broken_by(
        |view| view.scoring_tiles[0] = Score7,
        "TM-5.3",
        "scoring_tiles",
    );
    plain().broken_by(
        |view| view.bonus_pool[0].coins = 4,
        "TM-6.63",
        "bonus_pool[0].coins",
    );
    let f3 = land("F3").index();
    let path = format!("spaces[{f3}].terrain");
    plain().broken_by(
        |view| view.spaces[f3].terrain = Terrain::Lakes,
        "TM-11.4",
        &path,
    );
    let path = format!("spaces[{f3}].structure");
    plain().broken_by(|view| view.spaces[f3].structure = None, "TM-15.2", &path);
    let few = plain().with(|view| {
        (view.spaces[f3].structure, view.spaces[f3].owner) = (None, None);
    });
    few.breaks("TM-5.7", "players[0].board.structures_left");
    plain()
        .offers("F3", &[S3, S2])
        .breaks("TM-6.40", "power_offers[1].seat");
    plain()
        .offers("E6", &[S2])
        .breaks("TM-6.40", "power_offers[0].seat");
    plain()
        .offers("A1", &[S3])
        .breaks("TM-6.40", "power_offers[0].space");
    plain().broken_by(|view| view.turn = None, "TM-6.7", "turn");
    let tiles = [FollowUp::FavorTiles(1)];
    plain().acted(&tiles).breaks("TM-6.54", "follow_ups");
    let step = plain().acted(&[FollowUp::CultStep]);
    assert!(step.judged().is_ok());
    let blocked = step.with(|view| view.players[0].board.as_mut().unwrap().cults = [9; 4]);
    blocked.breaks("TM-14.5", "follow_ups");
    let ends = plain()
        .acted(&[])
        .options(|draft| draft.auto_end_turn = true);
    ends.breaks("TM-6.2", "turn.main_action_done");
}

/// A game goes on from every table that is accepted.
#[test]
fn changed_tables_are_refused_or_played() {
    assert_changed_tables_are_judged::<TerraMystica>(60, change);
}
