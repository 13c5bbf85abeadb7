//! The hooks of the **conformance suite** for Terra Mystica (TM-11, TM-13).

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each policy or ledger speaks of a few events or actions only"
)]

pub mod cover;
pub mod invariants;
pub mod ledger;
pub mod policy;
pub mod reader;
pub mod universe;

use super::action::Action;
use super::data::Faction;
use super::event::Event;
use super::options::{Draft, Options, PromoTiles, SetupMode, TurnOrder};
use super::state::State;
use super::{TerraMystica, options};
use crate::conformance::Audit;
use crate::table::{Chance, Fault, OptionalParam, Seat, Seed, invariant_violated};

impl Audit for TerraMystica {
    type Reader = reader::Reader;

    const UNREACHED: &'static [(&'static str, &'static str)] = &[(
        "refusal KEY_CHOICE_REQUIRED",
        "a founder must be one step from the end of more tracks than they have keys (TM-6.55); unit tests do",
    )];

    const CEILINGS: &'static [&'static str] = &["TM-15.3"];

    fn table(seats: usize, seed: u64) -> Options {
        let players = vec![String::new(); seats];
        let mut chance = Chance::from_seed(&Seed::from_number(seed ^ 0x7e44));
        let draft = random_draft(seats, seed, &mut chance);
        let checked = options::check(&players, &draft);
        checked.unwrap_or_else(|no| invariant_violated(no.refused.rule, no))
    }

    fn universe(state: &State, seat: Seat) -> Vec<Action> {
        universe::universe(state, seat)
    }

    fn covers(listed: &Action, accepted: &Action) -> bool {
        cover::same_move(listed, accepted)
    }

    const RENEWED: &'static [&'static str] = &[
        "coin",
        "worker",
        "priest",
        "power",
        "power_token",
        "key",
        "victory_point",
    ];

    /// A round; then come the rewards of its scoring tile and the income.
    fn ends_period(event: &Event) -> bool {
        matches!(event, Event::RoundEnded { .. } | Event::RoundBegan { .. })
    }

    fn invariants(state: &State) -> Result<(), Fault> {
        invariants::of_state(state)
    }

    fn step_invariants(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
        invariants::of_step(before, after)?;
        ledger::balance(before, after, events)
    }

    /// Returns whether the option is set with which the rest of a turn is waived (TM-6.2).
    fn waives(state: &State) -> bool {
        state.rules.auto_end_turn
    }

    fn choose(_state: &State, _seat: Seat, legal: &[Action], chance: &mut Chance) -> usize {
        policy::choose(legal, chance)
    }
}

/// Draws options, so that every option occurs: set-ups, factions, optional tiles, turn orders.
fn random_draft(seats: usize, seed: u64, chance: &mut Chance) -> Draft {
    let mut coin = || chance.pick("coin", None, &[0_u8, 1]) == Some(1);
    let mut draft = Draft {
        free_sacrifice: coin(),
        auto_end_turn: coin(),
        promo_tiles: PromoTiles {
            town_tiles: coin(),
            shipping_bonus_card: coin(),
            temple_scoring_tile: coin(),
        },
        turn_order: OptionalParam::Known(TurnOrder::ALL[usize::from(coin())]),
        ..Draft::default()
    };
    let setup_mode = match seed % 8 {
        0 => SetupMode::Standard,
        1 => SetupMode::RandomColors,
        2 => SetupMode::Introductory,
        _ => SetupMode::Custom,
    };
    draft.setup_mode = OptionalParam::Known(setup_mode);
    if setup_mode == SetupMode::Custom {
        let mut all: Vec<u8> = (0..14).collect();
        chance.shuffle("factions", None, &mut all);
        draft.factions = Some(one_of_each_color(seats, &all));
    }
    draft.cultist_power_needs_offer = chance.pick("coin", None, &[0_u8, 1]) == Some(1);
    draft
}

fn one_of_each_color(seats: usize, order: &[u8]) -> Vec<Option<Faction>> {
    let mut factions: Vec<Faction> = Vec::new();
    for &place in order {
        let faction = Faction::ALL[usize::from(place)];
        let free = factions.iter().all(|other| other.home() != faction.home());
        if free && factions.len() < seats {
            factions.push(faction);
        }
    }
    factions.into_iter().map(Some).collect()
}
