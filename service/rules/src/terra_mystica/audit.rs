//! What the conformance suite needs to know of Terra Mystica: tables, invariants, a policy.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "helpers of tests look at a few actions only"
)]

mod invariants;
mod ledger;
mod universe;

use super::action::{Action, PowerUse, Span, SpecialUse, Transform, Work};
use super::data::{Conversion, Faction};
use super::event::Event;
use super::options::{Draft, Options, PromoTiles, SetupMode, TurnOrder};
use super::state::State;
use super::{TerraMystica, options};
use crate::conformance::Audit;
use crate::table::{Chance, Fault, Given, Seat, Seed, Viewer, broken};

impl Audit for TerraMystica {
    fn table(seats: usize, seed: u64) -> Options {
        let players = vec![String::new(); seats];
        let mut chance = Chance::from_seed(&Seed::from_number(seed ^ 0x7e44));
        let draft = random_draft(seats, seed, &mut chance);
        let checked = options::check(&players, &draft);
        checked.unwrap_or_else(|no| broken(no.refused.rule, no))
    }

    fn universe(state: &State, seat: Seat) -> Vec<Action> {
        universe::universe(state, seat)
    }

    fn covers(listed: &Action, accepted: &Action) -> bool {
        normal(listed) == normal(accepted) && sacrifice(listed) <= sacrifice(accepted)
    }

    fn invariants(state: &State) -> Result<(), Fault> {
        invariants::check(state)
    }

    fn step_invariants(before: &State, after: &State, events: &[Event]) -> Result<(), Fault> {
        invariants::check_step(before, after)?;
        ledger::check(before, after, events)
    }

    /// There is nothing that a viewer cannot know (TM-13.1).
    fn scramble(state: &State, _viewer: Viewer, _chance: &mut Chance) -> State {
        state.clone()
    }

    fn scramble_event(event: &Event, _viewer: Viewer, _chance: &mut Chance) -> Event {
        event.clone()
    }

    /// Building is more likely than passing and converting, so that random games reach towns and strongholds.
    fn choose(_state: &State, _seat: Seat, legal: &[Action], chance: &mut Chance) -> usize {
        let kinds: Vec<Taste> = legal.iter().map(taste).collect();
        let mut tickets: Vec<u8> = Vec::new();
        for taste in Taste::ALL {
            if kinds.contains(&taste) {
                tickets.extend(std::iter::repeat_n(taste as u8, taste.weight()));
            }
        }
        let Some(drawn) = chance.pick("taste", None, &tickets) else {
            return 0;
        };
        let places: Vec<u16> = kinds
            .iter()
            .zip(0..)
            .filter_map(|(&kind, place)| (kind as u8 == drawn).then_some(place))
            .collect();
        chance.pick("play", None, &places).map_or(0, usize::from)
    }
}

/// Every option occurs: set-ups, factions, optional tiles, turn orders.
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
        turn_order: Given::Known(TurnOrder::ALL[usize::from(coin())]),
        ..Draft::default()
    };
    let setup_mode = match seed % 8 {
        0 => SetupMode::Standard,
        1 => SetupMode::RandomColors,
        2 => SetupMode::Introductory,
        _ => SetupMode::Custom,
    };
    draft.setup_mode = Given::Known(setup_mode);
    if setup_mode == SetupMode::Custom {
        let mut all: Vec<u8> = (0..14).collect();
        chance.shuffle("factions", None, &mut all);
        draft.factions = Some(one_of_each_color(seats, &all));
    }
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

/// The groups of actions among which random play chooses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taste {
    Build,
    Dig,
    Upgrade,
    Advance,
    Priest,
    Power,
    Special,
    Pass,
    Convert,
    EndTurn,
    Refuse,
    Choose,
}

impl Taste {
    const ALL: [Self; 12] = [
        Self::Build,
        Self::Dig,
        Self::Upgrade,
        Self::Advance,
        Self::Priest,
        Self::Power,
        Self::Special,
        Self::Pass,
        Self::Convert,
        Self::EndTurn,
        Self::Refuse,
        Self::Choose,
    ];

