//! Open Attacks: whom they still affect, and what they hold (DOM-15.11).

use super::Judged;
use crate::dominion::data::{Card, CardType};
use crate::dominion::rules::attack::{is_asked, touched};
use crate::dominion::rules::cards::{militia, thief};
use crate::dominion::stage::{EffectFrame, Immune};
use crate::dominion::state::State;
use crate::table::{PositionError, Seat};

/// An open Attack, and the path of its effect.
pub struct Attack<'a> {
    pub state: &'a State,
    pub path: &'a str,
}

impl Attack<'_> {
    /// Checks an effect of an Attack; other effects pass.
    ///
    /// # Rule DOM-15.11
    pub fn judge(&self, frame: &EffectFrame) -> Judged {
        let state = self.state;
        match frame {
            EffectFrame::Reactions { queue, immune, .. } => {
                self.queue(queue, &state.opponents().collect::<Vec<_>>())?;
                let is_done = |seat: &Seat| !queue.contains(seat);
                self.immune(immune, state.opponents().filter(is_done))?;
                self.first(queue, "a Moat in hand", |seat| is_asked(state, seat))
            }
            EffectFrame::Militia { queue, immune } => {
                self.affected(queue, immune)?;
                self.first(queue, "more than 3 cards in hand", |seat| {
                    militia::surplus(state, seat) > 0
                })
            }
            EffectFrame::Bureaucrat { queue, immune } => {
                self.affected(queue, immune)?;
                self.first(queue, "a Victory card in hand", |seat| {
                    state.players[seat].hand.has_type(CardType::Victory)
                })
            }
            EffectFrame::Spy {
                queue,
                immune,
                revealed,
            } => {
                self.immune(immune, state.opponents())?;
                let active = std::iter::once(state.turn.active);
                let order: Vec<Seat> = active.chain(touched(state, immune)).collect();
                self.queue(queue, &order)?;
                let asks = revealed.is_some();
                self.unless(asks, "revealed", "nothing".into(), "a card".into())
            }
            EffectFrame::Thief {
                queue,
                immune,
                revealed,
                trashed,
            } => {
                self.affected(queue, immune)?;
                self.two_treasures(revealed)?;
                let robbed = touched(state, immune).len() - queue.len();
                self.trashed(trashed, 0, robbed)
            }
            EffectFrame::ThiefGain { trashed } => self.trashed(trashed, 1, state.seats() - 1),
            EffectFrame::Resolve { .. }
            | EffectFrame::ThroneChoose
            | EffectFrame::ThroneSecond { .. }
            | EffectFrame::Gain(_)
            | EffectFrame::Cellar
            | EffectFrame::Chapel
            | EffectFrame::Chancellor
            | EffectFrame::RemodelTrash
            | EffectFrame::MineTrash
            | EffectFrame::Library { .. } => Ok(()),
        }
    }

    fn unless(&self, holds: bool, field: &str, found: String, allowed: String) -> Judged {
        PositionError::unless(holds, || {
            let path = format!("{}.{field}", self.path);
            PositionError::new("DOM-15.11", path, found, allowed)
        })
    }

    /// Checks who is spared and who comes next of those whom the Attack affects.
    fn affected(&self, queue: &[Seat], immune: &Immune) -> Judged {
        self.immune(immune, self.state.opponents())?;
        self.queue(queue, &touched(self.state, immune))
    }

    /// Checks that the queue has the last ones of these players.
    fn queue(&self, queue: &[Seat], order: &[Seat]) -> Judged {
        let fits = !queue.is_empty() && order.ends_with(queue);
        let allowed = format!("one or more at the end of {}", numbers(order));
        self.unless(fits, "queue", numbers(queue), allowed)
    }

    /// Checks that the spared players are some of these, clockwise, and hold the Moat that they have shown.
    fn immune(&self, immune: &Immune, of: impl Iterator<Item = Seat>) -> Judged {
        let asked: Vec<Seat> = of.collect();
        let in_order = asked.iter().filter(|seat| immune.contains(seat));
        let allowed = format!("some of {}, in this order", numbers(&asked));
        self.unless(in_order.eq(immune), "immune", numbers(immune), allowed)?;
        for &seat in immune {
            let knows = self.state.players[seat].shown().has(Card::Moat);
            let allowed = String::from("players who hold the Moat that they have shown");
            self.unless(knows, "immune", seat.number().to_string(), allowed)?;
        }
        Ok(())
    }

    /// Checks that the first player of the queue can answer.
    fn first(&self, queue: &[Seat], wanted: &str, asks: impl Fn(Seat) -> bool) -> Judged {
        let Some(&seat) = queue.first() else {
            return Ok(());
        };
        PositionError::unless(asks(seat), || {
            let path = format!("{}.queue[0]", self.path);
            let allowed = format!("a player with {wanted}");
            PositionError::new("DOM-6.21", path, seat.number(), allowed)
        })
    }

    /// Checks that Thief has revealed two different Treasures; otherwise it does not ask.
    fn two_treasures(&self, revealed: &[Card]) -> Judged {
        let treasures = thief::treasures_of(revealed);
        let asks = usize::from(treasures.len()) == revealed.len() && treasures.kinds() > 1;
        let allowed = String::from("two kinds of Treasures");
        self.unless(asks, "revealed", super::super::named(revealed), allowed)
    }

    /// Checks the Treasures that this play has trashed: they are in the trash.
    fn trashed(&self, trashed: &[Card], least: usize, most: usize) -> Judged {
        let treasures = thief::treasures_of(trashed);
        let count = trashed.len();
        let fits = (least..=most).contains(&count)
            && usize::from(treasures.len()) == count
            && treasures.without(&self.state.trash).is_empty();
        let allowed = format!("{least} to {most} Treasures of the trash");
        self.unless(fits, "trashed", super::super::named(trashed), allowed)
    }
}

/// The numbers of seats: `2, 3`.
fn numbers(seats: &[Seat]) -> String {
    let numbers = seats.iter().map(|seat| seat.number().to_string());
    numbers.collect::<Vec<_>>().join(", ")
}
