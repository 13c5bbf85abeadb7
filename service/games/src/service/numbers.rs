//! **Numbers at stored tables**: what a seat knows and can do, as programs that learn have it in training.

use gamekeeper_learn::{EventCounts, MAX_ACTIONS};
use gamekeeper_proto::gamekeeper::v1::SelfPlayTensor;
use gamekeeper_rules::ruleset::visit_legal_from;
use gamekeeper_rules::table::{ActionCursor, Detail, Seat, Viewer, Wanted};
use gamekeeper_rules::table_life::TableEvent;
use gamekeeper_store::{GameId, Version};
use gamekeeper_wire::{Malformed, Wire};
use std::ops::ControlFlow;

use crate::aggregate::game::Game;
use crate::aggregate::recent_events::{RecentEvents, versions_taken_back};
use crate::errors::ServiceError;
use crate::log::{EntryKind, TableEntry};
use crate::rendering::projection::Projection;
use crate::requests::number_type::NumberType;
use crate::service::game_service::GameService;
use crate::service::load::{LOG_PAGE, LockedGame};
use crate::service::tensor_encoder::TensorEncoder;
use crate::timing::yielder::{STEPS_PER_SLICE, Yielder};

/// The numbers that a caller wants to see: those of one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeatNumbers {
    seat: Seat,
    number_type: NumberType,
}

impl SeatNumbers {
    /// Returns the numbers that a request wants. Returns `None` if it wants none.
    ///
    /// # Errors
    /// If the viewer has no seat: numbers are what one seat knows.
    pub(crate) fn from_request(show: Projection) -> Result<Option<Self>, Malformed> {
        match (show.numbers, show.viewer) {
            (None, _) => Ok(None),
            (Some(number_type), Viewer::Seat(seat)) => Ok(Some(Self { seat, number_type })),
            (Some(_), Viewer::Spectator | Viewer::Operator) => {
                Err(Malformed::new("show.numbers", "needs a seat as the viewer"))
            }
        }
    }

    /// Returns the numbers of a seat of this requested type. Returns `None` if none are requested.
    ///
    /// # Errors
    /// If the type is unknown.
    pub(crate) fn of_seat(
        seat: Seat,
        requested: i32,
        field: &str,
    ) -> Result<Option<Self>, Malformed> {
        let number_type = NumberType::from_request(requested, field)?;
        Ok(number_type.map(|number_type| Self { seat, number_type }))
    }
}

/// A table with the events that its seats have seen since their last decisions.
pub(crate) struct CountedTable<W: Wire> {
    state: W::State,
    seats: usize,
    is_over: bool,
    recent: Box<RecentEvents>,
}

impl<W: Wire> CountedTable<W> {
    /// Copies a table.
    pub(crate) fn new(game: &Game<W>, recent: Box<RecentEvents>) -> Self {
        Self {
            state: game.state.clone(),
            seats: W::seats(&game.genesis.options),
            is_over: game.is_over(),
            recent,
        }
    }

    /// Returns the table, with the events that a seat has seen since its last decision.
    pub(crate) fn known_to(self, seat: Seat) -> (W::State, EventCounts) {
        let events = self.events_of(seat);
        (self.state, events)
    }

    /// Returns the events that a seat has seen since its last decision.
    pub(crate) fn events_of(&self, seat: Seat) -> EventCounts {
        self.recent.of_seat(seat).cloned().unwrap_or_default()
    }
}

impl<W: Wire> GameService<W> {
    /// Counts the events of a game that is at its newest version. The log is read once; afterwards the cached game keeps
    /// the counts.
    ///
    /// # Errors
    /// If the store fails, or has lost the version.
    pub(crate) async fn count_events(
        &self,
        game: LockedGame<W>,
    ) -> Result<CountedTable<W>, ServiceError> {
        if let Some(recent) = &game.recent {
            return Ok(CountedTable::new(&game, recent.clone()));
        }
        let head = game.head();
        let id = game.id;
        // Other calls need not wait until the log is read.
        drop(game);
        let replayed = self.at_version_with_events(id, head.version).await?;
        if replayed.head() != head {
            // A failover has lost the version meanwhile.
            return Err(ServiceError::TooManyConflicts);
        }
        let counted = Self::counted(&replayed)?;
        if let Some(slot) = self.cache.get(&id)
            && let Ok(mut cached) = slot.try_lock()
            && let Some(game) = cached.as_mut().filter(|game| game.head() == head)
        {
            game.recent = Some(counted.recent.clone());
        }
        Ok(counted)
    }

