//! What happens at a table beyond the rules: players leave and return, clocks, take-backs. Each is a
//! request that becomes one version, as an action does.

use gamekeeper_proto::gamekeeper::v1;
use rand::RngExt;
use tonic::Status;

use super::Look;
use crate::history::caller::Answered;
use crate::history::desk::happens;
use crate::history::{Deed, USERS, What};

fn any_seat() -> u32 {
    let seats = u32::try_from(USERS.len()).unwrap_or(u32::MAX);
    rand::rng().random_range(1..=seats)
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
        let number: u32 = rand::random();
        format!("{:016x} {} {number:08x}", self.shared.run, deed.kind())
    }

    async fn info(&self) -> Result<v1::GameInfo, Status> {
        let mut desk = self.caller.desk();
        let ask = desk.ask_hastily(v1::GetGameInfoRequest {
            game_id: self.game.clone(),
        });
        let answer = desk.games.get_game_info(ask).await?.into_inner();
        Ok(answer.game.expect("the facts of a game"))
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

/// A seat is played again. Its old tokens end at some time before the answer, or later if there is no
/// answer.
pub(super) async fn come_back(look: Look) -> Result<(), Status> {
    let info = look.info().await?;
    let seat = info.resigned.first().copied().unwrap_or_else(any_seat);
    let (begun, expire_time) = (look.shared.recorder.now(), None);
    ask!(
        &look,
        Deed::Returned(seat),
        r#return,
        ReturnRequest { seat, expire_time }
    );
    let token = None;
    let rotated = What::Rotated { seat, token };
    look.shared.recorder.note(&look.game, begun, rotated);
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

/// A seat takes back its last action, or requests it.
pub(super) async fn take_back(look: Look) -> Result<(), Status> {
    let info = look.info().await?;
    let seat = info.pending.first().map_or_else(any_seat, |owed| owed.seat);
    let (to_version, deed) = (
        0,
        Deed::TakeBackAsked {
            seat,
            to_version: 0,
        },
    );
    ask!(&look, deed, take_back, TakeBackRequest { seat, to_version });
    Ok(())
}

/// A seat requests a take-back, and the others agree at once, if nobody acts in between.
pub(super) async fn take_back_with_consent(look: Look) -> Result<(), Status> {
    let info = look.info().await?;
    let steps = rand::rng().random_range(1..4);
    let (seat, to_version) = (any_seat(), info.version.saturating_sub(steps).max(1));
    let deed = Deed::TakeBackAsked { seat, to_version };
    let asked = ask!(&look, deed, take_back, TakeBackRequest { seat, to_version });
    let others = info.players.iter().map(|player| player.seat);
    let others = others.filter(|other| *other != seat && !info.resigned.contains(other));
    for other in others.filter(|_| asked.is_some()) {
        if answer(&look, other, true).await.is_none() {
            break;
        }
    }
    Ok(())
}

pub(super) async fn answer_take_back(look: Look) -> Result<(), Status> {
    answer(&look, any_seat(), happens(70)).await;
    Ok(())
}

async fn answer(look: &Look, seat: u32, agrees: bool) -> Option<Answered> {
    let deed = Deed::TakeBackAnswered { seat, agrees };
    ask!(
        look,
        deed,
        answer_take_back,
        AnswerTakeBackRequest { seat, agrees }
    )
}
