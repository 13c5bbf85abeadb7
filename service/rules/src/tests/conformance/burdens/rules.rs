//! The rules: what is allowed, what it does, and how a game begins.

pub(super) mod legal {
    use std::ops::ControlFlow;

    use super::super::{Action, Chips, Decision, Refusal, RefusedAction, State};
    use gamekeeper_rules::table::{
        self, ActionEnumerator, Refusal as _, Seat, VisitFlow, pending_decision,
    };

    /// A validated answer.
    #[derive(Clone, Copy, Debug)]
    pub enum Answer {
        Take,
        Refuse(Chips),
    }

    /// A validated action of a seat.
    pub type Permit = table::Permit<Answer>;

    /// # Rule BUR-3
    pub(in super::super) fn check(
        state: &State,
        seat: Seat,
        action: &Action,
    ) -> Result<Permit, RefusedAction> {
        pending_decision(state.pending(), seat, Decision::id, "BUR-5", "BUR-3")?;
        let valid_action = match *action {
            Action::Take => Answer::Take,
            Action::Refuse { chips } => {
                let unknown = Refusal::UnknownId { field: "chips" };
                let chips = chips.ok_or_else(|| unknown.citing("BUR-3"))?;
                if chips.get() > state.players[seat].chips {
                    return Err(Refusal::TooFewChips.citing("BUR-3"));
                }
                Answer::Refuse(chips)
            }
        };
        Ok(Permit { seat, valid_action })
    }

    /// # Rule BUR-3
    pub(in super::super) fn candidates(
        state: &State,
        seat: Seat,
        list: &mut ActionEnumerator<'_, Action>,
    ) -> VisitFlow {
        if state.pending().all(|(to_act, _)| to_act != seat) {
            return ControlFlow::Continue(());
        }
        list.visit(Action::Take)?;
        Chips::all().try_for_each(|chips| list.visit(Action::Refuse { chips: Some(chips) }))
    }
}

pub(super) mod flow {
    use std::ops::ControlFlow;

    use super::super::{Action, Event, ExecContext, LEFT_OUT};
    use super::legal::{Answer, Permit};
    use gamekeeper_rules::table::{self, invariant_violated};

    pub(in super::super) fn run_to_decision(ctx: &mut ExecContext<'_>) {
        table::run_to_decision(ctx, |ctx| {
            turn_up(ctx);
            let seat = ctx.state.turn;
            if ctx.state.is_over() || ctx.state.players[seat].chips > 0 {
                return ControlFlow::Break(());
            }
            let valid_action = Answer::Take;
            ctx.execute_forced(seat, Action::Take, |ctx| {
                execute_immediate(ctx, Permit { seat, valid_action });
            });
            ControlFlow::Continue(())
        });
    }

    /// # Rule BUR-3
    pub(in super::super) fn execute_immediate(
        ctx: &mut ExecContext<'_>,
        Permit { seat, valid_action }: Permit,
    ) {
        let seats = ctx.state.seats();
        let state = &mut *ctx.state;
        let player = &mut state.players[seat];
        match valid_action {
            Answer::Take => {
                let card = state.offered.take();
                let card = card.unwrap_or_else(|| invariant_violated("BUR-3", seat));
                let chips = std::mem::take(&mut state.chips);
                player.chips += chips;
                player.cards.push(card);
                ctx.emit(Event::CardTaken { seat, card, chips });
            }
            Answer::Refuse(chips) => {
                player.chips -= chips.get();
                state.chips += chips.get();
                let mut order = seat.clockwise(seats).cycle();
                state.turn = order.nth(chips.get().into()).unwrap_or(seat);
                ctx.emit(Event::CardRefused { seat, chips });
            }
        }
    }

    /// Turns up the next card after one was taken; there is none at the end.
    ///
    /// # Rule BUR-2, BUR-3, BUR-5
    pub(super) fn turn_up(ctx: &mut ExecContext<'_>) {
        let state = &mut *ctx.state;
        if state.offered.is_none() && state.deck.len() > LEFT_OUT {
            let card = state.deck.remove(0);
            state.offered = Some(card);
            ctx.emit(Event::TurnedUp { card });
        }
    }
}

pub(super) mod setup {
    use super::super::{Action, CHIPS, Card, Event, ExecContext, Options, Player, State};
    use super::flow;
    use gamekeeper_rules::table::{Chance, Journal, PerSeat, Seat};

    /// # Rule BUR-1, BUR-2
    pub(in super::super) fn setup(
        options: &Options,
        chance: &mut Chance,
        journal: &mut Journal<Action, Event>,
    ) -> State {
        let mut state = State {
            deck: Card::all().collect(),
            offered: None,
            chips: 0,
            turn: Seat::FIRST,
            players: PerSeat::new(options.seats(), |_| Player {
                chips: CHIPS,
                cards: Vec::new(),
            }),
        };
        chance.shuffle("deck", None, &mut state.deck);
        flow::turn_up(&mut ExecContext {
            state: &mut state,
            chance,
            journal,
        });
        state
    }
}
