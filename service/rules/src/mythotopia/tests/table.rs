//! A table to set up by hand, and short names for its contents.

use gamekeeper_rules::conformance::TestTable;
use gamekeeper_rules::mythotopia::Mythotopia;
use gamekeeper_rules::mythotopia::action::{Action, Invasion, Origin, RoadMove, Route, SymbolPlay};
use gamekeeper_rules::mythotopia::data::{
    Border, Card, CardSet, Converter, Improvement, Numbered as _, PointCard, Province, Sea, Stack,
    Symbol, TOKENS,
};
use gamekeeper_rules::mythotopia::options::{Draft, Options};
use gamekeeper_rules::mythotopia::stage::{Stage, Turn};
use gamekeeper_rules::mythotopia::state::{Citadel, State};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Chance, ClosedSet as _, MaybeKnown, Seat, Seed};

pub(crate) use gamekeeper_rules::conformance::TestPlay;

pub(crate) const R: Seat = Seat::at(0);
pub(crate) const B: Seat = Seat::at(1);
pub(crate) const Y: Seat = Seat::at(2);
pub(crate) const G: Seat = Seat::at(3);

/// A card by its id.
pub(crate) fn card(id: &str) -> Card {
    Card::by_id(id).unwrap_or_else(|| panic!("{id}"))
}

/// A province by its id.
pub(crate) fn prov(id: &str) -> Province {
    Province::by_id(id).unwrap_or_else(|| panic!("{id}"))
}

/// A border by its id.
pub(crate) fn border(a: &str, b: &str) -> Border {
    Border::between(prov(a), prov(b)).unwrap()
}

pub(crate) fn sea(id: &str) -> Sea {
    Sea::by_id(id).unwrap_or_else(|| panic!("{id}"))
}

/// Splits a long list of ids at its spaces.
pub(crate) fn ids(words: &str) -> Vec<&str> {
    words.split_whitespace().collect()
}

/// Cards as a client names them.
pub(crate) fn cards(ids: &[&str]) -> Vec<MaybeKnown<Card>> {
    ids.iter().map(|id| Some(card(id))).collect()
}

/// A card played for a symbol.
pub(crate) fn play(id: &str, symbol: Symbol) -> SymbolPlay {
    SymbolPlay {
        card: Some(card(id)),
        symbol: Some(symbol),
        via: None,
        merchant: None,
        water_mill: None,
    }
}

/// Plays the card through a converter.
pub(crate) fn via(play: SymbolPlay, converter: Converter) -> SymbolPlay {
    SymbolPlay {
        via: Some(Some(converter)),
        ..play
    }
}

/// Plays the card with Merchant.
pub(crate) fn traded(play: SymbolPlay) -> SymbolPlay {
    SymbolPlay {
        merchant: Some(Some(Card::improvement(Improvement::Merchant))),
        ..play
    }
}

/// Plays the card with Water Mill.
pub(crate) fn doubled(play: SymbolPlay) -> SymbolPlay {
    SymbolPlay {
        water_mill: Some(Some(Card::improvement(Improvement::WaterMill))),
        ..play
    }
}

pub(crate) fn site(id: &str, province: &str) -> Origin {
    Origin::Site {
        card: Some(card(id)),
        province: Some(prov(province)),
    }
}

pub(crate) fn by_sea(areas: &[&str]) -> Route {
    Route::Sea {
        areas: areas.iter().map(|id| Some(sea(id))).collect(),
    }
}

/// An invasion over land with the province card of the origin.
pub(crate) fn invade(
    origin: &str,
    target: &str,
    armies: &[SymbolPlay],
    food: &[SymbolPlay],
) -> Invasion {
    Invasion {
        target: Some(prov(target)),
        origin: site(&format!("prov:{origin}"), origin),
        route: Some(Route::Land),
        armies: armies.to_vec(),
        food: food.to_vec(),
        transport: Vec::new(),
    }
}

pub(crate) fn place(province: &str, armies: &[SymbolPlay], food: &[SymbolPlay]) -> Action {
    Action::PlaceArmies {
        province: Some(prov(province)),
        armies: armies.to_vec(),
        food: food.to_vec(),
    }
}

