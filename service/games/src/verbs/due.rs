//! What the service does by itself, once it is due: it is judged and stored as a call is, so it happens once, whichever
//! process does it.

use gamekeeper_rules::life::{self, Deed, Life, No};
use gamekeeper_rules::table::{Scene, Viewer};
use gamekeeper_wire::Wire;
use uuid::Uuid;

use crate::heart::access::Caller;
use crate::heart::append::Judged;
use crate::heart::changing::{Adding, NewEntry};
use crate::heart::game::{EntryOf, Game};
use crate::heart::games::Games;
use crate::heart::load::LockedGame;
use crate::heart::problem::Problem;
use crate::heart::record::{Beside, Done, RequestMark};
use crate::heart::show::Show;

/// The most that is done for one game before others have their turn.
const AT_ONCE: usize = 16;

/// A decision ends without a caller.
struct Late {
    mark: RequestMark,
}

impl<W: Wire> Games<W> {
    /// Does what is due for a game now.
    ///
    /// # Errors
    /// When the game cannot be read, or the store fails.
    pub async fn do_due(&self, caller: &Caller, id: Uuid) -> Result<(), Problem> {
        for _ in 0..AT_ONCE {
            let mark = RequestMark::new("", &[]);
            match self.change(caller, id, &Adding(&Late { mark })).await {
                Ok(()) => {}
                // Nothing is due any more.
                Err(Problem::Table(_)) => return Ok(()),
                Err(problem) => return Err(problem),
            }
        }
        Ok(())
    }
}

impl<W: Wire> NewEntry<W> for Late {
    type Answer = ();

    fn mark(&self) -> RequestMark {
        self.mark
    }

    fn show(&self) -> Show {
        Show::facts(Viewer::Spectator)
    }

    fn may(&self, _caller: &Caller, _game: &Game<W>) -> Result<(), Problem> {
        Ok(())
    }

    async fn judge(
        &self,
        games: &Games<W>,
        _caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<Box<Judged<W>>>, Problem> {
        let time_ms = games.next_time(game);
        let moment = game.moment(time_ms);
        let life: Option<&Life> = game.life.as_deref();
        let late = life.map(|life| life.late(&game.pending(), moment.at_ms));
        let seat = late.and_then(|late| late.iter().next());
        let seat = seat.ok_or(Problem::Table(No::NoClock))?;
        let deed = Deed::TimedOut {
            seat,
            claimed_by: None,
        };
        let after = life::perform(game.table(), &deed, None, moment).map_err(Problem::Table)?;
        let back = Vec::new();
        let done = Done::Beside(Beside { deed, back });
        Ok(Some(Judged::new(game, done, after, self.mark, time_ms)))
    }

    fn answer(
        &self,
        _caller: &Caller,
        _game: &Game<W>,
        _entry: Option<(&EntryOf<W>, Scene)>,
    ) -> Result<(), Problem> {
        Ok(())
    }
}
