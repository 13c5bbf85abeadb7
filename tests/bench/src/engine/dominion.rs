//! Games of two Big Money bots, as in players' simulators.

#[path = "../../../../service/rules/tests/dominion_bots/bot.rs"]
#[allow(dead_code, reason = "only one of the bots plays here")]
mod bot;
#[path = "../../../../service/rules/tests/dominion_bots/game.rs"]
#[allow(dead_code, reason = "who wins is of no matter here")]
mod game;

/// Returns a function that plays one more game with each call.
pub(super) fn game() -> impl FnMut() -> usize {
    let buys = [bot::BM0, bot::BM0];
    let options = game::options(buys);
    let mut seed = 0;
    move || {
        seed += 1;
        std::hint::black_box(game::play(&options, buys, seed));
        1
    }
}