/// Moves armies by road: from, to, number.
pub(crate) fn march(steps: &[(&str, &str, u32)]) -> Action {
    let step = |&(from, to, count): &(&str, &str, u32)| RoadMove {
        from_province: Some(prov(from)),
        to_province: Some(prov(to)),
        count,
    };
    Action::MoveArmiesByRoad {
        moves: steps.iter().map(step).collect(),
    }
}

pub(crate) fn end_war(province: &str) -> Action {
    Action::EndWar {
        province: Some(prov(province)),
        hero: None,
    }
}

pub(crate) fn draft(id: &str, gold: &[SymbolPlay]) -> Action {
    Action::DraftCard {
        card: Some(card(id)),
        gold: gold.to_vec(),
    }
}

gamekeeper_rules::test_type! { Table: TestTable<Mythotopia> }

impl Table {
    /// A table in the middle of a game of this many players: red, blue, yellow, green; it is the turn of red. Nobody
    /// controls anything; starting cards are removed; all improvements that nobody holds are on display, except for the
    /// first thirteen, which are face down.
    pub(crate) fn of(seats: usize) -> Self {
        let options = options(seats, &Draft::default());
        let luck = Chance::from_seed(&Seed::from_number(1));
        let mut state = TestTable::<Mythotopia>::created(&options, luck).state;
        for player in state.players.iter_mut() {
            player.towns = Default::default();
            player.hand = CardSet::EMPTY;
            player.deck.clear();
            player.tokens = [0; 3];
            player.removed = Card::starting(player.color).collect();
        }
        state.stage = Stage::Turns;
        (state.first, state.active) = (R, R);
        state.dragons = Default::default();
        state.runestones = Default::default();
        let mut table = Self::at(state);
        table.in_play(&[]);
        table
    }

    /// A table with a given state.
    pub(crate) fn at(state: State) -> Self {
        let mut table = TestTable::at(state);
        table.luck = Chance::from_seed(&Seed::from_number(2));
        Self(table)
    }

    /// Sets the variable point cards in play, with all their tokens; the bank has the rest.
    pub(crate) fn in_play(&mut self, ids: &[&str]) {
        let variable = ids.iter().map(|id| PointCard::by_id(id).unwrap());
        self.state.in_play = PointCard::FIXED.into_iter().chain(variable).collect();
        self.state.bank = TOKENS;
        for stack in Stack::ALL {
            let here = self.state.in_play.contains(stack.card());
            let tokens = if here {
                stack.tokens(self.state.seats())
            } else {
                0
            };
            self.state.tokens[stack.index()] = tokens;
            let bank = self.state.bank_of(stack);
            *bank = bank.saturating_sub(tokens);
        }
    }

    pub(crate) fn tokens(&mut self, stack: Stack, tokens: u8) {
        self.state.tokens[stack.index()] = tokens;
    }

    /// Gives provinces with towns; the cards go to the discard pile.
    pub(crate) fn control(&mut self, seat: Seat, provinces: &[&str]) {
        for id in provinces {
            let player = &mut self.state.players[seat];
            player.towns.insert(prov(id));
            player.discard.insert(Card::province(prov(id)));
        }
    }

    pub(crate) fn city(&mut self, seat: Seat, province: &str) {
        let player = &mut self.state.players[seat];
        player.towns.remove(prov(province));
        player.cities.insert(prov(province));
    }

    pub(crate) fn citadel(&mut self, seat: Seat, province: &str) {
        let player = &mut self.state.players[seat];
        player.towns.remove(prov(province));
        player.citadel = Citadel::At(prov(province));
    }

    pub(crate) fn road(&mut self, a: &str, b: &str) {
        self.state.roads.insert(border(a, b));
    }