    /// Rebuilds a game at a version, with the events that its seats have seen. Reads at most the whole log, and yields.
    ///
    /// # Errors
    /// If there is no such version, or the store fails.
    pub(crate) async fn at_version_with_events(
        &self,
        id: GameId,
        version: Version,
    ) -> Result<Game<W>, ServiceError> {
        let take_backs = self.take_backs(id, version).await?;
        let mut game = self.at_version(id, 1).await?;
        let taken_back = versions_taken_back(&take_backs, version);
        game.recent = Some(Box::new(RecentEvents::of_setup::<W>(
            &game.genesis,
            taken_back,
        )));
        self.replay_to(&mut game, version).await?;
        Ok(game)
    }

    /// Copies a table whose events are counted.
    pub(crate) fn counted(game: &Game<W>) -> Result<CountedTable<W>, ServiceError> {
        let recent = game.recent.clone();
        let recent = recent.ok_or_else(|| {
            ServiceError::Fault(String::from("a replay has not counted the events"))
        })?;
        Ok(CountedTable::new(game, recent))
    }

    /// Reads the take-backs of a log up to a version, each with the version that it restores.
    async fn take_backs(
        &self,
        id: GameId,
        version: Version,
    ) -> Result<Vec<(Version, Version)>, ServiceError> {
        let (mut take_backs, mut read_version, mut yielder) = (Vec::new(), 1, Yielder::new());
        while read_version < version {
            let page = self.entries(id, read_version, LOG_PAGE).await?;
            let Some(last) = page.last() else {
                break;
            };
            read_version = last.version;
            for entry in page.iter().filter(|entry| entry.version <= version) {
                if let EntryKind::Table(TableEntry {
                    event: TableEvent::TakenBack { to_version, .. },
                    ..
                }) = Game::<W>::read_entry(entry)?.kind
                {
                    take_backs.push((entry.version, to_version));
                }
                yielder.yield_if_due().await;
            }
        }
        Ok(take_backs)
    }

    /// Encodes what a seat knows and can do in a game that is at its newest version.
    ///
    /// # Errors
    /// If the store fails, or has lost the version.
    pub(crate) async fn numbers_of(
        &self,
        game: LockedGame<W>,
        numbers: SeatNumbers,
    ) -> Result<SelfPlayTensor, ServiceError> {
        let counted = self.count_events(game).await?;
        self.numbers(&counted, numbers).await
    }

    /// Encodes what a seat knows and can do at a table.
    ///
    /// # Errors
    /// If the spaces cannot be computed.
    pub(crate) async fn numbers(
        &self,
        table: &CountedTable<W>,
        SeatNumbers { seat, number_type }: SeatNumbers,
    ) -> Result<SelfPlayTensor, ServiceError> {
        let space = self.space(table.seats).await?;
        let actions = if table.is_over {
            Vec::new()
        } else {
            list_actions::<W>(&table.state, seat).await
        };
        let counts = table.events_of(seat);
        let space_version = space.version();
        let tensor = TensorEncoder::new(space, number_type)
            .tensor::<W>((&table.state, seat), &counts, &actions)
            .await;
        Ok(SelfPlayTensor {
            space_version,
            ..tensor
        })
    }
}

/// Lists the legal actions of a seat as in training.
async fn list_actions<W: Wire>(state: &W::State, seat: Seat) -> Vec<W::Action> {
    let (mut actions, mut from, mut yielder) =
        (Vec::new(), ActionCursor::default(), Yielder::new());
    loop {
        let slice = (from, STEPS_PER_SLICE);
        let wanted = Wanted::all(Detail::Moves);
        let next = visit_legal_from::<W>(state, seat, wanted, slice, &mut |action| {
            actions.push(action);
            if actions.len() < MAX_ACTIONS {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        match next {
            Some(next) if actions.len() < MAX_ACTIONS => from = next,
            Some(_) | None => return actions,
        }
        yielder.yield_if_due().await;
    }
}

#[cfg(test)]
mod tests;
