//! The view of a table, and the knowledge of viewers besides.

pub(super) mod view {
    use super::super::{Card, Decision, Player, State};
    use gamekeeper_rules::table::{Pending, PendingList, Seat, Viewer};

    /// The table as one viewer may know it.
    #[derive(Clone, Debug, PartialEq)]
    pub struct View {
        /// The cards that are not turned up, for the operator.
        pub(in super::super) deck: Vec<Card>,
        pub(in super::super) offered: Option<Card>,
        /// The chips on the card.
        pub(in super::super) chips: u8,
        pub(in super::super) players: Vec<PlayerView>,
        pub(in super::super) pending: PendingList,
    }

    #[derive(Clone, Debug, PartialEq)]
    pub struct PlayerView {
        pub(in super::super) seat: Seat,
        /// The chips, for their owner.
        pub(in super::super) chips: Option<u8>,
        pub(in super::super) cards: Vec<Card>,
    }

    pub(in super::super) fn view(state: &State, viewer: Viewer) -> View {
        let player = |(seat, player): (Seat, &Player)| PlayerView {
            seat,
            chips: viewer.sees(seat).then_some(player.chips),
            cards: player.cards.clone(),
        };
        View {
            deck: match viewer {
                Viewer::Operator => state.deck.clone(),
                Viewer::Seat(_) | Viewer::Spectator => Vec::new(),
            },
            offered: state.offered,
            chips: state.chips,
            players: state.players.entries().map(player).collect(),
            pending: Pending::all(state.pending(), Decision::id),
        }
    }
}

/// Chips are hidden by the views, but the events tell every one.
pub(super) mod tally {
    use super::super::State;
    use gamekeeper_rules::table::{Seat, Viewer};

    pub(in super::super) fn names() -> Vec<String> {
        vec![String::from("chip")]
    }

    pub(in super::super) fn count(
        state: &State,
        _viewer: Viewer,
        seat: Seat,
        count: &mut dyn FnMut(usize, u16),
    ) {
        count(0, state.players[seat].chips.into());
    }
}

/// Only the deck is unknown.
pub(super) mod worlds {
    use super::super::State;
    use gamekeeper_rules::table::{Chance, Seat};

    pub(in super::super) fn sample_world(state: &State, _seat: Seat, chance: &mut Chance) -> State {
        let mut world = state.clone();
        world.deck.sort_unstable();
        chance.shuffle("world", None, &mut world.deck);
        drop(chance.take_record());
        world
    }
}

pub(super) mod score {
    pub(in super::super) use super::super::Source;
    use super::super::State;
    use gamekeeper_rules::table::{Score, ScoreItem};

    /// # Rule BUR-5
    pub(in super::super) fn scores(state: &State) -> impl Iterator<Item = Score<Source>> {
        state.players.entries().map(|(seat, player)| {
            let item = |source, points| ScoreItem { source, points };
            let cards = item(Source::Cards, player.burden());
            let chips = item(Source::Chips, -i32::from(player.chips));
            (seat, vec![cards, chips], Vec::new())
        })
    }
}

pub(super) mod holdings {
    use super::super::State;
    use gamekeeper_rules::table::{Holdings, Resource, Seat};

    const CHIP: usize = 0;
    const BURDEN: usize = 1;

    pub(in super::super) const RESOURCES: &[Resource] = &[
        Resource::new("chip", "chip"),
        Resource::mass("burden", "of burdens"),
    ];

    pub(in super::super) fn count(state: &State, seat: Seat, holdings: &mut Holdings) {
        let player = &state.players[seat];
        holdings.add(CHIP, player.chips);
        holdings.add(BURDEN, player.burden());
    }
}

pub(super) mod words {
    use super::super::Action;
    use super::view::View;
    use gamekeeper_rules::table::{Count, Names};

    pub(in super::super) fn action(view: &View, action: &Action, _names: Names<'_>) -> String {
        match (action, view.offered) {
            (Action::Take, Some(card)) => format!("take the {card}"),
            (Action::Take, None) => String::from("take the card"),
            (Action::Refuse { chips: Some(chips) }, _) => {
                format!("lay {}", Count(chips.get(), "chip"))
            }
            (Action::Refuse { chips: None }, _) => String::from("lay some chips"),
        }
    }
}

pub(super) mod board {
    use super::view::View;
    use gamekeeper_rules::table::text::{self, fact, wrap};
    use gamekeeper_rules::table::{Count, Names};

    pub(in super::super) fn board(view: &View, names: Names<'_>, columns: usize) -> String {
        let offered = view.offered.map(|card| format!("The card is the {card}"));
        let offered = offered.unwrap_or_else(|| String::from("No card is left"));
        let mut parts = vec![format!("{offered}, with {}", Count(view.chips, "chip"))];
        parts.extend(view.players.iter().map(|player| {
            let first = text::player(&view.pending, player.seat, names) + "  ";
            let cards: Vec<String> = player.cards.iter().map(ToString::to_string).collect();
            let mut facts = vec![fact("cards", cards.join(" "))];
            facts.extend(player.chips.map(|chips| fact("chips", chips)));
            wrap(&facts, "  ", &first, "    ", columns)
        }));
        parts.join("\n")
    }
}
