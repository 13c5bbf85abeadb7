//! TM-5: options, draws, first choices.

use std::collections::BTreeMap;

use super::table::*;
use gamekeeper_rules::conformance::TestTable;
use gamekeeper_rules::ruleset::{Ruleset, create};
use gamekeeper_rules::table::{Chance, Draw, OptionalParam, Refusal as _, Seat, Seed};
use gamekeeper_rules::terra_mystica::data::Faction::*;
use gamekeeper_rules::terra_mystica::data::{BonusCard, Faction, ScoringTile};
use gamekeeper_rules::terra_mystica::{
    Action, Decision, Draft, PromoTiles, SetupMode, TerraMystica,
};

fn made(seats: usize, draft: &Draft, seed: u64) -> (Table, Vec<Draw>) {
    let options = options(seats, draft).unwrap();
    let luck = Chance::from_seed(&Seed::from_number(seed));
    let draws = create::<TerraMystica>(&options, luck.clone()).draws;
    (TestTable::created(&options, luck).into(), draws)
}

fn first_player(draft: Draft) -> Draft {
    Draft {
        first_player: Some(1),
        ..draft
    }
}

/// A table at which seat 1 is to choose a faction.
pub(crate) fn choosing(seats: usize) -> Table {
    made(seats, &first_player(Draft::default()), 1).0
}

/// Takes the first listed action of each decision until round 1.
pub(crate) fn after_first_cards() -> Table {
    let mut table = made(2, &draft_of(&[Nomads, Witches]), 1).0;
    while table.state.round == 0 {
        let (seat, _) = table.decision().unwrap();
        let first = table.legal().remove(0);
        table = table.play(seat, &first);
    }
    table
}

fn draws(seats: usize, draft: &Draft) -> Vec<(String, usize)> {
    let draws = made(seats, draft, 3).1;
    draws
        .into_iter()
        .map(|draw| (draw.name.into_owned(), draw.values.len()))
        .collect()
}

fn named(draws: &[(&str, usize)]) -> Vec<(String, usize)> {
    draws
        .iter()
        .map(|&(name, count)| (name.to_owned(), count))
        .collect()
}

#[test]
fn only_what_is_open_is_drawn_and_in_order() {
    let standard = [
        ("first_player", 1),
        ("scoring_tiles", 6),
        ("bonus_cards", 7),
    ];
    assert_eq!(draws(4, &Draft::default()), named(&standard));
    let colors = Draft {
        setup_mode: OptionalParam::Known(SetupMode::RandomColors),
        ..first_player(Draft::default())
    };
    let expected = [("scoring_tiles", 6), ("bonus_cards", 6), ("colors", 3)];
    assert_eq!(draws(3, &colors), named(&expected));
    let first = Draft {
        setup_mode: OptionalParam::Known(SetupMode::Introductory),
        ..Draft::default()
    };
    assert_eq!(draws(5, &first), named(&[("first_player", 1)]));
    assert_eq!(
        draws(2, &draft_of(&[Nomads, Witches])),
        named(&[("bonus_cards", 5)])
    );
}

#[test]
fn draws_have_the_names_of_the_data() {
    assert_eq!(TerraMystica::draw_label("scoring_tiles", 4), "SCORE4");
    assert_eq!(TerraMystica::draw_label("bonus_cards", 10), "BON10");
    assert_eq!(TerraMystica::draw_label("colors", 1), "desert");
    assert_eq!(TerraMystica::draw_label("first_player", 3), "3");
}

