//! Conversions and free sacrifices (TM-6.10, J6, J29).

use super::super::action::Conversion;
use super::super::data::{Faction, Goods};
use super::super::event::Event;
use super::super::pending::Decision;
use super::super::refusal::{Piece, Refusal};
use super::super::state::State;
use super::power::Spend;
use super::{Play, affordable};
use crate::table::Seat;

/// A conversion, checked.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Exchange {
    kind: Conversion,
    times: u16,
    spend: Option<Spend>,
}

/// More than any player can have of anything: asking for more is answered as asking for so many.
const MOST_TIMES: u16 = 10_000;

/// # Rule TM-6.10, TM-14.3
/// Ordinary kinds in the own turn, the Alchemists' kinds also at an offer of power.
pub(in super::super) fn check_convert(
    state: &State,
    seat: Seat,
    decision: Decision,
    (kind, times, sacrifice): (Conversion, u32, u32),
) -> Result<Exchange, Refusal> {
    let alchemist = state.faction(seat) == Faction::Alchemists;
    let timely = kind.is_alchemy() || decision != Decision::PowerDecision;
    if kind.is_alchemy() && !alchemist || !timely {
        return Err(Refusal::ConversionNotAllowed { kind: kind.id() });
    }
    if times == 0 {
        return Err(Refusal::InvalidAmount {
            amount: times,
            most: u32::from(MOST_TIMES),
        });
    }
    let repeated = u16::try_from(times).map_or(MOST_TIMES, |times| times.min(MOST_TIMES));
    let spend = check_power(state, seat, kind, (times, sacrifice))?;
    if kind == Conversion::PowerToPriest && times > u32::from(state.priest_supply(seat)) {
        return Err(Refusal::NoPieceLeft {
            piece: Piece::Priest,
        });
    }
    affordable_exchange(state, seat, kind, repeated)?;
    Ok(Exchange {
        kind,
        times: repeated,
        spend,
    })
}

fn check_power(
    state: &State,
    seat: Seat,
    kind: Conversion,
    (times, sacrifice): (u32, u32),
) -> Result<Option<Spend>, Refusal> {
    if kind.power() == 0 {
        return if sacrifice == 0 {
            Ok(None)
        } else {
            Err(Refusal::InvalidSacrifice { tokens: sacrifice })
        };
    }
    let power = u64::from(times) * u64::from(kind.power());
    Spend::check(&state.players[seat], power, sacrifice, state.rules).map(Some)
}

fn affordable_exchange(
    state: &State,
    seat: Seat,
    kind: Conversion,
    times: u16,
) -> Result<(), Refusal> {
    let vp = kind.vp().0 * times;
    if vp > state.players[seat].vp {
        let price = Goods::NONE;
        return Err(Refusal::CannotAfford { price, vp });
    }
    affordable(state, seat, kind.goods().0.times(times))
}

/// # Rule J6, TM-14.3
/// Only where the table allows it: pairs of bowl II, at least one.
pub(in super::super) fn check_sacrifice(
    state: &State,
    seat: Seat,
    tokens: u32,
) -> Result<u8, Refusal> {
    if !state.rules.free_sacrifice {
        let kind = "sacrifice_power";
        return Err(Refusal::ConversionNotAllowed { kind });
    }
    let most = state.players[seat].bowls[1] / 2;
    if tokens == 0 {
        let most = u32::from(most);
        return Err(Refusal::InvalidAmount { amount: 0, most });
    }
    u8::try_from(tokens)
        .ok()
        .filter(|&tokens| tokens <= most)
        .ok_or(Refusal::InvalidSacrifice { tokens })
}

impl Play<'_> {
    pub(in super::super) fn perform_convert(&mut self, seat: Seat, exchange: Exchange) {
        let Exchange { kind, times, spend } = exchange;
        if let Some(spend) = spend {
            self.spend_power(seat, spend);
        }
        let (gone, come) = kind.goods();
        let (gone, come) = (gone.times(times), come.times(times));
        let (lost, won) = kind.vp();
        let player = &mut self.state.players[seat];
        player.coins = player.coins - gone.coins + come.coins;
        player.workers = player.workers - gone.workers + come.workers;
        player.priests = player.priests - small(gone.priests) + small(come.priests);
        player.vp = player.vp - lost * times + won * times;
        self.tell(Event::Converted { seat, kind, times });
    }
}

/// A number of priests; there are seven.
fn small(priests: u16) -> u8 {
    u8::try_from(priests).unwrap_or(u8::MAX)
}
