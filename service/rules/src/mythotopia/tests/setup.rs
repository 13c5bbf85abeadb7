//! Options, set-up and printed figures.

use super::table::*;
use gamekeeper_rules::conformance::drawn;
use gamekeeper_rules::mythotopia::action::Action;
use gamekeeper_rules::mythotopia::data::{
    Border, BorderKind, Card, Color, Improvement, PointCard, PointCardSet, Province, ProvinceSet,
    Sea, Stack, Start, Symbol,
};
use gamekeeper_rules::mythotopia::state::Player;
use gamekeeper_rules::mythotopia::{Decision, Draft, Event, Mythotopia, State};
use gamekeeper_rules::ruleset::{Applied, Ruleset, apply, create};
use gamekeeper_rules::table::picture::Size;
use gamekeeper_rules::table::{
    Chance, ClosedSet as _, MaybeKnown, Names, OptionalParam, Seat, Seed, Viewer,
};

fn created(seats: usize, draft: &Draft, seed: u64) -> Applied<Mythotopia> {
    let chance = Chance::from_seed(&Seed::from_number(seed));
    create::<Mythotopia>(&options(seats, draft), chance)
}

const MORE_CHOICE: Draft = Draft {
    colors: Vec::new(),
    more_choice: true,
    castle_token_value: None,
    end_game_wars: OptionalParam::Absent,
    road_substitution_scope: OptionalParam::Absent,
    hand_limit_stacking: OptionalParam::Absent,
    vp_floor: None,
};

/// Returns the first of many set-ups with the wanted property.
fn found(seats: usize, draft: &Draft, wanted: impl Fn(&State) -> bool) -> Applied<Mythotopia> {
    let mut tables = (1..20_000).map(|seed| created(seats, draft, seed));
    tables.find(|table| wanted(&table.state)).unwrap()
}

/// A set-up in which these point cards are in play; Citadel only if it is among them.
fn with_point_cards(seats: usize, draft: &Draft, ids: &[&str]) -> Applied<Mythotopia> {
    let wanted: PointCardSet = ids.iter().map(|id| PointCard::by_id(id).unwrap()).collect();
    found(seats, draft, |state| {
        let citadel = state.in_play.contains(PointCard::Citadel);
        (wanted - state.in_play).is_empty() && citadel == wanted.contains(PointCard::Citadel)
    })
}

/// Four cards that place nothing on the board.
const PLAIN: [&str; 4] = [
    "patronage",
    "spoils_of_war",
    "master_of_the_seas",
    "guild_city",
];

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

/// Gives the first provinces of a seat away, except those to keep.
fn give_away(state: &State, seat: Seat, number: usize, keep: &[&str]) -> Action {
    let keep: Vec<Province> = keep.iter().map(|id| prov(id)).collect();
    let own = state.players[seat].controlled().iter();
    let cards: Vec<MaybeKnown<Card>> = own
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
        let action = give_away(&table.state, seat, 2, &[]);
        step(table, seat, &action);
    }
}

#[test]
fn myt_t8_points_at_the_start() {
    let plain = Draft::default();
    for (seats, draft, points, deck) in [
        (2, &plain, 33, 16),
        (3, &plain, 24, 13),
        (4, &plain, 18, 11),
        (3, &MORE_CHOICE, 21, 12),
        (4, &MORE_CHOICE, 15, 10),
    ] {
        let mut table = with_point_cards(seats, draft, &PLAIN);
        if draft.more_choice {
            give_away_all(&mut table);
        }
        let state = &table.state;
        assert_eq!(state.decision(), Some(Decision::Turn));
        let scores: Vec<u8> = Seat::all(seats).map(|seat| state.points(seat)).collect();
        assert_eq!(scores, vec![points; seats]);
        let order = state.first.clockwise(seats);
        let drawn: Vec<usize> = order.map(|seat| state.players[seat].hand.len()).collect();
        assert_eq!(drawn, &[5, 5, 5, 6][..seats]);
        let cards: Vec<usize> = state.players.iter().map(Player::total).collect();
        assert_eq!(cards, vec![deck; seats]);
    }
}

