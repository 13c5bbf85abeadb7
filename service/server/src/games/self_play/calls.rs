//! What a self-play is asked, and what it answers, without the names of any package.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_wire::Wire;

use crate::store::Version;

/// One message of the client.
pub enum Ask<W: Wire> {
    /// What to play: the first message.
    Plan(Box<Plan<W>>),
    /// Moves: every further message.
    Moves(Vec<SelfPlayMove<W>>),
    /// Neither.
    Nothing,
}

/// What to play.
pub struct Plan<W: Wire> {
    /// How many seats a table has.
    pub seats: u32,
    /// The options; nothing: the plain game.
    pub options: Option<W::PbOptions>,
    /// How many games are played side by side.
    pub games: u32,
    /// How many games are played in all; 0: without end.
    pub total_games: u64,
    /// From this follow the seeds of all games; empty: drawn by the server.
    pub seed: Vec<u8>,
    /// What observations carry.
    pub show: pb::SelfPlayShow,
    /// How finely actions are listed.
    pub detail: i32,
    /// At most so many actions are listed; 0: as many as is usual.
    pub most_actions: u32,
    /// A game that reaches this version is ended; 0: none.
    pub most_versions: Version,
}

/// A move in one of the games.
pub struct SelfPlayMove<W: Wire> {
    /// Which game.
    pub slot: u32,
    /// The version that was observed; 0: any.
    pub version: Version,
    /// What is done; nothing: malformed.
    pub choice: Option<Choice<W>>,
}

/// What is done.
pub enum Choice<W: Wire> {
    /// The action at this place of the list.
    Index(u32),
    /// The action itself.
    Action(W::PbAction),
    /// The game ends here.
    Abandon,
}

/// A game waits for a move.
pub struct Observation<W: Wire> {
    /// Which game.
    pub slot: u32,
    /// Its number, from 1.
    pub game: u64,
    /// Its version.
    pub version: Version,
    /// The seat that shall move.
    pub seat: u32,
    /// Who owes which decision.
    pub pending: Vec<pb::PendingDecision>,
    /// The table as the seat sees it.
    pub view: Option<W::PbView>,
    /// What the seat may do.
    pub actions: Vec<W::PbAction>,
    /// How long the legal list is.
    pub action_count: u32,
    /// Does the list lack something?
    pub partial: bool,
    /// What the seat has not heard yet.
    pub events: Vec<W::PbEvent>,
    /// Why the last move was not played.
    pub refusal: Option<pb::SelfPlayRefusal>,
}

/// One message of the answer.
pub struct Told<W: Wire> {
    /// Games that ended.
    pub results: Vec<pb::SelfPlayResult>,
    /// Games that wait.
    pub observations: Vec<Observation<W>>,
    /// Does the next message belong to the same request?
    pub more: bool,
}