/// Tolerance: five standard deviations of a binomial count.
#[test]
fn every_arrangement_of_scoring_tiles_is_as_likely() {
    let games = 8_000_u32;
    let mut counts: BTreeMap<(usize, ScoringTile), u32> = BTreeMap::new();
    for seed in 0..u64::from(games) {
        let table = made(2, &first_player(Draft::default()), seed).0;
        for (round, tile) in table.state.scoring_tiles.into_iter().enumerate() {
            *counts.entry((round, tile)).or_default() += 1;
        }
    }
    // SCORE1 is in one of rounds 1 to 4 in 4 of 6 arrangements; the others share the rest.
    let near = |count: u32, numerator: u32, denominator: u32| {
        let expected = games * numerator / denominator;
        count.abs_diff(expected) < 5 * expected.isqrt()
    };
    for round in 0..6 {
        let spade = counts
            .get(&(round, ScoringTile::Score1))
            .copied()
            .unwrap_or(0);
        if round >= 4 {
            assert_eq!(spade, 0);
        } else {
            assert!(near(spade, 1, 6), "round {round}: {spade}");
        }
        for &tile in &ScoringTile::ALL[1..8] {
            let count = counts[&(round, tile)];
            let (numerator, denominator) = if round >= 4 { (1, 7) } else { (5, 42) };
            assert!(
                near(count, numerator, denominator),
                "{tile:?} in {round}: {count}"
            );
        }
    }
}

#[test]
fn a_script_of_forbidden_tiles_does_not_fit() {
    let draw = |name: &'static str, values: &[u16]| Draw {
        name: name.into(),
        seat: None,
        values: values.to_vec(),
    };
    let options = options(2, &first_player(Draft::default())).unwrap();
    let finish = |tiles: &[u16]| {
        let script = [
            draw("scoring_tiles", tiles),
            draw("bonus_cards", &[1, 2, 3, 4, 5]),
        ];
        create::<TerraMystica>(&options, Chance::scripted(script))
            .chance
            .finish()
    };
    assert_eq!(finish(&[8, 1, 2, 3, 4, 5]), Ok(()));
    assert!(finish(&[8, 2, 3, 4, 5, 1]).is_err());
}

/// The seats that decide, in order, until the first turn of round 1.
fn order(mut table: Table) -> (Vec<u8>, Vec<u8>) {
    let (mut dwellings, mut cards) = (Vec::new(), Vec::new());
    while table.state.round == 0 {
        let (seat, decision) = table.decision().unwrap();
        if decision == Decision::PlaceDwelling {
            dwellings.push(seat.number());
        } else {
            assert_eq!(decision, Decision::ChooseBonusCard);
            cards.push(seat.number());
        }
        let detail = gamekeeper_rules::table::Detail::Moves;
        let legal =
            gamekeeper_rules::ruleset::legal_actions::<TerraMystica>(&table.state, seat, detail);
        table = table.play(seat, &legal[0]);
    }
    (dwellings, cards)
}

#[test]
fn nomads_place_a_third_dwelling_and_chaos_magicians_one_at_the_end() {
    let mut draft = draft_of(&[Nomads, Witches, ChaosMagicians]);
    draft.first_player = Some(2);
    let (dwellings, cards) = order(made(3, &draft, 1).0);
    assert_eq!(dwellings, [2, 1, 1, 2, 1, 3]);
    assert_eq!(cards, [1, 3, 2]);
}

#[test]
fn coins_are_laid_and_income_is_paid_before_the_first_turn() {
    let table = after_first_cards();
    assert!(table.state.pool.iter().all(|pooled| pooled.coins == 1));
    // Three dwellings: 4 workers; BON cards differ, so only the workers of the Nomads are checked.
    let card = table.p(S1).card.unwrap().income().workers;
    assert_eq!(table.p(S1).workers, 2 + 4 + card);
    assert_eq!(table.decision(), Some((S1, Decision::Turn)));
}

