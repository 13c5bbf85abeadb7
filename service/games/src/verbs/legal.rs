//! `ListLegalActions`: lists of legal actions, with **pagination**. A list is walked in slices, and a page resumes
//! where the previous one ended. No call blocks its thread for long, and a late page costs as much as the first.

use std::ops::ControlFlow;

use gamekeeper_proto::gamekeeper::v1::{self as pb, ListLegalActionsRequest};
use gamekeeper_proto::raw::{self, ListLegalActionsResponse};
use gamekeeper_rules::ruleset::{Pricing, count_some, seek_left_out, visit_some};
use gamekeeper_rules::table::{Counted, Detail, Names, Place, Seat, Viewer, Wanted};
use gamekeeper_store::Version;
use gamekeeper_wire::{Malformed, Wire, amounts, component_names, legal_action};

use crate::heart::access::{Caller, Wish};
use crate::heart::games::Games;
use crate::heart::page::{MAX_PAGE, Page, token};
use crate::heart::permissions::may_read;
use crate::heart::problem::Problem;
use crate::heart::requests::parse_id;
use crate::heart::seats::{check_seat, seat};
use crate::heart::yielding::{STEPS, Yielder};

/// The version of the numbering of steps in a list. It changes when steps are numbered otherwise, so that page tokens
/// of other builds, which would lead elsewhere, are refused.
const NUMBERING: u32 = 2;

impl<W: Wire> Games<W> {
    /// Returns one page of the legal actions of a seat.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, or the store fails.
    pub async fn legal(
        &self,
        caller: &Caller,
        call: ListLegalActionsRequest,
    ) -> Result<ListLegalActionsResponse, Problem> {
        let id = parse_id(&call.game_id)?;
        let seat = match seat(call.seat, "seat") {
            Ok(seat) => seat,
            Err(problem) => return Err(self.unreadable(caller, id, problem).await),
        };
        let detail = detail(call.detail, "detail")?;
        // Boxed, like the values below: they are kept in the future of every list.
        let kinds = kinds(&self.action_kinds, &call.kinds)?.into_boxed_slice();
        let beside = Beside::read(call.show);
        let list = format!("legal {NUMBERING} {id} {seat} {detail:?} {kinds:?}").into_boxed_str();
        // Decoded before the first await: otherwise the future of every list would keep the request.
        let (limit, start) = {
            let page = Page::new(call.page_size, call.page_token);
            (page.limit(MAX_PAGE)?, page.deep_start(&list)?)
        };
        let game = self.open_fresh(caller, id).await?;
        check_seat(caller, &game, seat, "seat")?;
        let wish = Wish::Look(Viewer::Seat(seat));
        may_read(caller, &game, wish)?;
        let start = start.map(|start| Start::read(&start, game.version));
        let start = start.transpose()?;
        if game.is_over() {
            // Table life may have ended the game while the rules still have a decision open.
            return Ok(nothing_at(game.version));
        }
        // The list is computed from a copy of this version, so that other calls can act meanwhile.
        let (version, state) = (game.version, Box::new(game.state.clone()));
        let players = beside.text.then(|| Box::<[String]>::from(game.players()));
        drop(game);
        let legal = LegalList::<W> {
            state: &state,
            seat,
            wanted: Wanted {
                detail,
                kinds: &kinds,
            },
        };
        let Start { exhaustive, place } = match start {
            Some(start) => start,
            None => Start {
                exhaustive: legal.is_exhaustive().await,
                place: Place::default(),
            },
        };
        let mut shown = Shown::<W>::new(&state, (beside, seat), players);
        let mut actions = Vec::new();
        let end = legal
            .page(place, limit, &mut |action| {
                actions.push(shown.message(&action));
            })
            .await;
        let next = |place| Start { exhaustive, place }.numbers(version);
        Ok(ListLegalActionsResponse {
            version,
            actions,
            exhaustive,
            next_page_token: end.map_or_else(String::new, |place| token(&list, &next(place))),
        })
    }
}

/// The parts that are added to each action.
#[derive(Clone, Copy)]
struct Beside {
    text: bool,
    components: bool,
    amounts: bool,
}

impl Beside {
    fn read(show: Option<pb::Show>) -> Self {
        let pb::Show {
            text,
            components,
            amounts,
            ..
        } = show.unwrap_or_default();
        Self {
            text,
            components,
            amounts,
        }
    }
}

