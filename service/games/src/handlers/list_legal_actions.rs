//! `ListLegalActions`: lists of legal actions, with **pagination**. A list is walked in slices, and a page resumes
//! where the previous one ended. No call blocks its thread for long, and a late page costs as much as the first.

use std::ops::ControlFlow;

use gamekeeper_proto::gamekeeper::v1::{self as pb, ListLegalActionsRequest};
use gamekeeper_proto::raw::{self, ListLegalActionsResponse};
use gamekeeper_rules::ruleset::{
    CostPreview, count_legal_from, find_omitted_from, visit_legal_from,
};
use gamekeeper_rules::table::{ActionCursor, Counted, Detail, Names, Seat, Viewer, Wanted};
use gamekeeper_store::Version;
use gamekeeper_wire::{Malformed, Wire, amounts, component_names, legal_action};

use crate::authz::{Caller, Permission};
use crate::errors::ServiceError;
use crate::requests::ids::parse_id;
use crate::requests::page::{MAX_PAGE, PageRequest, encode_cursor};
use crate::service::authorization::authorize_read;
use crate::service::game_service::GameService;
use crate::service::numbers::SeatNumbers;
use crate::service::seats::{ensure_seat_exists, parse_seat};
use crate::timing::yielder::{STEPS_PER_SLICE, Yielder};

/// The version of the numbering of steps in a list. It changes when steps are numbered otherwise, so that page tokens
/// of other builds, which would lead elsewhere, are refused.
const CURSOR_FORMAT: u32 = 2;

impl<W: Wire> GameService<W> {
    /// Returns one page of the legal actions of a seat.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, or the store fails.
    pub async fn list_legal_actions(
        &self,
        caller: &Caller,
        call: ListLegalActionsRequest,
    ) -> Result<ListLegalActionsResponse, ServiceError> {
        let id = parse_id(&call.game_id)?;
        let seat = match parse_seat(call.seat, "seat") {
            Ok(seat) => seat,
            Err(problem) => return Err(self.with_seat_count(caller, id, problem).await),
        };
        let detail = parse_detail(call.detail, "detail")?;
        // Boxed, like the values below: they are kept in the future of every list.
        let requested_kinds = parse_kinds(&self.action_kinds, &call.kinds)?.into_boxed_slice();
        let show = call.show.unwrap_or_default();
        let extras = ActionExtras::from_request(&show);
        let show_numbers = show.numbers;
        let numbers = SeatNumbers::of_seat(seat, show_numbers, "show.numbers")?
            .filter(|_| call.page_token.is_empty());
        let list = format!("legal {CURSOR_FORMAT} {id} {seat} {detail:?} {requested_kinds:?}")
            .into_boxed_str();
        // Decoded before the first await: otherwise the future of every list would keep the request.
        let (limit, start) = {
            let page = PageRequest::new(call.page_size, call.page_token);
            (page.limit(MAX_PAGE)?, page.decode_deep_cursor(&list)?)
        };
        let game = self.lock_current(caller, id).await?;
        ensure_seat_exists(caller, &game, seat, "seat")?;
        let permission = Permission::View(Viewer::Seat(seat));
        authorize_read(caller, &game, permission)?;
        let cursor = start.map(|start| ListCursor::decode(&start, game.version));
        let start = cursor.transpose()?;
        if game.is_over() {
            // Table life may have ended the game while the rules still have a decision open.
            return Ok(empty_list_at(game.version));
        }
        // The list is computed from a copy of this version, so that other calls can act meanwhile.
        let (version, state) = (game.version, Box::new(game.state.clone()));
        let named = extras.text && !extras.anonymous;
        let players = named.then(|| Box::<[String]>::from(game.players()));
        let numbers = match numbers {
            Some(numbers) => Some(Box::new(Box::pin(self.numbers_of(game, numbers)).await?)),
            None => {
                drop(game);
                None
            }
        };
        let legal = LegalList::<W> {
            state: &state,
            seat,
            wanted: Wanted {
                detail,
                kinds: &requested_kinds,
            },
        };
        let shown = ActionRenderer::<W>::new(&state, (extras, seat), players);
        let page = list_page(&legal, (start, limit), shown, (&list, version)).await;
        Ok(ListLegalActionsResponse {
            numbers: numbers.map(|numbers| *numbers),
            ..page
        })
    }
}

