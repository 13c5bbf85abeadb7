//! One of the games that are played in parallel.

use gamekeeper_learn::EventCounts;
use gamekeeper_proto::gamekeeper::v1::{self as pb, SelfPlayAbandon};
use gamekeeper_proto::raw::self_play_move::Choice;
use gamekeeper_proto::raw::{self, SelfPlayMove, SelfPlayObservation};
use gamekeeper_rules::ruleset::apply_in_place;
use gamekeeper_rules::table::{
    ActionCursor, Automatic, Chance, Detail, Seat, Seed, TextContext, Viewer, Wanted,
    events_with_forced,
};
use gamekeeper_store::Version;
use gamekeeper_wire::{
    Malformed, PositionFault, Wire, pending, seat_number, standings, wrap_action, wrap_view,
};
use sha2::{Digest, Sha256};

use super::refusal::{malformed_move, rules_refusal, stale_version};
use super::start_mode::{StartMode, StartedGame, full_world};
use crate::handlers::list_legal_actions;
use crate::handlers::list_legal_actions::Count;
use crate::rendering::projection::Projection;
use crate::requests::ruleset_message::{decode_action, extract_action};
use crate::service::tensor_encoder::TensorEncoder;
use crate::timing::yielder::{STEPS_PER_SLICE, Yielder};

/// The parts of a plan that all its games share.
pub(super) struct Plan<W: Wire> {
    pub(super) options: W::Options,
    pub(super) start_mode: StartMode<W>,
    pub(super) seed: Seed,
    pub(super) show: pb::SelfPlayShow,
    pub(super) tensor_encoder: Option<TensorEncoder>,
    pub(super) detail: Detail,
    pub(super) max_actions: usize,
    pub(super) max_versions: Version,
}

/// The legal list of the seat to move.
struct LegalPrefix<A> {
    /// The first actions, up to the plan's maximum.
    first: Vec<A>,
    /// The number of all actions.
    count: Count,
}

/// A game in memory.
pub(super) struct SelfPlayGame<W: Wire> {
    slot: u32,
    number: u64,
    seed: Seed,
    version: Version,
    state: W::State,
    chance: Chance,
    /// The seat to move. Is `None` if the game is over.
    seat_to_move: Option<Seat>,
    /// The legal list, once it was shown or counted at this version.
    legal_prefix: Option<LegalPrefix<W::Action>>,
    /// The events that each seat has not seen yet. Collected only if the plan shows events.
    undelivered: Vec<UndeliveredEvents<W>>,
    /// The events since the last decision of each seat. Collected only if the plan shows numbers.
    events_since_decision: Vec<EventCounts>,
    /// Whether the game was not observed yet.
    is_unobserved: bool,
}

/// The events that a seat has not seen yet, and the scene before them.
struct UndeliveredEvents<W: Wire> {
    /// The events, each with whether it reports a forced action.
    events: Vec<(W::Event, bool)>,
    scene: TextContext,
}

impl<W: Wire> SelfPlayGame<W> {
    /// Starts the game `number`.
    ///
    /// # Errors
    /// If luck deals something that contradicts what a described table gives.
    pub(super) async fn start(
        plan: &Plan<W>,
        slot: u32,
        number: u64,
    ) -> Result<Self, PositionFault> {
        let seed = seed_of_game(&plan.seed, number);
        let number_and_seed = (number, &seed);
        let started = plan
            .start_mode
            .start_game(&plan.options, &plan.seed, number_and_seed);
        let StartedGame {
            state,
            chance,
            version,
            events,
            scene,
            seen,
        } = started.await?;
        let mut table = Self {
            slot,
            number,
            seed,
            version,
            state,
            chance,
            seat_to_move: None,
            legal_prefix: None,
            undelivered: (0..W::seats(&plan.options))
                .map(|_| UndeliveredEvents {
                    events: Vec::new(),
                    scene: scene.clone(),
                })
                .collect(),
            events_since_decision: vec![EventCounts::default(); W::seats(&plan.options)],
            is_unobserved: true,
        };
        if let Some((seat, seen)) = seen
            && let Some(counts) = table.events_since_decision.get_mut(seat.index())
        {
            *counts = seen;
        }
        table.advance(plan, &events, &[]);
        Ok(table)
    }