/// The context for encoding the actions of a list.
struct Shown<W: Wire> {
    beside: Beside,
    seat: Seat,
    /// The view of the seat. Is `None` if neither sentences nor components are requested.
    view: Option<W::View>,
    /// The pricing of actions. Is `None` if no amounts are requested.
    pricing: Option<Pricing<W>>,
    /// The names of the players. Is `None` if no sentences are requested.
    players: Option<Box<[String]>>,
}

impl<W: Wire> Shown<W> {
    /// Creates the context. Boxed: it is kept in the future of every list, and may hold a copy of the table.
    fn new(
        state: &W::State,
        (beside, seat): (Beside, Seat),
        players: Option<Box<[String]>>,
    ) -> Box<Self> {
        let needs_view = beside.text || beside.components;
        Box::new(Self {
            beside,
            seat,
            view: needs_view.then(|| W::view(state, Viewer::Seat(seat))),
            pricing: beside.amounts.then(|| Pricing::new(state, seat)),
            players,
        })
    }

    /// Encodes an action with the requested parts.
    fn message(&mut self, action: &W::Action) -> raw::LegalAction {
        let price = self.pricing.as_mut().map(|pricing| pricing.price(action));
        let view = self.view.as_ref();
        let text = view.filter(|_| self.beside.text).map(|view| {
            let names = Names::new(self.players.as_deref().unwrap_or_default());
            let text = W::action_text(view, action, names);
            price.iter().fold(text, |text, price| price.beside(text))
        });
        let touched = view.filter(|_| self.beside.components);
        let touched = touched.map(|view| W::action_components(view, self.seat, action));
        let price = price.unwrap_or_default();
        raw::LegalAction {
            components: component_names(&touched.unwrap_or_default()),
            cost: amounts(&price.cost),
            gains: amounts(&price.gains),
            ..legal_action::<W>(action, text)
        }
    }
}

/// Builds the empty list of a game that is over.
fn nothing_at(version: Version) -> ListLegalActionsResponse {
    ListLegalActionsResponse {
        version,
        exhaustive: true,
        ..ListLegalActionsResponse::default()
    }
}

/// The position at which a page begins, and what the first page found out.
struct Start {
    exhaustive: bool,
    place: Place,
}

impl Start {
    /// Decodes the numbers of a page token.
    fn read(numbers: &[u64], current: Version) -> Result<Self, Problem> {
        let foreign = || Malformed::new("page_token", "does not belong to this list");
        let [expected, exhaustive, path @ ..] = numbers else {
            return Err(foreign().into());
        };
        if *expected != current {
            let expected = *expected;
            return Err(Problem::StaleVersion { expected, current });
        }
        let path: Result<Vec<u32>, _> = path.iter().copied().map(u32::try_from).collect();
        Ok(Self {
            exhaustive: *exhaustive != 0,
            place: Place::at(path.map_err(|_| foreign())?),
        })
    }

    fn numbers(&self, version: Version) -> Vec<u64> {
        let path = self.place.numbers().iter().copied().map(u64::from);
        let known = [version, u64::from(self.exhaustive)];
        known.into_iter().chain(path).collect()
    }
}

/// The number of actions in a list, as far as they were counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    /// The number of actions that were counted.
    pub(crate) actions: u64,
    /// Whether all actions were counted.
    pub(crate) is_whole: bool,
}

/// A walk along a list, up to an index.
struct Steps<A> {
    place: u64,
    done: u64,
    /// The number of single actions that the walk may still pass.
    left: usize,
    /// The action at the index.
    found: Option<A>,
    /// Whether the walk ended because `left` was used up.
    is_cut: bool,
}

impl<A> Steps<A> {
    const fn to(place: u64, one_by_one: usize) -> Self {
        Self {
            place,
            done: 0,
            left: one_by_one,
            found: None,
            is_cut: false,
        }
    }

    /// Passes an action, or a whole group that does not contain the index. Breaks at the index, at a group that
    /// contains it, and when no more single actions may be passed.
    fn take(&mut self, counted: Counted<A>) -> ControlFlow<()> {
        match counted {
            Counted::One(action) if self.done == self.place => self.found = Some(action),
            Counted::One(_) if self.left == 0 => self.is_cut = true,
            Counted::One(_) => {
                self.done += 1;
                self.left -= 1;
                return ControlFlow::Continue(());
            }
            Counted::Many(count) => {
                let done = self.done.saturating_add(count);
                if done <= self.place {
                    self.done = done;
                    return ControlFlow::Continue(());
                }
            }
        }
        ControlFlow::Break(())
    }
}