/// MYT-5.7, 5.8: the choices before the first turn depend on the option and on the Citadel card alone. The standard
/// game keeps all provinces that were dealt.
#[test]
fn a_set_up_asks_no_more_than_it_has_to() {
    for (seats, draft) in [2, 3, 4]
        .map(|seats| (seats, Draft::default()))
        .into_iter()
        .chain([3, 4].map(|seats| (seats, MORE_CHOICE)))
    {
        let mut seen = [0, 0];
        for seed in 0..50 {
            let state = created(seats, &draft, seed).state;
            let citadel = state.in_play.contains(PointCard::Citadel);
            seen[usize::from(citadel)] += 1;
            let expected = match (draft.more_choice, citadel) {
                (true, _) => Decision::SetupDiscard,
                (false, true) => Decision::SetupCitadel,
                (false, false) => Decision::Turn,
            };
            assert_eq!(state.decision(), Some(expected));
            let dealt = [11, 8, 6][seats - 2] + usize::from(draft.more_choice);
            let provinces = state.players.iter().map(|player| player.controlled().len());
            assert_eq!(provinces.collect::<Vec<_>>(), vec![dealt; seats]);
        }
        assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
    }
}

/// MYT-14.17: a game that begins in its first turn was created with opening hands, which only their players see.
#[test]
fn opening_hands_are_secret_from_the_creation_on() {
    let table = with_point_cards(4, &Draft::default(), &PLAIN);
    for viewer in Seat::all(4) {
        let mut seen = table.events.iter().filter_map(|event| {
            match Mythotopia::event_view(event, Viewer::Seat(viewer)) {
                Some(Event::CardsDrawn { seat, cards, .. }) => Some((seat, cards.is_some())),
                _ => None,
            }
        });
        assert!(seen.all(|(seat, shown)| shown == (seat == viewer)));
        let drawn = |event: &&Event| matches!(event, Event::CardsDrawn { .. });
        assert_eq!(table.events.iter().filter(drawn).count(), 4);
    }
    assert!(matches!(table.events.last(), Some(Event::TurnBegan { .. })));
}

/// Drafted cards lie in the discard piles, so a rich start does not affect the order of shuffled decks and drawn hands.
#[test]
fn a_rich_start_leaves_the_decks_to_luck() {
    for seats in 2..=4 {
        for seed in 0..20 {
            let plain = created(seats, &Draft::default(), seed).state;
            let mut rich = plain.clone();
            assert!(Mythotopia::enrich(&mut rich));
            for (seat, player) in rich.players.entries() {
                let before = &plain.players[seat];
                assert_eq!((&player.deck, player.hand), (&before.deck, before.hand));
                assert_eq!(player.discard.len(), 3);
            }
        }
    }
}