    /// Takes cards out of their current zones.
    fn fetch(&mut self, ids: &[&str]) -> CardSet {
        let cards: CardSet = ids.iter().map(|id| card(id)).collect();
        for player in self.state.players.iter_mut() {
            player.set_aside(cards);
            player.discard -= cards;
            player.removed -= cards;
            player.deck.retain(|card| !cards.contains(*card));
        }
        for improvement in cards.iter().filter_map(Card::as_improvement) {
            self.state.display.remove(improvement);
            if let Some(at) = self
                .state
                .improvement_deck
                .iter()
                .position(|&i| i == improvement)
            {
                let spare = self.state.display.iter().next().unwrap();
                self.state.display.remove(spare);
                self.state.improvement_deck[at] = spare;
            }
        }
        cards
    }

    pub(crate) fn hand(&mut self, seat: Seat, ids: &[&str]) {
        let cards = self.fetch(ids);
        let player = &mut self.state.players[seat];
        player.hand |= cards;
    }

    pub(crate) fn reserve(&mut self, seat: Seat, ids: &[&str]) {
        let cards = self.fetch(ids);
        let player = &mut self.state.players[seat];
        player.reserve |= cards;
    }

    pub(crate) fn discard(&mut self, seat: Seat, ids: &[&str]) {
        let cards = self.fetch(ids);
        let player = &mut self.state.players[seat];
        player.discard |= cards;
    }

    pub(crate) fn removed(&mut self, seat: Seat, ids: &[&str]) {
        let cards = self.fetch(ids);
        let player = &mut self.state.players[seat];
        player.removed |= cards;
    }

    /// Puts cards on the deck; the last one is on top.
    pub(crate) fn deck(&mut self, seat: Seat, ids: &[&str]) {
        self.fetch(ids);
        let player = &mut self.state.players[seat];
        player.deck.extend(ids.iter().map(|id| card(id)));
    }

    /// Puts an improvement on display.
    pub(crate) fn display(&mut self, improvement: Improvement) {
        self.fetch(&[&format!("imp:{}", improvement.id())]);
        self.state.display.insert(improvement);
    }

    /// Puts armies on the board, first from the pool, then from the stock.
    pub(crate) fn armies(&mut self, seat: Seat, province: &str, armies: u8) {
        let player = &mut self.state.players[seat];
        let pool = player.pool.armies.min(armies);
        player.pool.armies -= pool;
        player.stock.armies -= armies - pool;
        player.armies.add(prov(province), armies);
    }

    /// Leaves this many armies in stock; the others go to the pool.
    pub(crate) fn army_stock(&mut self, seat: Seat, armies: u8) {
        let player = &mut self.state.players[seat];
        let all = player.stock.armies + player.pool.armies;
        player.stock.armies = armies;
        player.pool.armies = all - armies;
    }

    pub(crate) fn ships(&mut self, seat: Seat, id: &str, ships: u8) {
        let player = &mut self.state.players[seat];
        let pool = player.pool.ships.min(ships);
        player.pool.ships -= pool;
        player.stock.ships -= ships - pool;
        player.ships[sea(id).index()] += ships;
    }

    /// Begins a new turn of a seat.
    pub(crate) fn turn(&mut self, seat: Seat) {
        self.state.active = seat;
        self.state.turn = Turn::default();
    }

    /// Scripts the random draws of cards from now on.
    pub(crate) fn draws(&mut self, draws: &[(&'static str, Seat, &[&str])]) {
        let number = |id: &&str| u16::try_from(card(id).index()).unwrap() + 1;
        let values = draws.iter().map(|draw| draw.2.iter().map(number).collect());
        let values: Vec<Vec<u16>> = values.collect();
        let draws = draws.iter().zip(&values);
        let draws = draws.map(|(draw, values)| (draw.0, Some(draw.1), &values[..]));
        self.script(&draws.collect::<Vec<_>>());
    }

    pub(crate) fn points(&self, seat: Seat) -> u8 {
        self.state.points(seat)
    }

    pub(crate) fn hand_of(&self, seat: Seat) -> usize {
        self.state.players[seat].hand.len()
    }

    pub(crate) fn discard_of(&self, seat: Seat) -> CardSet {
        self.state.players[seat].discard
    }
}

/// Returns validated options for this many players.
pub(crate) fn options(seats: usize, draft: &Draft) -> Options {
    let players = vec![String::from("Anybody"); seats];
    Mythotopia::options(&players, draft).unwrap()
}