/// The legal actions of a seat that a request selects.
pub(crate) struct LegalList<'a, W: Wire> {
    pub(crate) state: &'a W::State,
    pub(crate) seat: Seat,
    pub(crate) wanted: Wanted<'a>,
}

impl<W: Wire> LegalList<'_, W> {
    /// Passes at most `limit` actions to `take`, starting at `from`. Returns the position of the next action. Returns
    /// `None` if the list has ended.
    pub(crate) async fn page(
        &self,
        from: Place,
        limit: usize,
        take: &mut (dyn FnMut(W::Action) + Send),
    ) -> Option<Place> {
        let (mut next, mut taken, mut full) = (from, 0, false);
        let mut yielder = Yielder::new();
        loop {
            let slice = (next, STEPS);
            next = visit_some::<W>(self.state, self.seat, self.wanted, slice, &mut |action| {
                if taken == limit {
                    full = true;
                    return ControlFlow::Break(());
                }
                taken += 1;
                take(action);
                ControlFlow::Continue(())
            })?;
            if full {
                return Some(next);
            }
            yielder.yield_if_due().await;
        }
    }

    /// Counts the actions: groups of known size as a whole, and at most `one_by_one` single actions.
    pub(crate) async fn count(&self, one_by_one: usize) -> Count {
        let steps = self.walk(Steps::to(u64::MAX, one_by_one)).await;
        Count {
            actions: steps.done,
            is_whole: !steps.is_cut,
        }
    }

    /// Returns the action at this index of the list, from 0. Returns `None` if the list is shorter.
    pub(crate) async fn at(&self, place: u64) -> Option<W::Action> {
        self.walk(Steps::to(place, usize::MAX)).await.found
    }

    /// Walks the list to an index. Groups before the index are skipped as a whole.
    async fn walk(&self, mut steps: Steps<W::Action>) -> Steps<W::Action> {
        let (mut from, mut yielder) = (Place::default(), Yielder::new());
        loop {
            let slice = (from, STEPS);
            let take = &mut |counted| steps.take(counted);
            match count_some::<W>(self.state, self.seat, self.wanted, slice, take) {
                Some(place) if steps.found.is_none() && !steps.is_cut => from = place,
                Some(_) | None => return steps,
            }
            yielder.yield_if_due().await;
        }
    }

    /// Returns whether the list is exhaustive, that is, leaves out no legal action.
    pub(crate) async fn is_exhaustive(&self) -> bool {
        let (mut from, mut yielder) = (Place::default(), Yielder::new());
        loop {
            match seek_left_out::<W>(self.state, self.seat, self.wanted, (from, STEPS)) {
                ControlFlow::Break(exhaustive) => return exhaustive,
                ControlFlow::Continue(place) => from = place,
            }
            yielder.yield_if_due().await;
        }
    }
}

/// Decodes the requested level of detail.
///
/// # Errors
/// If the level of detail is unknown.
pub(crate) fn detail(asked: i32, field: &str) -> Result<Detail, Malformed> {
    match pb::ListDetail::try_from(asked) {
        Ok(pb::ListDetail::Unspecified | pb::ListDetail::Moves) => Ok(Detail::Moves),
        Ok(pb::ListDetail::AllPayments) => Ok(Detail::AllPayments),
        Err(_) => Err(Malformed::new(field, "is unknown")),
    }
}

/// Returns the requested kinds of actions, among those of the ruleset.
///
/// # Errors
/// If no action has a requested kind.
fn kinds<'a>(all: &'a [String], asked: &[String]) -> Result<Vec<&'a str>, Malformed> {
    let known = |(place, asked): (usize, &String)| {
        let kind = all.iter().find(|kind| *kind == asked);
        kind.map(String::as_str).ok_or_else(|| {
            let text = format!("is not a kind of action: {asked:?}");
            Malformed::new(format!("kinds[{place}]"), text)
        })
    };
    asked.iter().enumerate().map(known).collect()
}

#[cfg(test)]
pub(crate) mod tests;
