//! The games of a vector that one thread plays.

use std::sync::Arc;

use super::rows::BatchRows;
use super::slot::{Slot, SlotRows};
use crate::game::Observer;
use crate::opponents::{Opponent, Opponents, WordPolicy};
use crate::row_buffer::{DirtyCells, Element, RowBuffer};
use crate::settings::Fault;
use crate::space::Space;

/// The maximum number of positions that a learned policy sees at once.
const MAX_ROWS: usize = 64;

/// The memory that a thread uses for its games.
#[derive(Clone)]
pub(super) struct Worker {
    pub(super) buffer: RowBuffer,
    /// The observations of learned opponents, with the content of each row.
    cells: Vec<f32>,
    rows: Vec<DirtyCells>,
}

impl Worker {
    pub(super) fn new(space: &Space) -> Self {
        Self {
            buffer: space.row_buffer(),
            cells: Vec::new(),
            rows: Vec::new(),
        }
    }
}

/// Some games of a vector.
pub(super) struct Chunk<'a, C> {
    pub(super) slots: &'a mut [Slot],
    pub(super) rows: BatchRows<'a, C>,
    /// The numbers of cells and words.
    pub(super) sizes: (usize, usize),
    pub(super) worker: &'a mut Worker,
    pub(super) opponents: &'a Opponents,
}

impl<C: Element> Chunk<'_, C> {
    /// Runs some work for each game, and lets learned opponents play. `first` is the slot of the first game.
    pub(super) fn run(mut self, first: usize, job: &impl Fn(usize, &mut SlotRows<'_, C>)) {
        for index in 0..self.slots.len() {
            self.with_rows(index, |rows| job(first + index, rows));
        }
        while self.answer_learned() {}
    }

    /// Runs some work for a game.
    fn with_rows(&mut self, index: usize, job: impl FnOnce(&mut SlotRows<'_, C>)) {
        let (size, words) = self.sizes;
        let BatchRows {
            observations,
            masks,
            seats,
        } = &mut self.rows;
        let cells = observations.chunks_exact_mut(size).nth(index);
        let mask = masks.chunks_exact_mut(words).nth(index);
        if let (Some(cells), Some(mask)) = (cells, mask)
            && let (Some(seat), Some(slot)) = (seats.get_mut(index), self.slots.get_mut(index))
        {
            job(&mut SlotRows {
                slot,
                cells,
                mask,
                seat,
                buffer: &mut self.worker.buffer,
                opponents: self.opponents,
            });
        }
    }

    /// Lets a learned opponent say a word in each game that waits for it. Returns whether there was such a game.
    fn answer_learned(&mut self) -> bool {
        let Some((policy, waiting)) = self.waiting() else {
            return false;
        };
        let words = self.choose_words(&*policy, &waiting);
        for (row, index) in waiting.into_iter().enumerate() {
            match &words {
                Ok(words) => {
                    let word = words.get(row).copied().unwrap_or(u16::MAX);
                    self.with_rows(index, |rows| rows.push_learned(word));
                }
                Err(fault) => self.slots[index].fail(fault.clone()),
            }
        }
        true
    }

    /// Returns a learned opponent, and the games that wait for it.
    fn waiting(&self) -> Option<(Arc<dyn WordPolicy>, Vec<usize>)> {
        let learned = |slot: &Slot| match slot.waits_for(self.opponents)? {
            Opponent::Learned(policy) => Some(Arc::clone(policy)),
            Opponent::Bot(..) => None,
        };
        let first = self.slots.iter().find_map(learned)?;
        let is_waiting = |slot: &Slot| learned(slot).is_some_and(|one| Arc::ptr_eq(&one, &first));
        let slots = self.slots.iter().enumerate();
        let waiting = slots.filter_map(|(index, slot)| is_waiting(slot).then_some(index));
        let waiting = waiting.take(MAX_ROWS).collect();
        Some((first, waiting))
    }

    fn choose_words(
        &mut self,
        policy: &dyn WordPolicy,
        waiting: &[usize],
    ) -> Result<Vec<u16>, Fault> {
        let Worker {
            buffer,
            cells,
            rows,
        } = &mut *self.worker;
        let (size, _) = self.sizes;
        if rows.len() < waiting.len() {
            rows.resize_with(waiting.len(), DirtyCells::default);
            cells.resize(waiting.len() * size, 0.0);
        }
        let mut choices = Vec::with_capacity(waiting.len());
        let slots = self.slots.iter_mut().enumerate();
        let slots = slots.filter(|(index, _)| waiting.binary_search(index).is_ok());
        let numbers = cells.chunks_exact_mut(size).zip(rows);
        for ((_, slot), (cells, dirty)) in slots.zip(numbers) {
            if let Some(seat) = slot.game.seat() {
                slot.game.observe(Observer::Seat(seat), seat, buffer);
                buffer.flush_into(cells, dirty);
            }
            choices.extend(slot.choice());
        }
        policy.choose_words(&cells[..choices.len() * size], &mut choices)
    }
}
