//! Hashes of the drawings and texts of random games (**snapshot tests**): a changed look has a changed hash.

use super::audit::Audit;
use super::drawings::Game;
use super::random_game::GoldenCase;
use super::secrecy::viewers;
use crate::ruleset::{CostPreview, holdings};
use crate::table::picture::Size;
use crate::table::{Fault, Holdings, Names, Seat, Viewer};

/// The number of actions of a list that are priced.
const PRICED: usize = 8;

/// Hashes everything that all viewers see in the recorded games, after every action whose number is a multiple of
/// `every` and at the end: the drawings of all sizes, the boards of a narrow and of a wide terminal, the
/// current points, the holdings of all seats, and the prices of some legal actions.
///
/// # Errors
/// The refusal of a listed action.
pub fn looks<R: Audit>(seed: u64, every: usize) -> Result<String, Fault> {
    GoldenCase::all::<R>(seed)
        .map(|deal| looks_of::<R>(deal, every))
        .collect()
}

fn looks_of<R: Audit>(deal: GoldenCase, every: usize) -> Result<String, Fault> {
    let GoldenCase { seats, seed, .. } = deal;
    let mut game = Game::<R>::of(seats, seed, deal.start_game());
    let mut text = format!("{seats} players\n");
    loop {
        let decision = game.walk.next_decision()?;
        if game.walk.is_due(every) || decision.is_none() {
            let seen = seen(&game, seats);
            let prices = decision.as_ref().map_or(String::new(), |decision| {
                let mut pricing =
                    CostPreview::<R>::new(&game.walk.now.state, decision.pending.seat);
                let some = decision.legal.iter();
                let some = some.step_by(decision.legal.len().div_ceil(PRICED).max(1));
                let prices: Vec<_> = some.map(|action| pricing.price(action)).collect();
                format!(", prices {}", digest(&format!("{prices:?}")))
            });
            text.push_str(&format!("{}: {seen}{prices}\n", game.walk.actions));
        }
        let Some(decision) = decision else {
            return Ok(text);
        };
        game.walk.take_action(&decision)?;
    }
}

fn seen<R: Audit>(game: &Game<R>, seats: usize) -> String {
    let (state, names) = (&game.walk.now.state, Names::new(&game.players));
    let of_all = |seen: &dyn Fn(Viewer, &R::View) -> String| {
        let seen = viewers(seats).map(|viewer| seen(viewer, &R::view(state, viewer)));
        digest(&seen.collect::<String>())
    };
    let [wide, tablet, phone] =
        Size::ALL.map(|size| of_all(&|viewer, _| game.drawn(state, (viewer, size), "")));
    let [narrow, broad] =
        [60, 140].map(|columns| of_all(&|_, view| R::board(view, names, columns)));
    let points = digest(&format!("{:?}", R::scores(state)));
    let goods: Vec<Holdings> = Seat::all(seats)
        .map(|seat| holdings::<R>(state, seat))
        .collect();
    let goods = digest(&format!("{goods:?}"));
    format!(
        "drawings {wide} {tablet} {phone}, boards {narrow} {broad}, points {points}, goods {goods}"
    )
}

/// Hashes a long text to a short mark.
pub(super) fn digest(text: &str) -> String {
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.as_bytes()))
}
