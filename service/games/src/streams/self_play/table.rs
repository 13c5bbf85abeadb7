//! One of the games that are played in parallel.

use gamekeeper_proto::gamekeeper::v1::{self as pb, SelfPlayAbandon};
use gamekeeper_proto::raw::self_play_move::Choice;
use gamekeeper_proto::raw::{self, SelfPlayMove, SelfPlayObservation};
use gamekeeper_rules::ruleset::play;
use gamekeeper_rules::table::{
    Automatic, Chance, Detail, Place, Scene, Seat, Seed, Viewer, Wanted, told,
};
use gamekeeper_store::Version;
use gamekeeper_wire::{
    Malformed, Wire, joined_action, joined_view, pending, seat_number, standings,
};
use sha2::{Digest, Sha256};

use super::numbers::Numbers;
use super::refusal::{malformed, refused, stale};
use super::start::{Begin, Begun, whole};
use crate::heart::own::{own_action, sent_action};
use crate::heart::show::Show;
use crate::heart::yielding::{STEPS, Yielder};
use crate::verbs::legal;
use crate::verbs::legal::Count;

/// The parts of a plan that all its games share.
pub(super) struct Plan<W: Wire> {
    pub(super) options: W::Options,
    pub(super) begin: Begin<W>,
    pub(super) seed: Seed,
    pub(super) show: pb::SelfPlayShow,
    pub(super) numbers: Option<Numbers>,
    pub(super) detail: Detail,
    pub(super) max_actions: usize,
    pub(super) max_versions: Version,
}

/// The legal list of the seat to move.
struct Listed<A> {
    /// The first actions, up to the plan's maximum.
    first: Vec<A>,
    /// The number of all actions.
    count: Count,
}

/// A game in memory.
pub(super) struct Table<W: Wire> {
    slot: u32,
    number: u64,
    seed: Seed,
    version: Version,
    state: W::State,
    chance: Chance,
    /// The seat to move. Is `None` if the game is over.
    asked: Option<Seat>,
    /// The legal list, once it was shown or counted at this version.
    listed: Option<Listed<W::Action>>,
    /// The events that each seat has not seen yet. Collected only if the plan shows events.
    unheard: Vec<Unheard<W>>,
    /// The events since the last decision of each seat. Collected only if the plan shows numbers.
    happened: Vec<Vec<W::Event>>,
    /// Whether the game was not observed yet.
    is_new: bool,
}

/// The events that a seat has not seen yet, and the scene before them.
struct Unheard<W: Wire> {
    /// The events, each with whether it reports a forced action.
    events: Vec<(W::Event, bool)>,
    scene: Scene,
}

