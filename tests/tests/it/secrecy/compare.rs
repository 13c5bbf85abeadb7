//! Makes the same calls to both servers and compares the responses.

use std::sync::Arc;

use gamekeeper_games::authz::{Caller, Role};
use gamekeeper_rules::conformance::Audit;
use gamekeeper_rules::table::{Seat, Viewer};
use gamekeeper_tests::disguise::deceive;
use gamekeeper_wire::{Wire, wrap_action};
use uuid::Uuid;

use super::FRONT_END_SECRET;
use super::onlooker::Onlooker;
use super::pair::{Pair, Server};

impl<W: Audit + Wire> Pair<W> {
    pub(super) fn onlooker<V: Wire>(&self, server: &Server<V>, viewer: Viewer) -> Onlooker<V> {
        let game = Uuid::try_parse(&self.game_id).unwrap();
        let caller = match viewer {
            Viewer::Seat(seat) => Caller::new(Role::Seat {
                game,
                seat,
                generation: 0,
                incarnation: None,
            }),
            Viewer::Spectator | Viewer::Operator => Caller::new(Role::Spectator {
                game,
                generation: 0,
                incarnation: None,
            }),
        };
        Onlooker {
            games: Arc::clone(&server.games),
            registry: Arc::clone(&server.registry),
            caller,
            viewer,
            game_id: self.game_id.clone(),
            version: self.version,
        }
    }

    /// Makes every call of every viewer to both servers.
    pub(super) async fn compare(&self, seed: u64) {
        for viewer in Seat::all(self.seats)
            .map(Viewer::Seat)
            .chain([Viewer::Spectator])
        {
            deceive(viewer, seed);
            drop(self.lines.take());
            let here = self.onlooker(&self.true_server, viewer);
            let there = self.onlooker(&self.other_server, viewer);
            let responses = here.questions().await;
            let lines = self.lines.take();
            let at = format!("{}, version {}, {viewer:?}", W::INFO.id, self.version);
            for bytes in responses
                .iter()
                .map(Vec::as_slice)
                .chain([lines.as_bytes()])
            {
                let mut parts = bytes.windows(FRONT_END_SECRET.len());
                assert!(
                    !parts.any(|part| part == FRONT_END_SECRET.as_bytes()),
                    "{at}"
                );
            }
            assert_eq!(responses, there.questions().await, "{at}");
            assert_eq!(lines, self.lines.take(), "{at}: the lines of the log");
            let Viewer::Seat(seat) = viewer else {
                continue;
            };
            for (action, is_legal) in self.attempts(seat) {
                let (one, same) = (wrap_action::<W>(&action), wrap_action::<W>(&action));
                let response = here.attempt(one.clone(), seat, is_legal).await;
                let lines = self.lines.take();
                assert_eq!(
                    response,
                    there.attempt(same, seat, is_legal).await,
                    "{at}, {action:?}"
                );
                assert_eq!(
                    lines,
                    self.lines.take(),
                    "{at}, {action:?}: the lines of the log"
                );
            }
        }
    }

    /// Returns some actions for the seat to try, and whether they are legal.
    fn attempts(&self, seat: Seat) -> Vec<(W::Action, bool)> {
        const MAX: usize = 40;
        let universe = W::universe(&self.now.state, seat);
        let step = (universe.len() / MAX).max(1);
        let some = universe.into_iter().step_by(step);
        let judged = some.map(|action| {
            let is_legal = W::check(&self.now.state, seat, &action).is_ok();
            (action, is_legal)
        });
        judged.collect()
    }
}
