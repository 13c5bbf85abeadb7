//! A random policy that reaches towns and strongholds.

use crate::table::Chance;
use crate::terra_mystica::action::{Action, PowerUse, SpecialUse, Work};

/// Makes building more likely than passing and converting, so that random games reach towns and strongholds.
pub fn choose(legal: &[Action], chance: &mut Chance) -> usize {
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
        Action::PassTurn { .. } => Taste::Pass,
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
