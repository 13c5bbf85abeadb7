//! Changes at a table beyond the rules: players leave, seats are filled again, clocks, take-backs. Each is a request
//! that becomes one version, as an action does.

use gamekeeper_proto::gamekeeper::v1;
use rand::RngExt;
use tonic::Status;

use super::Look;
use super::looks::ask_facts;
use crate::history::caller::Answered;
use crate::history::desk::happens;
use crate::history::{Proposed, TableChange, USERS, What};

fn any_seat() -> u32 {
    let seats = u32::try_from(USERS.len()).unwrap_or(u32::MAX);
    crate::chance::rng().random_range(1..=seats)
}

/// Creates the answer of a change whose response has only the public facts.
fn facts(game: Option<v1::GameInfo>) -> Answered {
    Answered::of(game, &())
}

/// Requests a change: sends the message with the method until there is an answer.
macro_rules! ask {
    ($look:expr, $table_change:expr, $method:ident, $Request:ident { $($field:ident),* $(,)? }) => {{
        let (look, table_change): (&Look, TableChange) = ($look, $table_change);
        let id = look.new_request(table_change);
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
        look.caller.wish(&look.game, (&id, table_change), send).await
    }};
}

impl Look {
    /// Returns a new request id.
    fn new_request(&self, table_change: TableChange) -> String {
        let number: u32 = crate::chance::rng().random();
        format!(
            "{:016x} {} {number:08x}",
            self.shared.run,
            table_change.kind()
        )
    }

    async fn info(&self) -> Result<v1::GameInfo, Status> {
        let mut desk = self.caller.desk();
        let ask = desk.ask_hastily(ask_facts(&self.game));
        let answer = desk.games.get_game(ask).await?.into_inner();
        Ok(crate::dominion::facts(answer.table))
    }
}

/// Lets a player leave. The second to last one leaves rarely, because that ends the game.
pub(super) async fn resign(look: Look) -> Result<(), Status> {
    if !look.info().await?.resigned.is_empty() && !happens(20) {
        return Ok(());
    }
    let seat = any_seat();
    ask!(
        &look,
        TableChange::Resigned(seat),
        resign,
        ResignRequest { seat }
    );
    Ok(())
}

/// Gives a seat that was left to a new player. Its old tokens are revoked.
pub(super) async fn fill_seat(look: Look) -> Result<(), Status> {
    let info = look.info().await?;
    let seat = info.resigned.first().copied().unwrap_or_else(any_seat);
    // A seat of a bot gets a bot again, so that the current players show which seats the servers have played all along.
    let bot = info.players.iter().find(|player| player.seat == seat);
    let bot = bot.and_then(|player| player.bot.clone());
    let begun = look.shared.recorder.now();
    ask!(
        &look,
        TableChange::SeatFilled(seat),
        fill_seat,
        FillSeatRequest { seat, bot }
    );
    // The request may have been abandoned and be carried out later, so the revocation is never counted as done.
    let is_done = false;
    let revoked = What::Revoked { seat, is_done };
    look.shared.recorder.note(&look.game, begun, revoked);
    Ok(())
}

pub(super) async fn claim_timeout(look: Look) -> Result<(), Status> {
    let info = look.info().await?;
    let seat = info
        .pending
        .first()
        .map_or_else(any_seat, |pending| pending.seat);
    ask!(
        &look,
        TableChange::TimedOut(seat),
        claim_timeout,
        ClaimTimeoutRequest { seat }
    );
    Ok(())
}

/// Lets the owner give a little time to all players who have not left.
pub(super) async fn add_time(look: Look) -> Result<(), Status> {
    let info = look.info().await?;
    let nanos = 200_000_000;
    let time = Some(prost_types::Duration { seconds: 0, nanos });
    let seats: Vec<u32> = info.players.iter().map(|player| player.seat).collect();
    let seats: Vec<u32> = seats
        .into_iter()
        .filter(|seat| !info.resigned.contains(seat))
        .collect();
    let table_change = TableChange::TimeAdded {
        seats: seats.len(),
        ms: 200,
    };
    ask!(
        &look,
        table_change,
        add_time,
        AddTimeRequest { seats, time }
    );
    Ok(())
}