#[test]
fn the_first_game_deals_factions_from_the_first_player() {
    let draft = Draft {
        setup_mode: OptionalParam::Known(SetupMode::Introductory),
        first_player: Some(2),
        ..Draft::default()
    };
    let table = made(3, &draft, 1).0;
    let factions: Vec<Faction> = table
        .state
        .players
        .iter()
        .map(|player| player.faction)
        .collect();
    assert_eq!(factions, [Alchemists, Witches, Nomads]);
    assert_eq!(table.decision(), Some((S1, Decision::ChooseBonusCard)));
    assert_eq!(table.piece("I7"), Some((Seat::at(2), D)));
    assert_eq!(table.state.board.dwellings(), 7);
    let own = Draft {
        factions: Some(vec![Some(Witches), Some(Alchemists), Some(Nomads)]),
        ..draft
    };
    let table = made(3, &own, 1).0;
    assert_eq!(table.state.faction(S2), Alchemists);
    // One of those of the first game, and others.
    let others = Draft {
        factions: Some(vec![Some(Giants), Some(Alchemists), Some(Mermaids)]),
        ..own
    };
    let refused = options(3, &others).unwrap_err();
    assert_eq!(refused.code(), "INVALID_OPTION");
}

#[test]
fn drawn_colors_bind_the_choice() {
    let draft = Draft {
        setup_mode: OptionalParam::Known(SetupMode::RandomColors),
        ..first_player(Draft::default())
    };
    let table = made(2, &draft, 5).0;
    let color = table.view(Spectator).players[0].color.unwrap();
    let choose = |faction| Action::ChooseFaction {
        faction: Some(faction),
    };
    for faction in Faction::ALL {
        let fits = faction.home() == color;
        assert_eq!(table.allows(S1, choose(faction)), fits);
        if !fits {
            table.refuses(S1, choose(faction), "COLOR_TAKEN");
        }
    }
}

#[test]
fn options_are_checked() {
    let code = |seats: usize, draft: &Draft| options(seats, draft).unwrap_err().code();
    assert_eq!(code(1, &Draft::default()), "INVALID_PLAYER_COUNT");
    assert_eq!(code(6, &Draft::default()), "INVALID_PLAYER_COUNT");
    let start = |number| Draft {
        first_player: Some(number),
        ..Draft::default()
    };
    assert_eq!(code(3, &start(0)), "INVALID_OPTION");
    assert_eq!(code(3, &start(4)), "INVALID_OPTION");
    assert_eq!(code(2, &draft_of(&[Witches, Auren])), "COLOR_TAKEN");
    assert_eq!(code(2, &draft_of(&[Witches, Witches])), "FACTION_TAKEN");
    assert_eq!(code(3, &draft_of(&[Witches, Nomads])), "INVALID_OPTION");
    let mut draft = draft_of(&[Witches, Nomads]);
    draft.factions = Some(vec![Some(Witches), None]);
    assert_eq!(code(2, &draft), "UNKNOWN_ID");
    let mut draft = draft_of(&[Witches, Nomads]);
    draft.setup_mode = OptionalParam::Known(SetupMode::Standard);
    assert_eq!(code(2, &draft), "INVALID_OPTION");
    let tiles = |ids: [usize; 6]| Draft {
        scoring_tiles: Some(
            ids.iter()
                .map(|&id| Some(ScoringTile::ALL[id - 1]))
                .collect(),
        ),
        ..draft_of(&[Witches, Nomads])
    };
    assert!(options(2, &tiles([1, 2, 3, 4, 5, 6])).is_ok());
    for wrong in [[2, 3, 4, 5, 1, 6], [2, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 9]] {
        assert_eq!(code(2, &tiles(wrong)), "INVALID_OPTION");
    }
    let mut promo = tiles([2, 3, 4, 5, 6, 9]);
    promo.promo_tiles = PromoTiles {
        temple_scoring_tile: true,
        ..PromoTiles::default()
    };
    assert!(options(2, &promo).is_ok());
    let cards = |cards: &[BonusCard]| Draft {
        bonus_cards: Some(cards.iter().map(|&card| Some(card)).collect()),
        ..draft_of(&[Witches, Nomads])
    };
    assert!(options(2, &cards(&BonusCard::ALL[..5])).is_ok());
    assert_eq!(code(2, &cards(&BonusCard::ALL[..6])), "INVALID_OPTION");
    assert_eq!(code(2, &cards(&BonusCard::ALL[5..])), "INVALID_OPTION");
}
