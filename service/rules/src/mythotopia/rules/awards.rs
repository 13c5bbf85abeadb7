//! Awarding tokens (MYT-6.8, 7.26).

use super::actor::ActorContext;
use super::cards::Spend;
use crate::mythotopia::action::{Action, TokenSource};
use crate::mythotopia::data::{Card, Improvement, Stack};
use crate::mythotopia::event::Event;
use crate::mythotopia::refusal::{Refusal, RefusedAction, ensure, require_known};
use crate::mythotopia::stage::SeasMark;
use crate::mythotopia::state::{Award, ExecContext, State};
use crate::table::{
    ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow, invariant_violated,
};

/// The seat that chooses the source of a token, if there is a choice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SourceChooser {
    Receiver,
    /// Nobody chooses: the token comes from the card, if that has one (MYT-6.5.16).
    Nobody,
}

/// The possible sources of a token. If there are several, the receiver chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sources {
    card: bool,
    bank: bool,
    /// Whether the token may be declined.
    none: bool,
}

impl Sources {
    pub fn iter(self) -> impl Iterator<Item = TokenSource> {
        TokenSource::ALL
            .into_iter()
            .filter(move |&source| self.offers(source))
    }

    const fn offers(self, source: TokenSource) -> bool {
        match source {
            TokenSource::Card => self.card,
            TokenSource::Bank => self.bank,
            TokenSource::None => self.none,
        }
    }
}

/// Returns whether a player may decline this token if its card has none left (MYT-6.8.2): a condition of Master of the
/// Seas, which then can be met again.
pub const fn may_decline(stack: Stack) -> bool {
    seas_mark(stack).is_some()
}

/// The mark of a slot of Master of the Seas.
const fn seas_mark(stack: Stack) -> Option<SeasMark> {
    match stack {
        Stack::ThreeSeas => Some(SeasMark::ThreeSeas),
        Stack::FourSeas => Some(SeasMark::FourSeas),
        Stack::City
        | Stack::Castle
        | Stack::Road
        | Stack::Citadel
        | Stack::DefenderOfTheRealm
        | Stack::GuildCity
        | Stack::HereBeDragons
        | Stack::LargeIsland
        | Stack::SmallIsland
        | Stack::Patronage
        | Stack::RoadsideInns
        | Stack::Runestones
        | Stack::SpoilsOfWar => None,
    }
}

/// Queues a token that is due.
///
/// # Rule MYT-6.8.1, 6.8.3, 6.8.6
/// A card that is not in play awards nothing, and each condition of Master of the Seas is rewarded
/// once.
pub fn queue(state: &mut State, seat: Seat, stack: Stack) {
    let claimed = &state.players[seat].seas_claimed;
    let again = seas_mark(stack).is_some_and(|mark| claimed.contains(mark));
    if state.in_play.contains(stack.card()) && !again {
        state.awards.push(Award { seat, stack });
    }
}

/// Returns whether the receiver may choose the source, if there are several. Without Scribe every token comes from its
/// card.
///
/// # Rule MYT-6.8.2, 7.26
fn has_choice(state: &State, award: Award) -> bool {
    state.players[award.seat].reserves(Improvement::Scribe)
}

/// The current sources of a token.
///
/// # Rule MYT-6.8.1, 7.26
/// The card, and with Scribe in the reserve the bank. For Master of the Seas the bank needs a town
/// in stock as well, and the token may be declined if the bank is the only source.
pub fn sources(state: &State, award: Award) -> Sources {
    let Award { seat, stack } = award;
    let scribe = has_choice(state, award);
    let card = state.tokens[stack.index()] > 0;
    let in_bank = state.bank[usize::from(state.value(stack)) - 1] > 0;
    let seas = seas_mark(stack).is_some();
    let bank = scribe && in_bank && (!seas || state.town_stock(seat) > 0);
    Sources {
        card,
        bank,
        none: seas && bank && !card,
    }
}