    /// Plays a move, given with its place in the request.
    ///
    /// # Errors
    /// If the move is malformed, the version is stale, or the rules refuse. Nothing has changed then.
    pub(super) async fn apply_move(
        &mut self,
        plan: &Plan<W>,
        (place, move_request): (usize, SelfPlayMove),
    ) -> Result<(), raw::Problem> {
        if move_request.version != 0 && move_request.version != self.version {
            return Err(stale_version(move_request.version, self.version));
        }
        let mut sent = None;
        let action = match move_request.choice {
            Some(Choice::Index(index)) => self.action_at(plan, index).await,
            Some(Choice::Action(message)) => extract_action::<W>(Some(message), "action")
                .and_then(|encoded| decode_action::<W>(sent.insert(encoded), "action")),
            Some(Choice::Abandon(SelfPlayAbandon {})) => {
                self.seat_to_move = None;
                return Ok(());
            }
            None => Err(Malformed::missing("choice")),
        };
        let action = action.map_err(|error| malformed_move(error, place))?;
        // A table without a seat to move is replaced before the next move, so there always is one.
        let seat = self.seat_to_move.unwrap_or(Seat::FIRST);
        let journal = apply_in_place::<W>(&mut self.state, &mut self.chance, seat, &action)
            .map_err(|refusal| rules_refusal::<W>(&refusal, sent.as_ref(), place))?;
        drop(self.chance.take_record());
        self.version += 1;
        let listed = self.legal_prefix.as_ref();
        if listed.is_some_and(|prefix| prefix.count.actions > 1)
            && let Some(events) = self.events_since_decision.get_mut(seat.index())
        {
            events.clear();
        }
        self.advance(plan, &journal.events, &journal.automatic);
        Ok(())
    }

    /// Returns the action at this index of the legal list.
    async fn action_at(&self, plan: &Plan<W>, index: u32) -> Result<W::Action, Malformed> {
        let fresh;
        let prefix = match &self.legal_prefix {
            Some(prefix) => prefix,
            None => {
                fresh = self.list_legal_prefix(plan).await;
                &fresh
            }
        };
        let position = usize::try_from(index).unwrap_or(usize::MAX);
        if let Some(action) = prefix.first.get(position) {
            return Ok(action.clone());
        }
        let Count { actions, .. } = prefix.count;
        let further = if u64::from(index) < actions {
            self.legal_list(plan).at(u64::from(index)).await
        } else {
            None
        };
        further.ok_or_else(|| {
            let text = format!("is {index}; the list has {actions} actions from 0 on");
            Malformed::new("index", text)
        })
    }

    fn advance(&mut self, plan: &Plan<W>, events: &[W::Event], automatic: &[Automatic<W::Action>]) {
        self.legal_prefix = None;
        let is_at_limit = plan.max_versions != 0 && self.version >= plan.max_versions;
        let next_seat = W::pending(&self.state).first().map(|pending| pending.seat);
        self.seat_to_move = next_seat.filter(|_| !is_at_limit);
        if plan.tensor_encoder.is_some() {
            let seats = Seat::all(self.events_since_decision.len());
            for (seat, counts) in seats.zip(&mut self.events_since_decision) {
                for event in events {
                    counts.add::<W>(event, seat);
                }
            }
        }
        if plan.show.events {
            for undelivered in &mut self.undelivered {
                let flagged = events_with_forced(events, automatic);
                let flagged = flagged.map(|(event, is_forced)| (event.clone(), is_forced));
                undelivered.events.extend(flagged);
            }
        }
    }

    /// Returns whether no seat is left to move.
    pub(super) fn is_over(&self) -> bool {
        self.seat_to_move.is_none()
    }