/// Lists one page of a list with this name, at this version. `start` is where the page begins, `None` on the first one.
async fn list_page<W: Wire>(
    legal: &LegalList<'_, W>,
    (start, limit): (Option<ListCursor>, usize),
    mut shown: Box<ActionRenderer<W>>,
    (list, version): (&str, Version),
) -> ListLegalActionsResponse {
    let ListCursor {
        exhaustive,
        position,
    } = match start {
        Some(start) => start,
        None => ListCursor::new(legal.is_exhaustive().await, ActionCursor::default()),
    };
    let mut actions = Vec::new();
    let end = legal
        .page(position, limit, &mut |action| {
            actions.push(shown.render(&action));
        })
        .await;
    let next = |position| ListCursor::new(exhaustive, position).encode(version);
    ListLegalActionsResponse {
        version,
        actions,
        exhaustive,
        next_page_token: end
            .map_or_else(String::new, |position| encode_cursor(list, &next(position))),
        ..ListLegalActionsResponse::default()
    }
}

/// The parts that are added to each action.
#[derive(Clone, Copy)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says of one part whether or how it is asked for"
)]
struct ActionExtras {
    text: bool,
    components: bool,
    amounts: bool,
    /// Whether players go by their seats instead of by their names.
    anonymous: bool,
}

impl ActionExtras {
    const fn from_request(show: &pb::Show) -> Self {
        let &pb::Show {
            text,
            components,
            amounts,
            anonymous,
            ..
        } = show;
        Self {
            text,
            components,
            amounts,
            anonymous,
        }
    }
}

/// The context for encoding the actions of a list.
struct ActionRenderer<W: Wire> {
    extras: ActionExtras,
    seat: Seat,
    /// The view of the seat. Is `None` if neither sentences nor components are requested.
    view: Option<W::View>,
    /// The pricing of actions. Is `None` if no amounts are requested.
    pricing: Option<CostPreview<W>>,
    /// The names of the players. Is `None` if no sentences are requested, or the players go by their seats.
    players: Option<Box<[String]>>,
}

impl<W: Wire> ActionRenderer<W> {
    /// Creates the context. Boxed: it is kept in the future of every list, and may hold a copy of the table.
    fn new(
        state: &W::State,
        (extras, seat): (ActionExtras, Seat),
        players: Option<Box<[String]>>,
    ) -> Box<Self> {
        let needs_view = extras.text || extras.components;
        Box::new(Self {
            extras,
            seat,
            view: needs_view.then(|| W::view(state, Viewer::Seat(seat))),
            pricing: extras.amounts.then(|| CostPreview::new(state, seat)),
            players,
        })
    }

    /// Encodes an action with the requested parts.
    fn render(&mut self, action: &W::Action) -> raw::LegalAction {
        let price = self.pricing.as_mut().map(|pricing| pricing.price(action));
        let view = self.view.as_ref();
        let text = view.filter(|_| self.extras.text).map(|view| {
            let names = Names::new(self.players.as_deref().unwrap_or_default());
            let text = W::action_text(view, action, names);
            price.iter().fold(text, |text, price| price.annotate(text))
        });
        let touched = view.filter(|_| self.extras.components);
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
fn empty_list_at(version: Version) -> ListLegalActionsResponse {
    ListLegalActionsResponse {
        version,
        exhaustive: true,
        ..ListLegalActionsResponse::default()
    }
}

/// The position at which a page begins, and what the first page found out.
struct ListCursor {
    exhaustive: bool,
    position: ActionCursor,
}

impl ListCursor {
    /// Creates the cursor of a page of a list that is exhaustive or not.
    const fn new(exhaustive: bool, position: ActionCursor) -> Self {
        Self {
            exhaustive,
            position,
        }
    }

    /// Decodes the numbers of a page token.
    fn decode(numbers: &[u64], current: Version) -> Result<Self, ServiceError> {
        let wrong_list = || Malformed::new("page_token", "does not belong to this list");
        let [expected_version, exhaustive, path @ ..] = numbers else {
            return Err(wrong_list().into());
        };
        if *expected_version != current {
            let expected = *expected_version;
            return Err(ServiceError::StaleVersion { expected, current });
        }
        let path: Result<Vec<u32>, _> = path.iter().copied().map(u32::try_from).collect();
        Ok(Self {
            exhaustive: *exhaustive != 0,
            position: ActionCursor::from_numbers(path.map_err(|_| wrong_list())?),
        })
    }

    fn encode(&self, version: Version) -> Vec<u64> {
        let path = self.position.numbers().iter().copied().map(u64::from);
        let fields = [version, u64::from(self.exhaustive)];
        fields.into_iter().chain(path).collect()
    }
}

/// The number of actions in a list, as far as they were counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    /// The number of actions that were counted.
    pub(crate) actions: u64,
    /// Whether all actions were counted.
    pub(crate) is_complete: bool,
}

/// A walk along a list, up to an index.
struct Walk<A> {
    target: u64,
    passed: u64,
    /// The number of single actions that the walk may still pass.
    remaining_singles: usize,
    /// The action at the index.
    target_action: Option<A>,
    /// Whether the walk ended because `remaining_singles` was used up.
    is_truncated: bool,
}

impl<A> Walk<A> {
    const fn to(target: u64, one_by_one: usize) -> Self {
        Self {
            target,
            passed: 0,
            remaining_singles: one_by_one,
            target_action: None,
            is_truncated: false,
        }
    }

