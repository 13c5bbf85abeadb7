//! A table as somebody describes it: a plain one, with the few fields that matter.

use gamekeeper_rules::conformance::DescribedTable;
use gamekeeper_rules::mythotopia::data::{
    Card, CardSet, ConverterSet, FACE_DOWN, Improvement, ImprovementSet, PointCard, Province, Slot,
    Stack,
};
use gamekeeper_rules::mythotopia::options::{Draft, Options};
use gamekeeper_rules::mythotopia::stage::Token;
use gamekeeper_rules::mythotopia::{
    AwardView, Force, Mythotopia, PlayerView, PointCardView, ProvinceView, TokenStack, TurnView,
    View,
};
use gamekeeper_rules::ruleset::{Ruleset, create};
use gamekeeper_rules::table::{Chance, ClosedSet as _, Pending, Seat, Seed, Viewer};

use crate::table::{R, Table, border, card, options, prov};

pub(super) use gamekeeper_rules::conformance::TestDescription;

gamekeeper_rules::test_type! { Described: DescribedTable<Mythotopia> }

impl Described {
    /// A table at which red begins a turn. Nobody has a province, and all starting cards are in the decks. The variable
    /// point cards in play are these.
    pub(super) fn of(seats: usize, point_cards: [&str; 4]) -> Self {
        let options = options(seats, &Draft::default());
        let made = create::<Mythotopia>(&options, Chance::from_seed(&Seed::from_number(1)));
        let mut view = Mythotopia::view(&made.state, Viewer::Operator);
        view.bookkeeping = None;
        view.provinces.clear();
        let variable = point_cards.map(|id| PointCard::by_id(id).unwrap());
        let cards = PointCard::FIXED.into_iter().chain(variable);
        let tokens = Default::default;
        view.point_cards = cards
            .map(|card| PointCardView {
                card,
                tokens: tokens(),
            })
            .collect();
        view.turn_order = vec![R];
        view.turn = Some(TurnView {
            active_player: R,
            actions_done: 0,
            free_action_done: false,
            drafted: false,
            road_move_used: false,
            warehouse_used: false,
            converters_used: ConverterSet::empty(),
        });
        for player in &mut view.players {
            (player.hand, player.deck) = (Some(CardSet::EMPTY), None);
            (player.discard, player.tokens) = (CardSet::EMPTY, [0; 3]);
        }
        Self::with_options(view, options).asks(R, "turn")
    }

    pub(super) fn of_view(view: View) -> Self {
        let options = view.options.clone();
        Self::with_options(view, options)
    }

    fn with_options(view: View, options: Options) -> Self {
        let mut described = DescribedTable::of(view, options);
        described.completed_by = lay_out;
        Self(described)
    }

    /// The table, if it is accepted.
    #[track_caller]
    pub(super) fn begin(&self) -> Table {
        Table::at(self.made().state)
    }

    pub(super) fn asks(self, seat: Seat, decision: &'static str) -> Self {
        self.with(|view| view.pending = [Pending { seat, decision }].into_iter().collect())
    }

    fn province(self, id: &str, change: impl FnOnce(&mut ProvinceView)) -> Self {
        self.with(|view| {
            let province = prov(id);
            let known = view
                .provinces
                .iter()
                .position(|shown| shown.province == province);
            let place = known.unwrap_or_else(|| {
                view.provinces.push(empty(province));
                view.provinces.len() - 1
            });
            change(&mut view.provinces[place]);
        })
    }

    /// Gives provinces with towns; their cards are in the deck.
    pub(super) fn towns(self, seat: Seat, ids: &[&str]) -> Self {
        ids.iter().fold(self, |table, id| {
            table.province(id, |province| province.controller = Some(seat))
        })
    }

    pub(super) fn castle(self, id: &str) -> Self {
        self.province(id, |province| province.castle = true)
    }

    pub(super) fn armies(self, seat: Seat, id: &str, armies: u8) -> Self {
        let force = Force {
            seat,
            armies,
            mercenaries: 0,
        };
        self.province(id, |province| province.forces.push(force))
    }

    pub(super) fn road(self, a: &str, b: &str) -> Self {
        self.with(|view| view.roads.push(border(a, b)))
    }

    pub(super) fn hand(self, seat: Seat, ids: &[&str]) -> Self {
        self.with(|view| view.players[seat.index()].hand = Some(set(ids)))
    }

    pub(super) fn deck(self, seat: Seat, ids: &[&str]) -> Self {
        self.with(|view| view.players[seat.index()].deck = Some(set(ids)))
    }

    pub(super) fn reserve(self, seat: Seat, ids: &[&str]) -> Self {
        self.with(|view| view.players[seat.index()].reserve = set(ids))
    }

    pub(super) fn removed(self, seat: Seat, ids: &[&str]) -> Self {
        self.with(|view| view.players[seat.index()].removed = set(ids))
    }

    pub(super) fn tokens(self, seat: Seat, tokens: [u8; 3]) -> Self {
        self.with(|view| view.players[seat.index()].tokens = tokens)
    }

    /// Takes all tokens off point cards.
    pub(super) fn emptied(self, ids: &[&str]) -> Self {
        self.with(|view| {
            for shown in &mut view.point_cards {
                if ids.contains(&shown.card.id()) {
                    let empty = |stack: &Stack| TokenStack {
                        token: token(*stack),
                        count: 0,
                    };
                    shown.tokens = shown.card.stacks().iter().map(empty).collect();
                }
            }
        })
    }

    /// A token that waits for a seat.
    pub(super) fn award(self, seat: Seat, stack: Stack) -> Self {
        let award = AwardView {
            seat,
            token: token(stack),
            sources: Vec::new(),
        };
        self.with(|view| view.awards.push(award))
    }

    pub(super) fn looks_at(self, improvements: [Improvement; 3]) -> Self {
        self.with(|view| view.inspected = Some(improvements.to_vec()))
    }

    pub(super) fn done(self, actions: u8) -> Self {
        self.with(|view| view.turn.as_mut().unwrap().actions_done = actions)
    }
}

/// Puts all improvements on display that nobody has, but for the last ones.
fn lay_out(view: &mut View) {
    if view.bookkeeping.is_some() || view.out_of_game.philosopher {
        return;
    }
    let owned = |player: &PlayerView| {
        let hand = player.hand.unwrap_or_default();
        hand | player.deck.unwrap_or_default() | player.discard | player.reserve
    };
    let cards = view.players.iter().flat_map(|player| owned(player).iter());
    let owned: ImprovementSet = cards.filter_map(Card::as_improvement).collect();
    let looked: ImprovementSet = view.inspected.iter().flatten().copied().collect();
    let mut free = ImprovementSet::all() - owned - looked;
    if view.inspected.is_some() {
        free.remove(Improvement::Philosopher);
    }
    let shown = free.len().saturating_sub(FACE_DOWN - looked.len());
    view.improvement_display = free.iter().take(shown).collect();
}

pub(super) fn token(stack: Stack) -> Token {
    let slot: Option<Slot> = stack.slot();
    Token {
        card: stack.card(),
        value: stack.printed_value(),
        slot,
    }
}

pub(super) fn set(ids: &[&str]) -> CardSet {
    ids.iter().map(|id| card(id)).collect()
}

fn empty(province: Province) -> ProvinceView {
    ProvinceView {
        province,
        controller: None,
        building: None,
        castle: false,
        dragon: false,
        runestone: false,
        forces: Default::default(),
    }
}
