//! One game: its script played repeatedly, one call in flight.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use gamekeeper_proto::gamekeeper::v1::{Show, Viewer, ViewerKind};
use parking_lot::Mutex;
use prost::Message;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::task::JoinSet;
use tonic::Status;

use crate::messages::{Apply, Caller, Get, Legal, Watch, Watched};
use crate::pace::Pace;
use crate::script::Script;
use crate::tally::{Method, Tally};

/// The state that all games of a run share.
pub(crate) struct Field {
    pub(crate) tally: Tally,
    /// Whether the measurement is running.
    pub(crate) measuring: AtomicBool,
    /// Whether the run is over.
    pub(crate) over: AtomicBool,
    pub(crate) mix: Mix,
    /// The parts that the responses to actions contain.
    pub(crate) show: Show,
    pub(crate) watchers: usize,
    pub(crate) games: u32,
    /// The number of calls a second. `None` for as many as possible.
    pub(crate) rate: Option<u32>,
}

/// The relative frequency of each call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mix {
    pub(crate) apply: u32,
    pub(crate) get: u32,
    pub(crate) legal: u32,
}

impl std::str::FromStr for Mix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut mix = Self {
            apply: 0,
            get: 0,
            legal: 0,
        };
        for part in text.split(',') {
            let (name, share) = part.split_once('=').ok_or("write it as apply=8,get=1")?;
            let share = share.parse().map_err(|error| format!("{share}: {error}"))?;
            match name {
                "apply" => mix.apply = share,
                "get" => mix.get = share,
                "legal" => mix.legal = share,
                _ => return Err(format!("{name:?} is none of apply, get, legal")),
            }
        }
        if mix.apply + mix.get + mix.legal == 0 {
            return Err(String::from("nothing to do"));
        }
        Ok(mix)
    }
}

impl Mix {
    fn draw(self, rng: &mut StdRng) -> Method {
        let drawn = rng.random_range(0..self.apply + self.get + self.legal);
        if drawn < self.apply {
            Method::Apply
        } else if drawn < self.apply + self.get {
            Method::Get
        } else {
            Method::Legal
        }
    }
}

/// The last action that was sent: its version, and the time of the call.
type Sent = Arc<Mutex<(u64, Instant)>>;

/// Plays one script repeatedly.
pub(crate) struct Player {
    field: Arc<Field>,
    caller: Caller,
    script: Arc<Script>,
    number: u32,
    rng: StdRng,
    game_id: String,
    version: u64,
    sent: Sent,
    watchers: JoinSet<()>,
}

impl Player {
    pub(crate) fn new(field: Arc<Field>, caller: Caller, script: Arc<Script>, number: u32) -> Self {
        Self {
            field,
            caller,
            script,
            number,
            rng: StdRng::seed_from_u64(number.into()),
            game_id: String::new(),
            version: 0,
            sent: Arc::new(Mutex::new((0, Instant::now()))),
            watchers: JoinSet::new(),
        }
    }

    /// Plays until the run is over.
    pub(crate) async fn run(mut self) -> Result<(), Status> {
        self.begin().await?;
        let (games, number) = (self.field.games, self.number);
        let mut pace = self.field.rate.map(|rate| Pace::of(number, games, rate));
        while !self.field.over.load(Ordering::Relaxed) {
            if let Some(pace) = &mut pace {
                pace.wait().await;
            }
            let begun = Instant::now();
            let method = self.field.mix.draw(&mut self.rng);
            let bytes = self.call(method, begun).await?;
            self.note(method, begun, bytes);
            if self.next_move().is_none() {
                self.begin().await?;
            }
        }
        Ok(())
    }

    fn note(&self, method: Method, begun: Instant, bytes: usize) {
        if self.field.measuring.load(Ordering::Relaxed) {
            self.field.tally.note(method, begun.elapsed(), bytes);
        }
    }

    /// Starts the game again.
    async fn begin(&mut self) -> Result<(), Status> {
        let begun = Instant::now();
        self.game_id = self.caller.create(&self.script.create()).await?;
        self.note(Method::Create, begun, 0);
        self.version = 1;
        self.watchers.abort_all();
        self.watchers.detach_all();
        for _ in 0..self.field.watchers {
            let watch = Watch {
                game_id: self.game_id.clone(),
                viewer: None,
                after_version: 1,
                show: Some(Show {
                    events: true,
                    ..Show::default()
                }),
            };
            let mut caller = self.caller.clone();
            let (field, sent) = (Arc::clone(&self.field), Arc::clone(&self.sent));
            self.watchers.spawn(async move {
                // A watch ends with its game; the player notices any other failure too.
                let _end = follow(&mut caller, &watch, &field, &sent).await;
            });
        }
        Ok(())
    }

    fn next_move(&self) -> Option<&(u32, bytes::Bytes)> {
        let index = usize::try_from(self.version - 1).unwrap_or(usize::MAX);
        self.script.moves.get(index)
    }

    async fn call(&mut self, method: Method, begun: Instant) -> Result<usize, Status> {
        let Some((seat, action)) = self.next_move().cloned() else {
            return Ok(0);
        };
        let game_id = self.game_id.clone();
        let answer = match method {
            Method::Apply | Method::Create | Method::Watch => {
                let apply = Apply {
                    game_id,
                    seat,
                    action,
                    expected_version: self.version,
                    // Has the length of a UUID without dashes, and is unique within the game.
                    request_id: format!("{:032x}", self.version),
                    show: Some(self.field.show.clone()),
                };
                self.version += 1;
                *self.sent.lock() = (self.version, begun);
                self.caller.apply(&apply).await?
            }
            Method::Get => {
                let kind = ViewerKind::Seat.into();
                let viewer = Some(Viewer { kind, seat });
                let show = Some(Show {
                    view: true,
                    ..Show::default()
                });
                let get = Get {
                    game_id,
                    viewer,
                    show,
                };
                self.caller.get(&get).await?
            }
            Method::Legal => self.caller.legal(&Legal { game_id, seat }).await?,
        };
        Ok(answer.len())
    }
}

async fn follow(
    caller: &mut Caller,
    watch: &Watch,
    field: &Field,
    sent: &Sent,
) -> Result<(), Status> {
    let mut stream = caller.watch(watch).await?;
    while let Some(bytes) = stream.message().await? {
        let length = bytes.len();
        let watched = Watched::decode(bytes).unwrap_or_default();
        let (version, begun) = *sent.lock();
        let entry = watched.entry;
        let is_last = entry.is_some_and(|entry| entry.version == version);
        if is_last && field.measuring.load(Ordering::Relaxed) {
            field.tally.note(Method::Watch, begun.elapsed(), length);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mix_names_calls_and_shares() {
        let mix: Mix = "apply=8,legal=2".parse().unwrap();
        assert_eq!((mix.apply, mix.get, mix.legal), (8, 0, 2));
        for wrong in ["", "apply", "apply=0", "apply=-1", "fold=1"] {
            assert!(wrong.parse::<Mix>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn calls_are_drawn_by_their_shares() {
        let mut rng = StdRng::seed_from_u64(1);
        let mix: Mix = "apply=1,get=1".parse().unwrap();
        let drawn: Vec<_> = (0..100).map(|_| mix.draw(&mut rng)).collect();
        assert!(drawn.contains(&Method::Apply) && drawn.contains(&Method::Get));
        assert!(!drawn.contains(&Method::Legal));
    }
}