/// Returns whether a token is available.
///
/// # Rule MYT-14.12
/// From the card, or from the bank if Scribe stays in the reserve.
pub fn is_obtainable(state: &State, stack: Stack, scribe: bool) -> bool {
    let in_bank = state.bank[usize::from(state.value(stack)) - 1] > 0;
    state.tokens[stack.index()] > 0 || scribe && in_bank
}

/// Checks that a token of a point card is available.
///
/// # Rule MYT-6.5.12, 6.5.14, 14.12
pub fn check_token(
    actor: ActorContext,
    stack: Stack,
    spend: &Spend,
    rule: &'static str,
) -> Result<(), RefusedAction> {
    let (state, card) = (actor.state, stack.card());
    ensure(
        state.in_play.contains(card),
        Refusal::CardNotInPlay { card }.citing(rule),
    )?;
    let scribe = spend
        .reserve_left
        .contains(Card::improvement(Improvement::Scribe));
    let none = Refusal::NoTokenAvailable {
        card: Some(card),
        value: state.value(stack),
    }
    .citing(rule);
    ensure(is_obtainable(state, stack, scribe), none)
}

/// Hands out the tokens that are due, up to the first choice.
///
/// # Rule MYT-6.8.2, 6.8.3
/// One after another; the sources are the current ones.
pub fn settle(ctx: &mut ExecContext<'_>, chooser: SourceChooser) {
    while let Some(&award) = ctx.state.awards.first() {
        let sources = sources(ctx.state, award);
        let mut offered = sources.iter();
        match (offered.next(), offered.next()) {
            (None, _) => {
                ctx.state.awards.remove(0);
            }
            (Some(source), None)
                if chooser == SourceChooser::Receiver && has_choice(ctx.state, award) =>
            {
                let action = Action::ChooseTokenSource {
                    source: Some(source),
                };
                ctx.execute_forced(award.seat, action, |ctx| take(ctx, source));
            }
            (Some(source), None) => take(ctx, source),
            (Some(source), Some(_)) if chooser == SourceChooser::Nobody => take(ctx, source),
            (Some(_), Some(_)) => return,
        }
    }
}

/// Takes the token at the head of the queue from this source.
pub fn take(ctx: &mut ExecContext<'_>, source: TokenSource) {
    let Some(Award { seat, stack }) = ctx.state.awards.pop_at(0) else {
        invariant_violated("MYT-6.8.3", source)
    };
    let token = ctx.state.token(stack);
    match source {
        TokenSource::Card => ctx.state.tokens[stack.index()] -= 1,
        TokenSource::Bank => *ctx.state.bank_of(stack) -= 1,
        TokenSource::None => return ctx.emit(Event::TokenDeclined { seat, token }),
    }
    let town = ctx.state.town_stock(seat) > 0;
    let player = &mut ctx.state.players[seat];
    player.tokens[usize::from(token.value) - 1] += 1;
    if let Some(mark) = seas_mark(stack) {
        player.seas_claimed.insert(mark);
        if town && player.reserves(Improvement::Scribe) {
            player.seas_towns += 1;
        }
    }
    ctx.emit(Event::TokenTaken {
        seat,
        token,
        source,
    });
}

/// Checks that the seat may choose this source.
///
/// # Rule MYT-6.8.2, 14.9
/// Only the sources offered may be chosen.
pub fn check_choice(
    actor: ActorContext,
    source: MaybeKnown<TokenSource>,
) -> Result<TokenSource, RefusedAction> {
    let source = require_known(source, "source")?;
    let award = actor.state.awards.first();
    let offered = award.is_some_and(|&award| sources(actor.state, award).offers(source));
    ensure(
        offered,
        Refusal::SourceNotOffered {
            token_source: source,
        }
        .citing("MYT-6.8.2"),
    )?;
    Ok(source)
}

/// Lists the sources offered.
pub fn candidates_choice(
    actor: ActorContext,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    let Some(&award) = actor.state.awards.first() else {
        return VisitFlow::Continue(());
    };
    for source in sources(actor.state, award).iter() {
        list.visit(Action::ChooseTokenSource {
            source: Some(source),
        })?;
    }
    VisitFlow::Continue(())
}