    /// Passes an action, or a whole group that does not contain the index. Breaks at the index, at a group that
    /// contains it, and when no more single actions may be passed.
    fn visit(&mut self, counted: Counted<A>) -> ControlFlow<()> {
        match counted {
            Counted::One(action) if self.passed == self.target => self.target_action = Some(action),
            Counted::One(_) if self.remaining_singles == 0 => self.is_truncated = true,
            Counted::One(_) => {
                self.passed += 1;
                self.remaining_singles -= 1;
                return ControlFlow::Continue(());
            }
            Counted::Many(count) => {
                let passed = self.passed.saturating_add(count);
                if passed <= self.target {
                    self.passed = passed;
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
        from: ActionCursor,
        limit: usize,
        take: &mut (dyn FnMut(W::Action) + Send),
    ) -> Option<ActionCursor> {
        let (mut next, mut returned, mut is_full) = (from, 0, false);
        let mut yielder = Yielder::new();
        loop {
            let slice = (next, STEPS_PER_SLICE);
            next =
                visit_legal_from::<W>(self.state, self.seat, self.wanted, slice, &mut |action| {
                    if returned == limit {
                        is_full = true;
                        return ControlFlow::Break(());
                    }
                    returned += 1;
                    take(action);
                    ControlFlow::Continue(())
                })?;
            if is_full {
                return Some(next);
            }
            yielder.yield_if_due().await;
        }
    }

    /// Counts the actions: groups of known size as a whole, and at most `max_singles` single actions.
    pub(crate) async fn count(&self, max_singles: usize) -> Count {
        let walk = self.run_walk(Walk::to(u64::MAX, max_singles)).await;
        Count {
            actions: walk.passed,
            is_complete: !walk.is_truncated,
        }
    }

    /// Returns the action at this index of the list, from 0. Returns `None` if the list is shorter.
    pub(crate) async fn at(&self, index: u64) -> Option<W::Action> {
        self.run_walk(Walk::to(index, usize::MAX))
            .await
            .target_action
    }

    /// Walks the list to an index. Groups before the index are skipped as a whole.
    async fn run_walk(&self, mut walk: Walk<W::Action>) -> Walk<W::Action> {
        let (mut position, mut yielder) = (ActionCursor::default(), Yielder::new());
        loop {
            let slice = (position, STEPS_PER_SLICE);
            let take = &mut |counted| walk.visit(counted);
            match count_legal_from::<W>(self.state, self.seat, self.wanted, slice, take) {
                Some(next) if walk.target_action.is_none() && !walk.is_truncated => position = next,
                Some(_) | None => return walk,
            }
            yielder.yield_if_due().await;
        }
    }

    /// Returns whether the list is exhaustive, that is, leaves out no legal action.
    pub(crate) async fn is_exhaustive(&self) -> bool {
        let (mut position, mut yielder) = (ActionCursor::default(), Yielder::new());
        loop {
            match find_omitted_from::<W>(
                self.state,
                self.seat,
                self.wanted,
                (position, STEPS_PER_SLICE),
            ) {
                ControlFlow::Break(exhaustive) => return exhaustive,
                ControlFlow::Continue(next) => position = next,
            }
            yielder.yield_if_due().await;
        }
    }
}

/// Decodes the requested level of detail.
///
/// # Errors
/// If the level of detail is unknown.
pub(crate) fn parse_detail(requested: i32, field: &str) -> Result<Detail, Malformed> {
    match pb::ListDetail::try_from(requested) {
        Ok(pb::ListDetail::Unspecified | pb::ListDetail::Moves) => Ok(Detail::Moves),
        Ok(pb::ListDetail::AllPayments) => Ok(Detail::AllPayments),
        Err(_) => Err(Malformed::new(field, "is unknown")),
    }
}

/// Returns the requested kinds of actions, among those of the ruleset.
///
/// # Errors
/// If no action has a requested kind.
fn parse_kinds<'a>(all: &'a [String], requested: &[String]) -> Result<Vec<&'a str>, Malformed> {
    let parse_kind = |(index, requested): (usize, &String)| {
        let kind = all.iter().find(|kind| *kind == requested);
        kind.map(String::as_str).ok_or_else(|| {
            let text = format!("is not a kind of action: {requested:?}");
            Malformed::new(format!("kinds[{index}]"), text)
        })
    };
    requested.iter().enumerate().map(parse_kind).collect()
}

#[cfg(test)]
pub(crate) mod tests;
