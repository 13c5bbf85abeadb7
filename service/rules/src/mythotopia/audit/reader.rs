//! A **reader** of events: the table as the comments of the events tell it.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each part of the table hears of a few events only"
)]

mod cards;
mod pieces;

use arrayvec::ArrayVec;

use crate::conformance::EventReader;
use crate::mythotopia::Mythotopia;
use crate::mythotopia::data::{
    ARMIES, BorderSet, CASTLES, CITIES, Card, CardSet, DRAGONS, FACE_DOWN, ImprovementSet,
    MERCENARIES, PointCard, PointCardSet, Province, ProvinceSet, ROADS, RUNESTONES, SHIPS,
    STARTING_ARMIES, STARTING_SHIPS, Sea, Stack, TOKENS, TOWNS, TOWNS_OF_TWO, count,
};
use crate::mythotopia::event::Event;
use crate::mythotopia::options::Options;
use crate::mythotopia::stage::Token;
use crate::mythotopia::view::{
    BoxView, PiecesView, PlayerView, PointCardView, ProvinceView, SeaView, SupplyView, TokenStack,
    View,
};
use crate::table::{PendingList, Seat, Viewer};

#[derive(Clone)]
pub struct Reader {
    view: View,
    active: Option<Seat>,
    in_play: PointCardSet,
    roads: BorderSet,
    /// Cards of an ability that are put aside until the cards that it gives are drawn.
    aside: Vec<CardSet>,
}

impl EventReader<Mythotopia> for Reader {
    fn new(options: &Options, viewer: Viewer) -> Self {
        let seats = options.colors.count();
        let players = options.colors.seats();
        Self {
            active: None,
            in_play: PointCardSet::empty(),
            roads: BorderSet::EMPTY,
            aside: vec![CardSet::EMPTY; seats],
            view: View {
                options: options.clone(),
                pending: PendingList::default(),
                question: None,
                turn_order: Vec::new(),
                turn: None,
                provinces: Province::ALL.iter().copied().map(neutral).collect(),
                wars: Vec::new(),
                seas: Sea::ALL.iter().map(|&sea| empty(sea, seats)).collect(),
                roads: Vec::new(),
                province_pile_size: 0,
                province_pile: ProvinceSet::empty(),
                improvement_display: ImprovementSet::empty(),
                improvement_deck_count: count(FACE_DOWN),
                inspected_count: 0,
                inspected: None,
                point_cards: Vec::new(),
                bank: TOKENS,
                supply: SupplyView {
                    roads: ROADS,
                    castles: CASTLES,
                    mercenaries: MERCENARIES,
                },
                out_of_game: BoxView {
                    dragons: count(DRAGONS),
                    runestones: count(RUNESTONES),
                    philosopher: false,
                    point_cards: Vec::new(),
                },
                awards: Vec::new(),
                players: players
                    .map(|seat| player(options, seat, viewer.sees(seat)))
                    .collect(),
                bookkeeping: None,
            },
        }
    }

    fn read(&mut self, event: &Event) {
        self.read_set_up(event);
        self.read_choices(event);
        self.read_cards(event);
        self.read_improvements(event);
        self.read_units(event);
        self.read_buildings(event);
        self.read_tokens(event);
    }

    fn end_version(&mut self) {
        for (player, aside) in self.view.players.iter_mut().zip(&mut self.aside) {
            player.discard |= std::mem::take(aside);
        }
    }

    fn view(&self, actual: &View) -> View {
        let mut view = self.view.clone();
        self.show_pile(&mut view);
        view.roads = self.roads.iter().collect();
        // Strengths, limits and points follow from the rest by the rules, and the actions of a turn from what was
        // done in it.
        view.wars.clone_from(&actual.wars);
        view.turn.clone_from(&actual.turn);
        if let (Some(turn), Some(active)) = (&mut view.turn, self.active) {
            turn.active_player = active;
        }
        for (player, actual) in view.players.iter_mut().zip(&actual.players) {
            player.reserve_limit = actual.reserve_limit;
            player.hand_limit = actual.hand_limit;
            player.points = actual.points;
        }
        view
    }
}

const fn neutral(province: Province) -> ProvinceView {
    ProvinceView {
        province,
        controller: None,
        building: None,
        castle: false,
        dragon: false,
        runestone: false,
        forces: ArrayVec::new_const(),
    }
}

fn empty(sea: Sea, seats: usize) -> SeaView {
    SeaView {
        sea,
        ships: std::iter::repeat_n(0, seats).collect(),
    }
}

