//! Equality of actions: spaces, ends and tracks are compared in any order, and with any number of tokens sacrificed.

use crate::terra_mystica::action::{Action, PowerUse, Span, SpecialUse, Transform, Work};
use crate::terra_mystica::data::Conversion;

/// Returns whether the accepted action is a way to make the listed move.
pub fn same_move(listed: &Action, accepted: &Action) -> bool {
    normal(listed) == normal(accepted) && sacrifice(listed) <= sacrifice(accepted)
}

fn sacrifice(action: &Action) -> u32 {
    match action {
        Action::TakePowerAction { sacrifice, .. } | Action::Convert { sacrifice, .. } => *sacrifice,
        _ => 0,
    }
}

/// Returns the canonical form of equivalent actions: spaces in order, ends of a bridge in order, tracks in order,
/// without sacrifices.
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
                PowerUse::Bridge { span: Some(span) } => turn(span),
                PowerUse::Spade(work) | PowerUse::TwoSpades(work) => sort(work),
                PowerUse::Bridge { span: None }
                | PowerUse::Priest
                | PowerUse::Workers
                | PowerUse::Coins => {}
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