impl<W: Wire> Table<W> {
    /// Starts the game `number`.
    pub(super) async fn begin(plan: &Plan<W>, slot: u32, number: u64) -> Self {
        let seed = seed_of(&plan.seed, number);
        let of_game = (number, &seed);
        let begun = plan.begin.game(&plan.options, &plan.seed, of_game);
        let Begun {
            state,
            chance,
            version,
            events,
            scene,
        } = begun.await;
        let mut table = Self {
            slot,
            number,
            seed,
            version,
            state,
            chance,
            asked: None,
            listed: None,
            unheard: (0..W::seats(&plan.options))
                .map(|_| Unheard {
                    events: Vec::new(),
                    scene: scene.clone(),
                })
                .collect(),
            happened: vec![Vec::new(); W::seats(&plan.options)],
            is_new: true,
        };
        table.moved_on(plan, &events, &[]);
        table
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the move is malformed, the version is stale, or the rules refuse. Nothing has changed then.
    pub(super) async fn play(
        &mut self,
        plan: &Plan<W>,
        given: SelfPlayMove,
    ) -> Result<(), raw::Problem> {
        if given.version != 0 && given.version != self.version {
            return Err(stale(given.version, self.version));
        }
        let action = match given.choice {
            Some(Choice::Index(index)) => self.at(plan, index).await,
            Some(Choice::Action(message)) => sent_action::<W>(Some(message), "action")
                .and_then(|sent| own_action::<W>(&sent, "action")),
            Some(Choice::Abandon(SelfPlayAbandon {})) => {
                self.asked = None;
                return Ok(());
            }
            None => Err(Malformed::missing("choice")),
        };
        let action = action.map_err(|error| malformed(&error))?;
        // A table without a seat to move is replaced before the next move, so there always is one.
        let seat = self.asked.unwrap_or(Seat::FIRST);
        let journal = play::<W>(&mut self.state, &mut self.chance, seat, &action)
            .map_err(|refusal| refused::<W>(&refusal))?;
        drop(self.chance.take_record());
        self.version += 1;
        let decided = self.listed.as_ref();
        if decided.is_some_and(|listed| listed.count.actions > 1)
            && let Some(happened) = self.happened.get_mut(seat.index())
        {
            happened.clear();
        }
        self.moved_on(plan, &journal.events, &journal.automatic);
        Ok(())
    }

    /// Returns the action at this index of the legal list.
    async fn at(&self, plan: &Plan<W>, index: u32) -> Result<W::Action, Malformed> {
        let made;
        let listed = match &self.listed {
            Some(listed) => listed,
            None => {
                made = self.list(plan).await;
                &made
            }
        };
        let place = usize::try_from(index).unwrap_or(usize::MAX);
        if let Some(action) = listed.first.get(place) {
            return Ok(action.clone());
        }
        let Count { actions, .. } = listed.count;
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

    fn moved_on(
        &mut self,
        plan: &Plan<W>,
        events: &[W::Event],
        automatic: &[Automatic<W::Action>],
    ) {
        self.listed = None;
        let far_enough = plan.max_versions != 0 && self.version >= plan.max_versions;
        let next = W::pending(&self.state).first().map(|pending| pending.seat);
        self.asked = next.filter(|_| !far_enough);
        if plan.numbers.is_some() {
            for happened in &mut self.happened {
                happened.extend_from_slice(events);
            }
        }
        if plan.show.events {
            for unheard in &mut self.unheard {
                let told = told(events, automatic);
                let told = told.map(|(event, is_forced)| (event.clone(), is_forced));
                unheard.events.extend(told);
            }
        }
    }

    /// Returns whether no seat is left to move.
    pub(super) fn is_over(&self) -> bool {
        self.asked.is_none()
    }

    /// Builds the observation of the seat to move.
    pub(super) async fn observe(&mut self, plan: &Plan<W>) -> SelfPlayObservation {
        let mut observation = self.refused(None);
        let seat = self.asked.unwrap_or(Seat::FIRST);
        let (show, viewer) = (plan.show, Viewer::Seat(seat));
        if std::mem::take(&mut self.is_new) && show.world {
            observation.world = Some(whole::<W>(&self.state));
        }
        if show.pending {
            observation.pending = pending(&W::pending(&self.state));
        }
        if show.view {
            observation.view = Some(joined_view::<W>(&W::view(&self.state, viewer)));
        }
        if show.actions || show.action_count || plan.numbers.is_some() {
            let listed = self.list(plan).await;
            let Listed { first, count } = &listed;
            if let Some(numbers) = &plan.numbers {
                let happened = self.happened.get(seat.index());
                let happened = happened.map_or(&[][..], Vec::as_slice);
                let of = (&self.state, seat);
                observation.tensor = Some(numbers.tensor::<W>(of, happened, first).await);
            }
            observation.action_count = u32::try_from(count.actions).unwrap_or(u32::MAX);
            let is_shown = !show.actions || first.len() as u64 == count.actions;
            let is_whole = is_shown && count.is_whole;
            observation.exhaustive = is_whole && self.legal_list(plan).is_exhaustive().await;
            if show.actions {
                let mut yielder = Yielder::new();
                for some in first.chunks(STEPS as usize) {
                    let messages = some.iter().map(joined_action::<W>);
                    observation.actions.extend(messages);
                    yielder.yield_if_due().await;
                }
            }
            self.listed = Some(listed);
        }
        if let Some(unheard) = self.unheard.get_mut(seat.index()) {
            let events = std::mem::take(&mut unheard.events);
            let show = Show {
                events: true,
                text: show.text,
                ..Show::facts(viewer)
            };
            let told = events.iter().map(|(event, is_forced)| (event, *is_forced));
            observation.events = show.events::<W>(told, &[], &mut unheard.scene);
        }
        observation
    }

    /// Builds an observation without optional parts, with the refusal of a move if there is one.
    pub(super) fn refused(&self, refusal: Option<raw::Problem>) -> SelfPlayObservation {
        SelfPlayObservation {
            slot: self.slot,
            game: self.number,
            version: self.version,
            seat: self.asked.map_or(0, seat_number),
            refusal,
            ..SelfPlayObservation::default()
        }
    }

    /// Returns the legal list of the seat to move.
    fn legal_list(&self, plan: &Plan<W>) -> legal::LegalList<'_, W> {
        legal::LegalList {
            state: &self.state,
            seat: self.asked.unwrap_or(Seat::FIRST),
            wanted: Wanted::all(plan.detail),
        }
    }

    async fn list(&self, plan: &Plan<W>) -> Listed<W::Action> {
        let (list, mut first) = (self.legal_list(plan), Vec::new());
        let mut take = |action| first.push(action);
        let page = list.page(Place::default(), plan.max_actions, &mut take);
        let count = match page.await {
            Some(_) => list.count(plan.max_actions).await,
            None => Count {
                actions: first.len() as u64,
                is_whole: true,
            },
        };
        Listed { first, count }
    }

    /// Builds the result of the game.
    pub(super) fn result(&self) -> pb::SelfPlayResult {
        let ranking = W::ranking(&self.state);
        pb::SelfPlayResult {
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
fn seed_of(seed: &Seed, number: u64) -> Seed {
    let hash = Sha256::new()
        .chain_update(seed.as_bytes())
        .chain_update(number.to_le_bytes())
        .finalize();
    Seed::new(hash.into())
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