#[test]
fn myt_t51_ten_provinces_with_wonders() {
    for seats in 2..=4 {
        let wonders = ["here_be_dragons", "runestones"];
        let table = with_point_cards(seats, &Draft::default(), &wonders);
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
    let mut table = with_point_cards(4, &MORE_CHOICE, &PLAIN);
    let action = give_away(&table.state, B, 2, &[]);
    step(&mut table, B, &action);
    let names = ["Ann", "Bob", "Cid", "Dan"].map(String::from);
    let seen = (Viewer::Seat(R), Size::Wide);
    let drawing = drawn::<Mythotopia>(&table.state, seen, Names::new(&names), "");
    assert_eq!(drawing.matches("has chosen").count(), 1);
}

#[test]
fn myt_t59_secret_choices() {
    let mut table = with_point_cards(4, &MORE_CHOICE, &PLAIN);
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
    let standard = with_point_cards(4, &Draft::default(), &PLAIN).state;
    let first = standard.first;
    let nobody_asked = give_away(&standard, first, 2, &[]);
    no(&standard, first, &nobody_asked, "WRONG_DECISION");
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
    assert!(pending.iter().map(|decision| decision.seat).eq([R, Y, G]));
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

/// Returns the table without the choices of the players.
fn created_like(table: &Applied<Mythotopia>) -> State {
    let mut state = table.state.clone();
    for player in state.players.iter_mut() {
        player.choice = None;
    }
    state
}

#[test]
fn myt_t60_citadels_are_placed_at_once() {
    let mut table = with_point_cards(3, &Draft::default(), &["citadel"]);
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
        Some(gamekeeper_rules::mythotopia::Building::Citadel)
    );
    assert_eq!(state.town_stock(R), 14 - 7);
    let mut attacked = state.clone();
    attacked.players[B].armies.add(own, 1);
    let rugged = u8::from(own.row().rugged);
    assert_eq!(attacked.strengths(own)[0].strength, 2 + rugged);
}

#[test]
fn myt_t61_an_island_at_the_start() {
    let small = prov("aporia") | prov("kinabra");
    let begun = |state: &State| {
        let in_play = |id| state.in_play.contains(PointCard::by_id(id).unwrap());
        in_play("lord_of_the_isles")
            && !in_play("citadel")
            && (small - state.players[R].controlled()).is_empty()
    };
    let state = found(2, &Draft::default(), begun).state;
    assert_eq!(state.players[R].tokens, [0, 1, 0]);
    assert_eq!((state.points(R), state.points(B)), (35, 33));
    // With more choice it counts what is kept.
    for (keep, points) in [("aporia kinabra", 23), ("aporia", 21)] {
        let (mut table, keep) = (found(3, &MORE_CHOICE, begun), ids(keep));
        let own = table.state.players[R].controlled() & small;
        let gone = own.iter().filter(|province| !keep.contains(&province.id()));
        let mut cards: Vec<MaybeKnown<Card>> = gone.map(|p| Some(Card::province(p))).collect();
        let rest = give_away(&table.state, R, 2 - cards.len(), &["aporia", "kinabra"]);
        if let Action::SetupDiscardProvinces { cards: rest } = rest {
            cards.extend(rest);
        }
        step(&mut table, R, &Action::SetupDiscardProvinces { cards });
        for seat in [B, Y] {
            let action = give_away(&table.state, seat, 2, &[]);
            step(&mut table, seat, &action);
        }
        assert_eq!(table.state.points(R), points);
    }
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
        colors: colors
            .iter()
            .map(|&color| OptionalParam::Known(color))
            .collect(),
        ..Draft::default()
    };
    let invalid = Some("INVALID_OPTION");
    assert_eq!(refused(2, &wish(&[Color::Yellow])), invalid);
    let twice = refused(3, &wish(&[Color::Green, Color::Green]));
    assert_eq!(twice, Some("DUPLICATE_COLOR"));
    assert_eq!(refused(2, &MORE_CHOICE), invalid);
    assert_eq!(refused(3, &MORE_CHOICE), None);
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
        colors: vec![OptionalParam::Unknown],
        ..value(3)
    };
    assert_eq!(refused(2, &unknown), invalid);
    let colors = options(3, &wish(&[Color::Blue])).colors;
    let colors: Vec<Color> = colors.iter().copied().collect();
    assert_eq!(colors, [Color::Blue, Color::Red, Color::Yellow]);
}

#[test]
fn myt_t68_more_choice() {
    for (seats, dealt, remaining, pile) in [(4, 7, 5, 20), (3, 9, 7, 19)] {
        let mut table = with_point_cards(seats, &MORE_CHOICE, &PLAIN);
        everybody_has_towns(&table, dealt);
        let question = Mythotopia::view(&table.state, Viewer::Spectator).question;
        assert_eq!(question.unwrap().provinces_to_discard, Some(2));
        give_away_all(&mut table);
        everybody_has_towns(&table, remaining);
        assert_eq!(table.state.neutral().len(), pile);
        let view = Mythotopia::view(&table.state, Viewer::Spectator);
        assert_eq!((view.province_pile.len(), view.question), (pile, None));
        assert_eq!(table.state.players[R].total(), remaining + 5);
    }
    let mut table = with_point_cards(3, &MORE_CHOICE, &["citadel"]);
    give_away_all(&mut table);
    assert_eq!(table.state.decision(), Some(Decision::SetupCitadel));
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
    let state = with_point_cards(4, &Draft::default(), &ids).state;
    assert_eq!(state.bank, [28, 0, 2]);
}

#[test]
fn myt_14_1_draw_names_and_labels() {
    let table = with_point_cards(3, &Draft::default(), &PLAIN);
    let names: Vec<&str> = table.draws.iter().map(|draw| draw.name.as_ref()).collect();
    let dealing = ["deal", "improvements", "point_cards"];
    let beginning = ["first_player", "deck:red", "deck:blue", "deck:yellow"];
    assert_eq!(names, [&dealing[..], &beginning].concat());
    let lengths: Vec<usize> = table.draws.iter().map(|draw| draw.values.len()).collect();
    assert_eq!(lengths, [40, 29, 10, 1, 13, 13, 13]);
    for setup in [("citadel", Draft::default()), ("patronage", MORE_CHOICE)] {
        let draws = with_point_cards(3, &setup.1, &[setup.0]).draws;
        assert!(draws.iter().map(|draw| draw.name.as_ref()).eq(dealing));
    }
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