    const fn weight(self) -> usize {
        match self {
            Self::Build => 30,
            Self::Upgrade | Self::Choose => 24,
            Self::Power | Self::Special => 10,
            Self::Dig | Self::Advance | Self::Priest => 4,
            Self::EndTurn => 8,
            Self::Refuse => 6,
            Self::Pass => 2,
            Self::Convert => 1,
        }
    }
}

fn taste(action: &Action) -> Taste {
    let of = |work: &Work| {
        if work.build_at.is_some() {
            Taste::Build
        } else {
            Taste::Dig
        }
    };
    match action {
        Action::TransformAndBuild { work } | Action::UseStrongholdSpades { work } => of(work),
        Action::BuildDwelling { .. } => Taste::Build,
        Action::AdvanceShipping | Action::AdvanceTerraforming => Taste::Advance,
        Action::UpgradeStructure { .. } => Taste::Upgrade,
        Action::SendPriest { .. } => Taste::Priest,
        Action::TakePowerAction {
            power_use: PowerUse::Spade(work) | PowerUse::TwoSpades(work),
            ..
        }
        | Action::TakeSpecialAction {
            special_use: SpecialUse::BonusSpade(work) | SpecialUse::GiantSpades(work),
        } => of(work),
        Action::TakePowerAction { .. } => Taste::Power,
        Action::TakeSpecialAction { .. } | Action::BuildEngineerBridge { .. } => Taste::Special,
        Action::Pass { .. } => Taste::Pass,
        Action::Convert { .. } | Action::SacrificePower { .. } => Taste::Convert,
        Action::EndTurn => Taste::EndTurn,
        Action::DecidePower { accept: false } => Taste::Refuse,
        Action::ChooseFaction { .. }
        | Action::PlaceDwelling { .. }
        | Action::ChooseBonusCard { .. }
        | Action::FoundRiverTown { .. }
        | Action::DecidePower { accept: true }
        | Action::ChooseFavorTile { .. }
        | Action::ChooseTownTile { .. }
        | Action::ChooseCultStep { .. }
        | Action::OrdainPriests { .. }
        | Action::UseCultSpades { .. } => Taste::Choose,
    }
}

fn sacrifice(action: &Action) -> u32 {
    match action {
        Action::TakePowerAction { sacrifice, .. } | Action::Convert { sacrifice, .. } => *sacrifice,
        _ => 0,
    }
}

/// The canonical form of equivalent actions: spaces in order, ends of a bridge in order, tracks in
/// order, without sacrifices.
fn normal(action: &Action) -> Action {
    let mut action = action.clone();
    match &mut action {
        Action::TransformAndBuild { work } | Action::UseStrongholdSpades { work } => sort(work),
        Action::TakePowerAction {
            power_use,
            sacrifice,
        } => {
            *sacrifice = 0;
            match power_use {
                PowerUse::Bridge(Some(span)) => turn(span),
                PowerUse::Spade(work) | PowerUse::TwoSpades(work) => sort(work),
                PowerUse::Bridge(None) | PowerUse::Priest | PowerUse::Workers | PowerUse::Coins => {
                }
            }
        }
        Action::TakeSpecialAction {
            special_use: SpecialUse::BonusSpade(work) | SpecialUse::GiantSpades(work),
        } => sort(work),
        Action::BuildEngineerBridge { span } => turn(span),
        Action::Convert {
            kind: Conversion::PowerToPriest | Conversion::PowerToWorker | Conversion::PowerToCoin,
            sacrifice,
            ..
        } => *sacrifice = 0,
        Action::ChooseTownTile { key_cults, .. } => key_cults.sort_unstable(),
        Action::UseCultSpades { transforms } => sort_transforms(transforms),
        _ => {}
    }
    action
}

fn sort(work: &mut Work) {
    sort_transforms(&mut work.transforms);
}

fn sort_transforms(transforms: &mut [Transform]) {
    transforms.sort_unstable_by_key(|transform| transform.space);
}

fn turn(span: &mut Span) {
    if span.b < span.a {
        *span = Span {
            a: span.b,
            b: span.a,
        };
    }
}
