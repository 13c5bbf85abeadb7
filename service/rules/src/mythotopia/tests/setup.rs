//! Options, set-up and what is printed.

use super::table::*;
use crate::conformance::drawn;
use crate::mythotopia::action::Action;
use crate::mythotopia::data::{
    Border, BorderKind, Card, Color, Improvement, PointCard, Province, ProvinceSet, Sea, Stack,
    Start, Symbol,
};
use crate::mythotopia::state::Player;
use crate::mythotopia::{Decision, Draft, Event, ExtraProvince, Mythotopia, State};
use crate::ruleset::{Applied, Ruleset, apply, create};
use crate::table::picture::Size;
use crate::table::{Chance, Given, Id as _, Named, Names, Seat, Seed, Viewer};

fn created(seats: usize, draft: &Draft, seed: u64) -> Applied<Mythotopia> {
    let chance = Chance::from_seed(&Seed::from_number(seed));
    create::<Mythotopia>(&options(seats, draft), chance)
}

/// A set-up in which these point cards are in play.
fn with_point_cards(seats: usize, ids: &[&str]) -> Applied<Mythotopia> {
    let wanted: Vec<PointCard> = ids.iter().map(|id| PointCard::by_id(id).unwrap()).collect();
    let first = created(seats, &Draft::default(), 1);
    let mut draws = first.draws.clone();
    for draw in &mut draws {
        if draw.name == "point_cards" {
            let number = |card: &PointCard| u16::try_from(card.index()).unwrap() + 1;
            let wanted: Vec<u16> = wanted.iter().map(number).collect();
            draw.values.sort_by_key(|value| !wanted.contains(value));
        }
    }
    let again = create::<Mythotopia>(&options(seats, &Draft::default()), Chance::scripted(draws));
    assert!(
        wanted
            .iter()
            .all(|card| again.state.in_play.contains(*card))
    );
    Applied {
        chance: Chance::from_seed(&Seed::from_number(3)),
        ..again
    }
}

fn step(table: &mut Applied<Mythotopia>, seat: Seat, action: &Action) {
    let next = apply::<Mythotopia>(&table.state, &table.chance, seat, action);
    *table = next.unwrap_or_else(|refusal| panic!("{refusal}: {action:?}"));
}

fn no(state: &State, seat: Seat, action: &Action, refusal: &str) {
    assert_eq!(
        Mythotopia::check(state, seat, action)
            .err()
            .map(|refusal| refusal.code()),
        Some(refusal),
        "{action:?}"
    );
}

/// The first provinces of a seat, except those to keep.
fn give_away(state: &State, seat: Seat, number: usize, keep: &[&str]) -> Action {
    let keep: Vec<Province> = keep.iter().map(|id| prov(id)).collect();
    let own = state.players[seat].controlled().iter();
    let cards: Vec<Named<Card>> = own
        .filter(|province| !keep.contains(province))
        .take(number)
        .map(|province| Some(Card::province(province)))
        .collect();
    Action::SetupDiscardProvinces { cards }
}

#[track_caller]
fn everybody_has_towns(table: &Applied<Mythotopia>, count: usize) {
    let players = table.state.players.iter();
    let towns: Vec<usize> = players.map(|player| player.towns.len()).collect();
    assert!(towns.iter().all(|&towns| towns == count), "{towns:?}");
}

fn give_away_all(table: &mut Applied<Mythotopia>) {
    for seat in Seat::all(table.state.seats()) {
        let number = table.state.provinces_to_discard();
        let action = give_away(&table.state, seat, number, &[]);
        step(table, seat, &action);
    }
}

#[test]
fn myt_t8_points_at_the_start() {
    for (seats, points, hands) in [
        (2, 27, vec![5, 5]),
        (3, 18, vec![5; 3]),
        (4, 12, vec![5, 5, 5, 6]),
    ] {
        let mut table = with_point_cards(
            seats,
            &["patronage", "spoils_of_war", "runestones", "guild_city"],
        );
        give_away_all(&mut table);
        let state = &table.state;
        assert_eq!(state.decision(), Some(Decision::Turn));
        let scores: Vec<u8> = Seat::all(seats).map(|seat| state.points(seat)).collect();
        assert_eq!(scores, vec![points; seats]);
        let order = state.first.clockwise(seats);
        let drawn: Vec<usize> = order.map(|seat| state.players[seat].hand.len()).collect();
        assert_eq!(drawn, hands);
        let cards: Vec<usize> = state.players.iter().map(Player::total).collect();
        assert_eq!(cards, vec![[14, 11, 9][seats - 2]; seats]);
    }
}