/// A player with the pieces and cards of the start.
fn player(options: &Options, seat: Seat, is_own: bool) -> PlayerView {
    let color = options.colors[seat];
    let starting: CardSet = Card::starting(color).collect();
    let towns = match options.colors.count() {
        2 => TOWNS_OF_TWO,
        _ => TOWNS,
    };
    PlayerView {
        seat,
        color,
        hand_count: 0,
        deck_count: count(starting.len()),
        hand: is_own.then_some(CardSet::EMPTY),
        deck: is_own.then_some(starting),
        discard: CardSet::EMPTY,
        reserve: CardSet::EMPTY,
        removed: CardSet::EMPTY,
        reserve_limit: 0,
        hand_limit: 0,
        stock: PiecesView {
            towns,
            cities: CITIES,
            armies: STARTING_ARMIES,
            ships: STARTING_SHIPS,
        },
        pool: PiecesView {
            towns: 0,
            cities: 0,
            armies: ARMIES - STARTING_ARMIES,
            ships: SHIPS - STARTING_SHIPS,
        },
        citadel: None,
        citadel_returned: false,
        tokens: [0; 3],
        three_seas_claimed: false,
        four_seas_claimed: false,
        seas_towns: 0,
        points: 0,
        has_chosen: false,
        setup_choice: None,
    }
}

impl Reader {
    fn player(&mut self, seat: Seat) -> &mut PlayerView {
        &mut self.view.players[seat.index()]
    }

    fn province(&mut self, province: Province) -> &mut ProvinceView {
        &mut self.view.provinces[province.index()]
    }

    /// The provinces that nobody controls are the province pile, which nobody knows during the set-up.
    fn show_pile(&self, view: &mut View) {
        let neutral = view.provinces.iter();
        let neutral = neutral.filter(|shown| shown.controller.is_none());
        let pile: ProvinceSet = neutral.map(|shown| shown.province).collect();
        view.province_pile_size = count(pile.len());
        if !view.turn_order.is_empty() {
            view.province_pile = pile;
        }
    }

    fn read_set_up(&mut self, event: &Event) {
        match event {
            Event::PointCardsLaidOut { cards } => self.lay_out(cards),
            Event::DragonsPlaced { provinces } => {
                self.view.out_of_game.dragons -= count(provinces.len());
                for province in provinces.iter() {
                    self.province(province).dragon = true;
                }
            }
            Event::RunestonesPlaced { provinces } => {
                self.view.out_of_game.runestones -= count(provinces.len());
                for province in provinces.iter() {
                    self.province(province).runestone = true;
                }
            }
            Event::FirstPlayer { seat } => {
                let seats = self.view.players.len();
                self.view.turn_order = seat.clockwise(seats).collect();
                self.active = Some(*seat);
            }
            Event::TurnBegan { seat } => self.active = Some(*seat),
            _ => {}
        }
    }

    /// Lays out the three fixed point cards and these, each with its tokens from the bank.
    fn lay_out(&mut self, variable: &[PointCard]) {
        let fixed = PointCard::FIXED.iter();
        self.in_play = fixed.chain(variable).copied().collect();
        let players = self.view.players.len();
        let castle = self.view.options.switches.castle_token_value;
        for card in self.in_play {
            let stacks = card.stacks().iter().map(|&stack| TokenStack {
                token: Token {
                    card,
                    value: match stack {
                        Stack::Castle => castle,
                        _ => stack.printed_value(),
                    },
                    slot: stack.slot(),
                },
                count: stack.tokens(players),
            });
            let tokens: ArrayVec<TokenStack, 2> = stacks.collect();
            for stack in &tokens {
                let bank = &mut self.view.bank[usize::from(stack.token.value) - 1];
                *bank = bank.saturating_sub(stack.count);
            }
            self.view.point_cards.push(PointCardView { card, tokens });
        }
        let unused = |card: &PointCard| !self.in_play.contains(*card);
        self.view.out_of_game.point_cards = PointCard::ALL.iter().copied().filter(unused).collect();
    }

    fn read_choices(&mut self, event: &Event) {
        let (seat, chosen) = match event {
            Event::SetupChosen { seat, choice } => (*seat, Some(*choice)),
            Event::ProvincesDiscarded { seat, .. } | Event::CitadelPlaced { seat, .. } => {
                (*seat, None)
            }
            _ => return,
        };
        let player = self.player(seat);
        player.has_chosen = chosen.is_some();
        player.setup_choice = chosen.flatten();
    }

    fn read_tokens(&mut self, event: &Event) {
        match event {
            Event::TokenExchanged { seat, from_value } => {
                let low = usize::from(*from_value) - 1;
                self.view.bank[low] += 1;
                self.view.bank[low + 1] -= 1;
                let tokens = &mut self.player(*seat).tokens;
                tokens[low] -= 1;
                tokens[low + 1] += 1;
            }
            Event::TokenTaken {
                seat,
                token,
                source,
            } => {
                self.take_token(*token, *source);
                self.receive_token(*seat, *token);
            }
            _ => {}
        }
    }
}
