//! What is asked of a game, and what is answered, without the names of any package.

use std::pin::Pin;

use futures_util::Stream;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_wire::Wire;
use prost_types::Timestamp;

use crate::problem::Problem;
use crate::store::Version;

/// Asks for a new game.
pub struct CreateCall<W: Wire> {
    /// The players in seat order.
    pub players: Vec<pb::Player>,
    /// The options; nothing: the plain game.
    pub options: Option<W::PbOptions>,
    /// How a repeated call is recognised; may be empty.
    pub request_id: String,
    /// The seed; empty: drawn by the server.
    pub seed: Vec<u8>,
}

/// A new game.
pub struct Created<W: Wire> {
    /// Its public facts.
    pub info: pb::GameInfo,
    /// The table as a spectator sees it.
    pub view: W::PbView,
    /// A token for each seat.
    pub seat_tokens: Vec<pb::SeatToken>,
    /// A token for spectators.
    pub spectator_token: String,
}

/// Asks to play an action.
pub struct ApplyCall<W: Wire> {
    /// The game.
    pub game_id: String,
    /// The seat.
    pub seat: u32,
    /// The action.
    pub action: Option<W::PbAction>,
    /// The version that the caller looked at; 0: any.
    pub expected_version: Version,
    /// How a repeated call is recognised; may be empty.
    pub request_id: String,
    /// Does the answer carry the view of the seat?
    pub view_mode: i32,
    /// Judge only.
    pub validate_only: bool,
    /// Do events carry their English sentence?
    pub with_text: bool,
}

/// An action was played.
pub struct Applied<W: Wire> {
    /// The public facts.
    pub info: pb::GameInfo,
    /// The table as the seat sees it.
    pub view: Option<W::PbView>,
    /// What happened, as the seat may know it.
    pub events: Vec<W::PbEvent>,
}

/// Asks for a table.
pub struct Look {
    /// The game.
    pub game_id: String,
    /// Who looks.
    pub viewer: Option<pb::Viewer>,
    /// The version; 0: the newest.
    pub at_version: Version,
}

/// A table.
pub struct Seen<W: Wire> {
    /// The public facts.
    pub info: pb::GameInfo,
    /// The table as the viewer sees it.
    pub view: W::PbView,
    /// Salt and seed, when the game is over.
    pub seed_reveal: Option<pb::SeedReveal>,
}

/// Which part of a list.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The most entries; 0: as many as is usual.
    pub size: i32,
    /// Where to go on; empty: from the beginning.
    pub token: String,
}

/// Asks what a seat may do.
pub struct LegalCall {
    /// The game.
    pub game_id: String,
    /// The seat.
    pub seat: u32,
    /// Only these kinds; empty: all.
    pub kinds: Vec<String>,
    /// How finely.
    pub detail: i32,
    /// Which part.
    pub page: Page,
}

/// What a seat may do.
pub struct Legal<W: Wire> {
    /// At which version.
    pub version: Version,
    /// Who owes which decision.
    pub pending: Vec<pb::PendingDecision>,
    /// The legal actions.
    pub actions: Vec<W::PbAction>,
    /// Is every legal action in the list?
    pub exhaustive: bool,
    /// Where to go on; empty: it ends here.
    pub next_page_token: String,
}

/// One version, as a viewer may know it.
pub struct Logged<W: Wire> {
    /// The version.
    pub version: Version,
    /// The seat that acted; 0 for the set-up.
    pub seat: u32,
    /// What happened.
    pub events: Vec<W::PbEvent>,
    /// When.
    pub time: Timestamp,
}

/// Some versions.
pub struct LoggedPage<W: Wire> {
    /// The versions, in order.
    pub versions: Vec<Logged<W>>,
    /// Where to go on; empty: it ends here.
    pub next_page_token: String,
}

/// Asks to follow a game.
pub struct WatchCall {
    /// The game.
    pub game_id: String,
    /// Who watches.
    pub viewer: Option<pb::Viewer>,
    /// The last version that the caller has; 0: none.
    pub after_version: Version,
    /// When that version was played, as the caller was told; nothing: it is not compared.
    pub after_time: Option<Timestamp>,
    /// Does every version carry the view?
    pub view_mode: i32,
    /// Do events carry their English sentence?
    pub with_text: bool,
}

/// One message of a watch.
pub enum Watch<W: Wire> {
    /// The table at the beginning.
    Start(Box<(pb::GameInfo, W::PbView)>),
    /// A new version.
    Version(Box<(pb::GameInfo, Logged<W>, Option<W::PbView>)>),
    /// Nothing new after this version.
    Bookmark(Version),
}

/// One message of an export.
pub enum Export<W: Wire> {
    /// The beginning.
    Header(Box<(pb::GameInfo, W::PbOptions)>),
    /// One version.
    Version(Box<ExportedVersion<W>>),
    /// The end, when the game is over.
    Reveal(pb::SeedReveal),
}

/// One version of the record.
pub struct ExportedVersion<W: Wire> {
    /// What everybody may know, and what only an operator may.
    pub logged: Logged<W>,
    /// What the seat did; nothing for the set-up.
    pub action: Option<W::PbAction>,
    /// What the rules did for seats without a choice.
    pub automatic: Vec<(u32, W::PbAction)>,
    /// The draws.
    pub draws: Vec<pb::Draw>,
    /// The hash of the state, in hexadecimal digits.
    pub fingerprint: String,
    /// Who owes which decision after it.
    pub pending: Vec<pb::PendingDecision>,
    /// The whole table, if asked for.
    pub state: Option<W::PbView>,
}

/// A stream of answers that may end with a problem.
pub type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Problem>> + Send>>;