#[test]
fn myt_t51_ten_provinces_with_wonders() {
    for seats in 2..=4 {
        let table = with_point_cards(seats, &["here_be_dragons", "runestones"]);
        let state = &table.state;
        let wonders = state.dragons | state.runestones;
        assert_eq!(
            (state.dragons.len(), state.runestones.len(), wonders.len()),
            (5, 5, 10)
        );
        assert!((wonders - state.neutral()).is_empty());
        let out = Mythotopia::view(state, Viewer::Spectator).out_of_game;
        assert_eq!((out.dragons, out.runestones), (0, 0));
    }
}

#[test]
fn who_has_chosen_is_drawn() {
    let mut table = with_point_cards(
        4,
        &["patronage", "spoils_of_war", "runestones", "guild_city"],
    );
    let action = give_away(&table.state, B, 2, &[]);
    step(&mut table, B, &action);
    let names = ["Ann", "Bob", "Cid", "Dan"].map(String::from);
    let seen = (Viewer::Seat(R), Size::Wide);
    let drawing = drawn::<Mythotopia>(&table.state, seen, Names::new(&names), "");
    assert_eq!(drawing.matches("has chosen").count(), 1);
}

#[test]
fn myt_t59_secret_choices() {
    let mut table = with_point_cards(
        4,
        &["patronage", "spoils_of_war", "runestones", "guild_city"],
    );
    let state = &table.state;
    let action = give_away(state, B, 2, &[]);
    let one = give_away(state, B, 1, &[]);
    no(state, B, &one, "INVALID_CARD_COUNT");
    let none = give_away(state, B, 0, &[]);
    no(state, B, &none, "EMPTY_LIST");
    let foreign = give_away(state, R, 2, &[]);
    no(state, B, &foreign, "CARD_NOT_AVAILABLE");
    let starting = Action::SetupDiscardProvinces {
        cards: cards(&["start:blue:army#1", "start:blue:ship#1"]),
    };
    no(state, B, &starting, "CARD_NOT_AVAILABLE");
    no(state, B, &Action::PassTurn, "WRONG_DECISION");
    no(
        state,
        B,
        &Action::SetupPlaceCitadel {
            province: Some(prov("mome")),
        },
        "WRONG_DECISION",
    );
    let twice = give_away(state, B, 1, &[]);
    if let Action::SetupDiscardProvinces { mut cards } = twice {
        cards.push(cards[0]);
        no(
            state,
            B,
            &Action::SetupDiscardProvinces { cards },
            "DUPLICATE_CARD",
        );
    }
    step(&mut table, B, &action);
    no(&table.state, B, &action, "ALREADY_SUBMITTED");
    let pending = Mythotopia::pending(&table.state);
    assert!(pending.iter().map(|owed| owed.seat).eq([R, Y, G]));
    let view = Mythotopia::view(&table.state, Viewer::Seat(R));
    assert!(view.players[1].has_chosen && view.players[1].setup_choice.is_none());
    assert_eq!(
        view.provinces,
        Mythotopia::view(&created_like(&table), Viewer::Seat(R)).provinces
    );
    let shown = Mythotopia::event_view(&table.events[0], Viewer::Seat(R));
    assert_eq!(
        shown,
        Some(Event::SetupChosen {
            seat: B,
            choice: None
        })
    );
    assert!(
        Mythotopia::view(&table.state, Viewer::Seat(B)).players[1]
            .setup_choice
            .is_some()
    );
}

/// The same table with nobody's choice made.
fn created_like(table: &Applied<Mythotopia>) -> State {
    let mut state = table.state.clone();
    for player in state.players.iter_mut() {
        player.choice = None;
    }
    state
}

#[test]
fn myt_t60_citadels_are_placed_at_once() {
    let mut table = with_point_cards(3, &["citadel"]);
    give_away_all(&mut table);
    assert_eq!(table.state.decision(), Some(Decision::SetupCitadel));
    let place = |state: &State, seat: Seat| Action::SetupPlaceCitadel {
        province: state.players[seat].controlled().iter().next(),
    };
    for seat in [B, R] {
        let action = place(&table.state, seat);
        step(&mut table, seat, &action);
    }
    no(&table.state, Y, &place(&table.state, R), "NOT_CONTROLLED");
    no(
        &table.state,
        R,
        &place(&table.state, R),
        "ALREADY_SUBMITTED",
    );
    let wrong = Action::SetupDiscardProvinces {
        cards: cards(&["prov:mome"]),
    };
    no(&table.state, R, &wrong, "WRONG_DECISION");
    let own = table.state.players[R].controlled().iter().next().unwrap();
    let last = place(&table.state, Y);
    step(&mut table, Y, &last);
    let state = &table.state;
    assert_eq!(state.decision(), Some(Decision::Turn));
    assert_eq!(state.players[R].reserve_limit(), 3);
    assert_eq!(
        state.players[R].building(own),
        Some(crate::mythotopia::Building::Citadel)
    );
    assert_eq!(state.town_stock(R), 14 - 5);
    let mut attacked = state.clone();
    attacked.players[B].armies.add(own, 1);
    let rugged = u8::from(own.row().rugged);
    assert_eq!(attacked.strengths(own)[0].strength, 2 + rugged);
}