    /// Builds the observation of the seat to move.
    pub(super) async fn observe(&mut self, plan: &Plan<W>) -> SelfPlayObservation {
        let mut observation = self.observation_with(None);
        let seat = self.seat_to_move.unwrap_or(Seat::FIRST);
        let (show, viewer) = (plan.show, Viewer::Seat(seat));
        if std::mem::take(&mut self.is_unobserved) && show.world {
            observation.world = Some(full_world::<W>(&self.state));
        }
        if show.pending {
            observation.pending = pending(&W::pending(&self.state));
        }
        if show.view {
            observation.view = Some(wrap_view::<W>(&W::view(&self.state, viewer)));
        }
        if show.actions || show.action_count || plan.tensor_encoder.is_some() {
            let prefix = self.list_legal_prefix(plan).await;
            let LegalPrefix { first, count } = &prefix;
            if let Some(numbers) = &plan.tensor_encoder {
                let seat_events = self.events_since_decision.get(seat.index());
                let seat_events = seat_events.cloned().unwrap_or_default();
                let of = (&self.state, seat);
                observation.tensor = Some(numbers.tensor::<W>(of, &seat_events, first).await);
            }
            observation.action_count = u32::try_from(count.actions).unwrap_or(u32::MAX);
            let shows_all = !show.actions || first.len() as u64 == count.actions;
            let is_complete = shows_all && count.is_complete;
            observation.exhaustive = is_complete && self.legal_list(plan).is_exhaustive().await;
            if show.actions {
                let mut yielder = Yielder::new();
                for some in first.chunks(STEPS_PER_SLICE as usize) {
                    let messages = some.iter().map(wrap_action::<W>);
                    observation.actions.extend(messages);
                    yielder.yield_if_due().await;
                }
            }
            self.legal_prefix = Some(prefix);
        }
        observation.events = self.take_undelivered(plan, seat);
        observation
    }

    /// Encodes the events that a seat has not seen yet, and counts them as seen.
    fn take_undelivered(&mut self, plan: &Plan<W>, seat: Seat) -> Vec<raw::Event> {
        let Some(undelivered) = self.undelivered.get_mut(seat.index()) else {
            return Vec::new();
        };
        let events = std::mem::take(&mut undelivered.events);
        let show = Projection {
            events: true,
            text: plan.show.text,
            ..Projection::public_only(Viewer::Seat(seat))
        };
        let flagged = events.iter().map(|(event, is_forced)| (event, *is_forced));
        show.events::<W>(flagged, &[], &mut undelivered.scene)
    }

    /// Builds an observation without optional parts, with the refusal of a move if there is one.
    pub(super) fn observation_with(&self, refusal: Option<raw::Problem>) -> SelfPlayObservation {
        SelfPlayObservation {
            slot: self.slot,
            game: self.number,
            version: self.version,
            seat: self.seat_to_move.map_or(0, seat_number),
            refusal,
            ..SelfPlayObservation::default()
        }
    }

    /// Returns the legal list of the seat to move.
    fn legal_list(&self, plan: &Plan<W>) -> list_legal_actions::LegalList<'_, W> {
        list_legal_actions::LegalList {
            state: &self.state,
            seat: self.seat_to_move.unwrap_or(Seat::FIRST),
            wanted: Wanted::all(plan.detail),
        }
    }

    async fn list_legal_prefix(&self, plan: &Plan<W>) -> LegalPrefix<W::Action> {
        let (legal_list, mut first) = (self.legal_list(plan), Vec::new());
        let mut take = |action| first.push(action);
        let page = legal_list.page(ActionCursor::default(), plan.max_actions, &mut take);
        let count = match page.await {
            Some(_) => legal_list.count(plan.max_actions).await,
            None => Count {
                actions: first.len() as u64,
                is_complete: true,
            },
        };
        LegalPrefix { first, count }
    }

    /// Builds the result of the game, with the events that no observation has shown.
    pub(super) fn result(&mut self, plan: &Plan<W>) -> raw::SelfPlayResult {
        let ranking = W::ranking(&self.state);
        let seats = Seat::all(self.undelivered.len());
        let last_events = seats.map(|seat| raw::SelfPlayEvents {
            seat: seat_number(seat),
            events: self.take_undelivered(plan, seat),
        });
        raw::SelfPlayResult {
            last_events: last_events.filter(|last| !last.events.is_empty()).collect(),
            slot: self.slot,
            game: self.number,
            version: self.version,
            finished: ranking.is_some(),
            standings: ranking.map_or_else(Vec::new, |ranking| standings(&ranking)),
            seed: self.seed.as_bytes().to_vec(),
        }
    }
}

/// Derives the seed of the game `number`.
pub(super) fn seed_of_game(seed: &Seed, number: u64) -> Seed {
    let hash = Sha256::new()
        .chain_update(seed.as_bytes())
        .chain_update(number.to_le_bytes())
        .finalize();
    Seed::new(hash.into())
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
