//! Simple bots play Dominion against each other, 20,000 games for each pair. Two other programs, with 100,000 games
//! each, give the known frequencies of wins, margins and lengths: every figure must agree within four standard errors
//! of the difference.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "all of this is test code: it stops at surprises and shows its figures"
)]

#[path = "dominion_bots/bot.rs"]
mod bot;
#[path = "dominion_bots/figures.rs"]
mod figures;
#[path = "dominion_bots/game.rs"]
mod game;

use figures::{Expected, compare};

#[test]
fn bm0_against_itself() {
    compare(
        bot::BM0,
        bot::BM0,
        &Expected {
            won: [33.35, 33.19],
            tied: 33.46,
            turns: 17.11,
            points: [27.0, 27.0],
            won_by_seat: [24.11, 42.43],
        },
    );
}

#[test]
fn duchy_p4_against_bm0() {
    compare(
        bot::DUCHY_P4,
        bot::BM0,
        &Expected {
            won: [53.87, 28.68],
            tied: 17.45,
            turns: 17.17,
            points: [28.72, 27.26],
            won_by_seat: [39.25, 43.30],
        },
    );
}

#[test]
fn bm_smithy_1_against_bm0() {
    compare(
        bot::BM_SMITHY_1,
        bot::BM0,
        &Expected {
            won: [59.85, 12.43],
            tied: 27.71,
            turns: 16.18,
            points: [29.31, 24.69],
            won_by_seat: [28.21, 44.08],
        },
    );
}

#[test]
fn bm_lab_against_bm0() {
    compare(
        bot::BM_LAB,
        bot::BM0,
        &Expected {
            won: [49.78, 18.03],
            tied: 32.19,
            turns: 16.53,
            points: [28.54, 25.46],
            won_by_seat: [25.14, 42.68],
        },
    );
}

#[test]
fn bm_market_against_bm0() {
    compare(
        bot::BM_MARKET,
        bot::BM0,
        &Expected {
            won: [42.00, 24.02],
            tied: 33.98,
            turns: 16.78,
            points: [27.87, 26.13],
            won_by_seat: [23.90, 42.11],
        },
    );
}

#[test]
fn bm_council_1_against_bm0() {
    compare(
        bot::BM_COUNCIL_1,
        bot::BM0,
        &Expected {
            won: [50.33, 17.06],
            tied: 32.62,
            turns: 15.39,
            points: [28.53, 25.47],
            won_by_seat: [24.75, 42.63],
        },
    );
}

#[test]
fn bm_adventurer_1_against_bm0() {
    compare(
        bot::BM_ADVENTURER_1,
        bot::BM0,
        &Expected {
            won: [37.11, 29.87],
            tied: 33.03,
            turns: 16.96,
            points: [27.39, 26.61],
            won_by_seat: [24.78, 42.19],
        },
    );
}

#[test]
fn bm_militia_1_against_bm0() {
    compare(
        bot::BM_MILITIA_1,
        bot::BM0,
        &Expected {
            won: [57.04, 15.99],
            tied: 26.96,
            turns: 17.94,
            points: [29.15, 24.85],
            won_by_seat: [29.30, 43.74],
        },
    );
}

#[test]
fn bm_thief_1_against_bm0() {
    compare(
        bot::BM_THIEF_1,
        bot::BM0,
        &Expected {
            won: [28.92, 43.99],
            tied: 27.09,
            turns: 18.20,
            points: [26.27, 27.73],
            won_by_seat: [27.29, 45.62],
        },
    );
}

#[test]
fn bm_witch_1_against_bm0() {
    compare(
        bot::BM_WITCH_1,
        bot::BM0,
        &Expected {
            won: [91.91, 5.51],
            tied: 2.58,
            turns: 17.76,
            points: [30.04, 20.67],
            won_by_seat: [49.85, 47.57],
        },
    );
}

#[test]
fn gardens_rush_against_bm0() {
    compare(
        bot::GARDENS_RUSH,
        bot::BM0,
        &Expected {
            won: [66.52, 33.47],
            tied: 0.01,
            turns: 22.09,
            points: [42.74, 38.59],
            won_by_seat: [55.31, 44.67],
        },
    );
}