#[test]
fn myt_t61_an_island_at_the_start() {
    let first = with_point_cards(2, &["lord_of_the_isles"]);
    let mut state = first.state.clone();
    // Red is dealt both provinces of the small island.
    for id in ["aporia", "kinabra"] {
        let card = Card::province(prov(id));
        for player in state.players.iter_mut() {
            player.towns.remove(prov(id));
            player.deck.retain(|other| *other != card);
        }
        state.players[R].towns.insert(prov(id));
        state.players[R].deck.push(card);
    }
    for seat in [R, B] {
        let spare: Vec<Province> = state.players[seat].towns.iter().skip(11).collect();
        for province in spare {
            state.players[seat].towns.remove(province);
            state.players[seat]
                .deck
                .retain(|card| *card != Card::province(province));
        }
    }
    let mut table = Applied { state, ..first };
    let missing = 11 - table.state.players[B].towns.len();
    let free: Vec<Province> = table.state.neutral().iter().take(missing).collect();
    for province in free {
        table.state.players[B].towns.insert(province);
        table.state.players[B].deck.push(Card::province(province));
    }
    for seat in [R, B] {
        let action = give_away(&table.state, seat, 2, &["aporia", "kinabra"]);
        step(&mut table, seat, &action);
    }
    assert_eq!(table.state.players[R].tokens, [0, 1, 0]);
    assert_eq!(table.state.points(R), 29);
}

fn refused(seats: usize, draft: &Draft) -> Option<&'static str> {
    let players = vec![String::from("Anybody"); seats];
    Mythotopia::options(&players, draft)
        .err()
        .map(|refusal| refusal.code())
}

#[test]
fn myt_t67_creation() {
    let wish = |colors: &[Color]| Draft {
        colors: colors.iter().map(|&color| Given::Known(color)).collect(),
        ..Draft::default()
    };
    let invalid = Some("INVALID_OPTION");
    assert_eq!(refused(2, &wish(&[Color::Yellow])), invalid);
    let twice = refused(3, &wish(&[Color::Green, Color::Green]));
    assert_eq!(twice, Some("DUPLICATE_COLOR"));
    let more = Draft {
        more_choice: true,
        ..Draft::default()
    };
    assert_eq!(refused(2, &more), invalid);
    assert_eq!(refused(3, &more), None);
    for seats in [1, 5] {
        let code = refused(seats, &Draft::default());
        assert_eq!(code, Some("INVALID_PLAYER_COUNT"));
    }
    let value = |value| Draft {
        castle_token_value: Some(value),
        ..Draft::default()
    };
    assert_eq!(
        (refused(3, &value(3)), refused(3, &value(1))),
        (invalid, None)
    );
    let unknown = Draft {
        colors: vec![Given::Unknown],
        ..value(3)
    };
    assert_eq!(refused(2, &unknown), invalid);
    let colors = options(3, &wish(&[Color::Blue])).colors;
    let colors: Vec<Color> = colors.iter().copied().collect();
    assert_eq!(colors, [Color::Blue, Color::Red, Color::Yellow]);
}

#[test]
fn myt_t68_more_choice() {
    let draft = Draft {
        more_choice: true,
        ..Draft::default()
    };
    let mut table = created(4, &draft, 5);
    everybody_has_towns(&table, 7);
    assert_eq!(table.state.provinces_to_discard(), 3);
    give_away_all(&mut table);
    everybody_has_towns(&table, 4);
    assert_eq!(table.state.neutral().len(), 24);
    let draft = Draft {
        extra_province_final_count: Given::Known(ExtraProvince::OneMore),
        ..draft
    };
    let mut table = created(3, &draft, 5);
    give_away_all(&mut table);
    everybody_has_towns(&table, 7);
    assert!(
        table.state.decision() == Some(Decision::SetupCitadel)
            || table.state.players[R].total() == 12
    );
}

