//! What happens at a table beyond the rules: players leave and seats are filled again, clocks, take-backs. Each is a
//! request that becomes one version, as an action does.

use gamekeeper_proto::gamekeeper::v1;
use rand::RngExt;
use tonic::Status;

use super::Look;
use super::looks::ask_facts;
use crate::history::caller::Answered;
use crate::history::desk::happens;
use crate::history::{Deed, USERS, What};

fn any_seat() -> u32 {
    let seats = u32::try_from(USERS.len()).unwrap_or(u32::MAX);
    crate::chance::rng().random_range(1..=seats)
}

/// An answer that has only the facts.
fn facts(game: Option<v1::GameInfo>) -> Answered {
    Answered::of(game, &())
}

/// Requests a deed: sends the message with the method until there is an answer.
macro_rules! ask {
    ($look:expr, $deed:expr, $method:ident, $Request:ident { $($field:ident),* $(,)? }) => {{
        let (look, deed): (&Look, Deed) = ($look, $deed);
        let id = look.new_request(deed);
        let request = v1::$Request {
            game_id: look.game.clone(),
            request_id: id.clone(),
            $($field,)*
        };
        let send = |mut desk: crate::history::desk::Desk| {
            let request = request.clone();
            async move {
                let ask = desk.ask_hastily(request);
                let answer = desk.games.$method(ask).await?.into_inner();
                Ok(facts(answer.game))
            }
        };
        look.caller.wish(&look.game, (&id, deed), send).await
    }};
}

impl Look {
    /// A request id that was never used before.
    fn new_request(&self, deed: Deed) -> String {
        let number: u32 = crate::chance::rng().random();
        format!("{:016x} {} {number:08x}", self.shared.run, deed.kind())
    }

    async fn info(&self) -> Result<v1::GameInfo, Status> {
        let mut desk = self.caller.desk();
        let ask = desk.ask_hastily(ask_facts(&self.game));
        let answer = desk.games.get_game(ask).await?.into_inner();
        Ok(crate::dominion::facts(answer.table))
    }
}

/// A player leaves; rarely the second to last one, which ends the game.
pub(super) async fn resign(look: Look) -> Result<(), Status> {
    if !look.info().await?.resigned.is_empty() && !happens(20) {
        return Ok(());
    }
    let seat = any_seat();
    ask!(&look, Deed::Resigned(seat), resign, ResignRequest { seat });
    Ok(())
}

/// A seat that was left has a player again. Its old tokens end.
pub(super) async fn fill_seat(look: Look) -> Result<(), Status> {
    let info = look.info().await?;
    let seat = info.resigned.first().copied().unwrap_or_else(any_seat);
    let begun = look.shared.recorder.now();
    ask!(
        &look,
        Deed::SeatFilled(seat),
        fill_seat,
        FillSeatRequest { seat }
    );
    // Requests that were given up may be carried out later.
    let is_done = false;
    let revoked = What::Revoked { seat, is_done };
    look.shared.recorder.note(&look.game, begun, revoked);
    Ok(())
}

pub(super) async fn claim_timeout(look: Look) -> Result<(), Status> {
    let info = look.info().await?;
    let seat = info.pending.first().map_or_else(any_seat, |owed| owed.seat);
    ask!(
        &look,
        Deed::TimedOut(seat),
        claim_timeout,
        ClaimTimeoutRequest { seat }
    );
    Ok(())
}

pub(super) async fn pause(look: Look) -> Result<(), Status> {
    ask!(&look, Deed::Paused, pause_game, PauseGameRequest {});
    Ok(())
}

pub(super) async fn resume(look: Look) -> Result<(), Status> {
    ask!(&look, Deed::Resumed, resume_game, ResumeGameRequest {});
    Ok(())
}

/// A seat takes back its last action, or asks the others whether it may.
pub(super) async fn take_back(look: Look) -> Result<(), Status> {
    let info = look.info().await?;
    let seat = info.pending.first().map_or_else(any_seat, |owed| owed.seat);
    let (to_version, deed) = (
        0,
        Deed::Proposed {
            seat,
            to_version: 0,
        },
    );
    ask!(&look, deed, take_back, TakeBackRequest { seat, to_version });
    Ok(())
}

/// A seat proposes a take-back, and the others agree at once, if nobody acts in between.
pub(super) async fn take_back_with_consent(look: Look) -> Result<(), Status> {
    let info = look.info().await?;
    let steps = crate::chance::rng().random_range(1..4);
    let (seat, to_version) = (any_seat(), info.version.saturating_sub(steps).max(1));
    let deed = Deed::Proposed { seat, to_version };
    let asked = ask!(&look, deed, take_back, TakeBackRequest { seat, to_version });
    let others = info.players.iter().map(|player| player.seat);
    let others = others.filter(|other| *other != seat && !info.resigned.contains(other));
    let Some(asked) = asked else {
        return Ok(());
    };
    for other in others {
        let answer = answer(&look, asked.version(), other, true);
        if answer.await.is_none() {
            break;
        }
    }
    Ok(())
}

/// A seat answers what was proposed, or what nobody proposed.
pub(super) async fn answer_proposal(look: Look) -> Result<(), Status> {
    let info = look.info().await?;
    let number = info.proposal.map_or(info.version, |asked| asked.number);
    answer(&look, number, any_seat(), happens(70)).await;
    Ok(())
}

async fn answer(look: &Look, number: u64, seat: u32, agrees: bool) -> Option<Answered> {
    let deed = Deed::Answered { seat, agrees };
    ask!(
        look,
        deed,
        answer_proposal,
        AnswerProposalRequest {
            seat,
            number,
            agrees
        }
    )
}
