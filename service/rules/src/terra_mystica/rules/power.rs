//! The bowls of power: gaining, spending, sacrificing (TM-6.8, TM-6.9).

use crate::table::{ActionEnumerator, Refusal as _, Seat, VisitFlow};
use crate::terra_mystica::action::Action;
use crate::terra_mystica::event::Event;
use crate::terra_mystica::options::HouseRules;
use crate::terra_mystica::refusal::{Refusal, RefusedAction};
use crate::terra_mystica::state::{ExecContext, Player};

/// Power to be spent from bowl III, with the number of tokens sacrificed for it. Only `check` makes one.
#[derive(Clone, Copy, Debug)]
pub struct Spend {
    power: u8,
    sacrifice: u8,
}

impl Spend {
    /// Checks that this power can be spent with this sacrifice.
    ///
    /// # Rule TM-6.9
    /// Bowl III and the sacrifice must make up the power; tokens are sacrificed in pairs of bowl II,
    /// and only as many as are missing, unless the option allows more (J6).
    pub fn check(
        player: &Player,
        rules: HouseRules,
        (power, sacrifice): (u32, u32),
        rule: &'static str,
    ) -> Result<Self, RefusedAction> {
        let third = u32::from(player.bowls[2]);
        let at_hand = third.saturating_add(sacrifice);
        if at_hand < power {
            let needed = power;
            return Err(Refusal::InsufficientPower { needed, at_hand }.citing(rule));
        }
        let pairs = u32::from(player.bowls[1] / 2);
        let most = if rules.free_sacrifice {
            pairs
        } else {
            pairs.min(power.saturating_sub(third))
        };
        match (u8::try_from(power), u8::try_from(sacrifice)) {
            (Ok(power), Ok(tokens)) if sacrifice <= most => Ok(Self {
                power,
                sacrifice: tokens,
            }),
            _ => {
                let tokens = sacrifice;
                Err(Refusal::InvalidSacrifice { tokens, max: most }.citing(rule))
            }
        }
    }

    /// Lists a purchase for power with every sacrifice: the smallest one, and beyond it all larger ones if the option
    /// allows them (TM-14.9).
    pub fn candidates(
        player: &Player,
        power: u8,
        rules: HouseRules,
        list: &mut ActionEnumerator<'_, Action>,
        mut offer: impl FnMut(&mut ActionEnumerator<'_, Action>, u32) -> VisitFlow,
    ) -> VisitFlow {
        let smallest = power.saturating_sub(player.bowls[2]);
        let most = player.bowls[1] / 2;
        if smallest > most {
            return VisitFlow::Continue(());
        }
        list.group(|list| offer(list, u32::from(smallest)))?;
        if !rules.free_sacrifice {
            return VisitFlow::Continue(());
        }
        (smallest + 1..=most)
            .try_for_each(|larger| list.only_in_full(|list| offer(list, u32::from(larger))))
    }
}

/// Gains power.
///
/// # Rule TM-6.8
/// From bowl I to II while bowl I has tokens, then from bowl II to III; power that cannot be moved is lost.
pub fn gain_power(ctx: &mut ExecContext<'_>, seat: Seat, power: u16) {
    let [first, second, third] = &mut ctx.state.players[seat].bowls;
    // Clamping is harmless: power beyond the capacity of the bowls is lost anyway.
    let power = u8::try_from(power).unwrap_or(u8::MAX);
    let raised = power.min(*first);
    *first -= raised;
    *second += raised;
    let filled = (power - raised).min(*second);
    *second -= filled;
    *third += filled;
}

/// Spends power: sacrificed tokens leave bowl II, as many rise to bowl III, and the tokens spent go to bowl I (TM-6.9).
pub fn spend_power(ctx: &mut ExecContext<'_>, seat: Seat, spend: Spend) {
    sacrifice_power(ctx, seat, spend.sacrifice);
    let bowls = &mut ctx.state.players[seat].bowls;
    bowls[2] -= spend.power;
    bowls[0] += spend.power;
}

/// Removes tokens from bowl II for good; as many rise to bowl III.
pub fn sacrifice_power(ctx: &mut ExecContext<'_>, seat: Seat, tokens: u8) {
    if tokens > 0 {
        let bowls = &mut ctx.state.players[seat].bowls;
        bowls[1] -= 2 * tokens;
        bowls[2] += tokens;
        ctx.emit(Event::PowerSacrificed { seat, tokens });
    }
}