#[test]
fn myt_t69_tokens_on_fixed_cards() {
    for (seats, tokens) in [(2, 6), (3, 7), (4, 7)] {
        let state = created(seats, &Draft::default(), 1).state;
        for stack in [Stack::City, Stack::Castle, Stack::Road] {
            assert_eq!(
                (state.tokens[stack.index()], state.value(stack)),
                (tokens, 2)
            );
        }
    }
}

#[test]
fn myt_3_4_printed_provinces() {
    let rows = || Province::ALL.iter().map(|province| province.row());
    let of = |symbol| rows().filter(|row| row.symbol == symbol).count();
    let symbols = [Symbol::Army, Symbol::Food, Symbol::Stone, Symbol::Gold].map(of);
    assert_eq!(symbols, [12, 11, 9, 8]);
    let strong = |strength| rows().filter(|row| row.strength == strength).count();
    assert_eq!([2, 3, 4].map(strong), [17, 19, 4]);
    assert_eq!(rows().filter(|row| row.rugged).count(), 15);
    for row in rows() {
        let base = if row.symbol == Symbol::Army { 3 } else { 2 };
        assert_eq!(
            row.strength,
            base + u8::from(row.rugged),
            "{}",
            row.province
        );
    }
    assert_eq!(
        Sea::ALL
            .iter()
            .map(|sea| sea.coast().len())
            .collect::<Vec<_>>(),
        [10, 7, 6, 7]
    );
    let kinds = |kind| {
        Border::all()
            .filter(|border| border.row().kind == kind)
            .count()
    };
    assert_eq!(
        [BorderKind::Normal, BorderKind::Hills, BorderKind::Mountains].map(kinds),
        [60, 10, 9]
    );
}

#[test]
fn myt_3_6_printed_cards() {
    let count = |symbols: Vec<u8>| symbols.into_iter().sum::<u8>();
    let on = |symbol| {
        let improvements = Improvement::ALL
            .iter()
            .map(|card| card.symbols().count(symbol));
        count(improvements.collect())
    };
    assert_eq!(
        Symbol::ALL.iter().map(|&s| on(s)).collect::<Vec<_>>(),
        [6, 1, 3, 3, 3]
    );
    let starting = |symbol| {
        count(
            Start::DEAL
                .iter()
                .map(|card| card.symbols().count(symbol))
                .collect(),
        )
    };
    assert_eq!(
        Symbol::ALL.iter().map(|&s| starting(s)).collect::<Vec<_>>(),
        [2, 1, 2, 3, 2]
    );
    assert_eq!(Card::COUNT, 89);
    let ids: Vec<String> = Card::all().map(Card::id).collect();
    assert_eq!(&ids[..2], ["start:red:build#1", "start:red:build#2"]);
    assert!(ids.iter().all(|id| Card::by_id(id).unwrap().id() == *id));
    let values = |players| {
        Stack::ALL
            .iter()
            .map(move |s| (s.printed_value(), s.tokens(players)))
    };
    let total = |value| {
        values(4)
            .filter(|(v, _)| *v == value)
            .map(|(_, n)| n)
            .sum::<u8>()
    };
    assert_eq!([1, 2, 3].map(total), [25, 31, 2]);
}

#[test]
fn myt_a30_cards_are_stocked_in_full_even_if_the_bank_is_not() {
    let ids = [
        "here_be_dragons",
        "runestones",
        "lord_of_the_isles",
        "master_of_the_seas",
    ];
    let state = with_point_cards(4, &ids).state;
    assert_eq!(state.bank, [28, 0, 2]);
}

#[test]
fn myt_14_1_draw_names_and_labels() {
    let table = created(3, &Draft::default(), 9);
    let names: Vec<&str> = table.draws.iter().map(|draw| draw.name.as_ref()).collect();
    assert_eq!(names, ["deal", "improvements", "point_cards"]);
    let lengths: Vec<usize> = table.draws.iter().map(|draw| draw.values.len()).collect();
    assert_eq!(lengths, [40, 29, 10]);
    let first = &table.draws[0].values[..8];
    let dealt = first
        .iter()
        .map(|&value| Mythotopia::draw_label("deal", value));
    let dealt = dealt.map(|id| prov(&id)).collect::<ProvinceSet>();
    assert_eq!(table.state.players[R].towns, dealt);
    assert_eq!(Mythotopia::draw_label("deck:red", 1), "start:red:build#1");
    assert_eq!(Mythotopia::draw_label("improvements", 29), "water_mill");
    assert_eq!(Mythotopia::draw_label("point_cards", 4), "citadel");
    assert_eq!(Mythotopia::draw_label("first_player", 2), "2");
}