/// Lets the owner stop the clocks, or a seat propose it.
pub(super) async fn pause(look: Look) -> Result<(), Status> {
    let (seat, table_change) = if happens(50) {
        (0, TableChange::Paused { agreed_by: 0 })
    } else {
        let (seat, wish) = (any_seat(), Proposed::Pause);
        (seat, TableChange::Proposed { seat, wish })
    };
    ask!(&look, table_change, pause_game, PauseGameRequest { seat });
    Ok(())
}

pub(super) async fn resume(look: Look) -> Result<(), Status> {
    let seat = if happens(50) { 0 } else { any_seat() };
    let table_change = TableChange::Resumed(seat);
    ask!(&look, table_change, resume_game, ResumeGameRequest { seat });
    Ok(())
}

/// Lets a seat propose to end the game. Rarely all agree at once, and even more rarely the owner ends it.
pub(super) async fn end(look: Look) -> Result<(), Status> {
    if happens(5) {
        end_by_owner(&look).await;
        return Ok(());
    }
    let info = look.info().await?;
    let (seat, scored) = (any_seat(), happens(50));
    let wish = Proposed::End(scored);
    let table_change = TableChange::Proposed { seat, wish };
    let proposed = ask!(
        &look,
        table_change,
        end_game,
        EndGameRequest { seat, scored }
    );
    if let Some(proposed) = proposed
        && happens(10)
    {
        all_agree(&look, &info, seat, proposed.version()).await;
    }
    Ok(())
}

/// Returns whether the game is active.
pub(super) async fn is_active(look: &Look) -> Result<bool, Status> {
    Ok(look.info().await?.status() == v1::GameStatus::Active)
}

/// Lets the owner end the game.
pub(super) async fn end_by_owner(look: &Look) {
    let (seat, scored, agreed_by) = (0, false, 0);
    let table_change = TableChange::Ended { agreed_by, scored };
    ask!(
        look,
        table_change,
        end_game,
        EndGameRequest { seat, scored }
    );
}

/// Lets a seat take back its last action, or propose it to the others.
pub(super) async fn take_back(look: Look) -> Result<(), Status> {
    let info = look.info().await?;
    let seat = info
        .pending
        .first()
        .map_or_else(any_seat, |pending| pending.seat);
    let (to_version, table_change) = (
        0,
        TableChange::Proposed {
            seat,
            wish: Proposed::TakeBack(0),
        },
    );
    ask!(
        &look,
        table_change,
        take_back,
        TakeBackRequest { seat, to_version }
    );
    Ok(())
}

/// Lets a seat propose a take-back to which the others agree at once, unless somebody acts in between.
pub(super) async fn take_back_with_consent(look: Look) -> Result<(), Status> {
    let info = look.info().await?;
    let steps = crate::chance::rng().random_range(1..4);
    let (seat, to_version) = (any_seat(), info.version.saturating_sub(steps).max(1));
    let wish = Proposed::TakeBack(to_version);
    let table_change = TableChange::Proposed { seat, wish };
    let proposed = ask!(
        &look,
        table_change,
        take_back,
        TakeBackRequest { seat, to_version }
    );
    if let Some(proposed) = proposed {
        all_agree(&look, &info, seat, proposed.version()).await;
    }
    Ok(())
}

/// Lets all other seats agree to a proposal, unless somebody interferes.
async fn all_agree(look: &Look, info: &v1::GameInfo, seat: u32, number: u64) {
    let others = info.players.iter().map(|player| player.seat);
    let others = others.filter(|other| *other != seat && !info.resigned.contains(other));
    for other in others {
        if answer(look, number, other, true).await.is_none() {
            break;
        }
    }
}

/// Lets a seat answer the open proposal, or one that does not exist.
pub(super) async fn answer_proposal(look: Look) -> Result<(), Status> {
    let info = look.info().await?;
    let number = info
        .proposal
        .map_or(info.version, |proposal| proposal.number);
    answer(&look, number, any_seat(), happens(70)).await;
    Ok(())
}

async fn answer(look: &Look, number: u64, seat: u32, agrees: bool) -> Option<Answered> {
    let table_change = TableChange::Answered { seat, agrees };
    ask!(
        look,
        table_change,
        answer_proposal,
        AnswerProposalRequest {
            seat,
            number,
            agrees
        }
    )
}
