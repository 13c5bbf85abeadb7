//! Actions in words: spaces by their ids, with the prices.

use super::action::{Action, PowerUse, Span, SpecialUse, Transform, Work};
use super::data::{
    BonusCard, Conversion, Cult, ENGINEER_BRIDGE, Faction, FavorTile, Goods, Land, PowerAction,
    PriestSlot, SHIPPING_STEP, Space, Spades, SpecialAction, Structure, TownTile, direct,
};
use super::event::goal;
use super::rules::spades::spades_for;
use super::view::{BoardView, PoolView, SpaceView, View};
use crate::table::{Count, JoinAnd, JoinCommas, Names, Seat};

/// The action in the words of the seat that owes the decision.
pub fn action(view: &View, action: &Action, _names: Names<'_>) -> String {
    let actor = view.pending.first().map(|pending| pending.seat);
    let say = Speaker {
        view,
        actor,
        board: actor.and_then(|seat| view.board(seat)),
    };
    match action {
        Action::ChooseFaction { faction: None } => String::from("play an unknown faction"),
        Action::ChooseFaction {
            faction: Some(faction),
        } => format!("play the {faction} ({})", faction.home()),
        Action::PlaceDwelling { space } => format!("place a dwelling on {space}"),
        Action::ChooseBonusCard { card } => format!("take {}", say.card(*card)),
        Action::TransformAndBuild { work } => say.main_work(work),
        Action::BuildDwelling { space } => say.build(*space),
        Action::AdvanceShipping => say.advance_shipping(),
        Action::AdvanceTerraforming => say.advance_terraforming(),
        Action::UpgradeStructure {
            space,
            to_structure: to,
        } => {
            format!("upgrade {space} to a {to}{}", say.price(*to, *space))
        }
        Action::SendPriest { cult, slot } => priest(*cult, *slot),
        Action::TakePowerAction {
            power_use,
            sacrifice,
        } => say.power_action(power_use, *sacrifice),
        Action::TakeSpecialAction { special_use } => say.special_action(special_use),
        Action::BuildEngineerBridge { span } => {
            format!("{}{}", bridge(*span), costing(ENGINEER_BRIDGE))
        }
        Action::PassTurn { card: None } => String::from("pass"),
        Action::PassTurn { card: Some(card) } => format!("pass and take {}", say.card(*card)),
        Action::Convert {
            kind,
            times,
            sacrifice,
        } => convert(*kind, *times, *sacrifice),
        Action::SacrificePower { tokens } => {
            format!("sacrifice {}", Count(*tokens, "power token"))
        }
        Action::FoundRiverTown { river } => format!("found a town over {river}"),
        Action::EndTurn => String::from("end the turn"),
        Action::DecidePower { accept } => say.power_answer(*accept),
        Action::ChooseFavorTile { tile } => format!("take {}", favor(*tile)),
        Action::ChooseTownTile { tile, key_cults } => choose_town(*tile, key_cults),
        Action::ChooseCultStep { cult } => format!("advance 1 step on the {cult} track"),
        Action::OrdainPriests { count: 0 } => String::from("ordain no priest"),
        Action::OrdainPriests { count } => format!("ordain {}", Count(*count, "priest")),
        Action::UseStrongholdSpades { work } if work.transforms.is_empty() => {
            String::from("use no spades")
        }
        Action::UseStrongholdSpades { work } => say.work(work),
        Action::UseCultSpades { transforms } if transforms.is_empty() => {
            String::from("use no spades")
        }
        Action::UseCultSpades { transforms } => say.transforms(transforms),
    }
}

/// `BON8 (1 priest)`.
pub fn bonus(card: BonusCard) -> String {
    format!("{} ({card})", card.id())
}

/// `FAV5 (2 fire, towns of power 6)`.
pub fn favor(tile: FavorTile) -> String {
    format!("{} ({tile})", tile.id())
}

/// `ACTN (sandstorm)`.
pub fn special(action: SpecialAction) -> String {
    format!("{} ({action})", action.id())
}

/// `ACT3 (2 workers) for 4 power`.
pub fn power(action: PowerAction) -> String {
    format!("{} ({action}) for {} power", action.id(), action.power())
}

/// The VP and goods of a town tile: `5 VP, 6 coins`.
pub fn town_text(tile: TownTile) -> String {
    if tile.name().contains("VP") {
        tile.to_string()
    } else {
        format!("{} VP, {tile}", tile.vp())
    }
}

/// `TW1 (5 VP, 6 coins)`.
pub fn town(tile: TownTile) -> String {
    format!("{} ({})", tile.id(), town_text(tile))
}

/// A card of the pool: `BON8 (1 priest) with 2 coins`.
pub fn pooled(pooled: &PoolView) -> String {
    let name = bonus(pooled.card);
    match pooled.coins {
        0 => name,
        coins => format!("{name} with {}", Count(coins, "coin")),
    }
}

/// The context of the texts.
struct Speaker<'a> {
    view: &'a View,
    actor: Option<Seat>,
    /// The board of the player who has to decide.
    board: Option<&'a BoardView>,
}

impl Speaker<'_> {
    fn card(&self, card: BonusCard) -> String {
        let mut pool = self.view.bonus_pool.iter();
        pool.find(|pooled| pooled.card == card)
            .map_or_else(|| bonus(card), pooled)
    }

    fn build(&self, space: Space) -> String {
        let price = self.price(Structure::Dwelling, space);
        format!("build a dwelling on {space}{price}")
    }

    /// ` for 1 worker and 2 coins`; for a trading house the price at this place.
    fn price(&self, structure: Structure, space: Space) -> String {
        let Some(board) = self.board else {
            return String::new();
        };
        let sheet = board.faction.sheet();
        if structure == Structure::TradingHouse && self.near_others(space) {
            costing(sheet.trading_house_near_others)
        } else {
            costing(sheet.cost(structure))
        }
    }

    /// Returns whether another player's structure is next to this space, including over a bridge.
    fn near_others(&self, space: Space) -> bool {
        let Space::Land(land) = space else {
            return false;
        };
        let bridges = self.view.bridges.iter();
        let bridged = bridges.filter_map(|bridge| match land {
            land if land == bridge.a => Some(bridge.b),
            land if land == bridge.b => Some(bridge.a),
            _ => None,
        });
        let others = |near: Land| {
            let owner = self.space(near).and_then(|space| space.owner);
            owner.is_some() && owner != self.actor
        };
        direct(land).iter().chain(bridged).any(others)
    }

    fn space(&self, land: Land) -> Option<&SpaceView> {
        self.view.spaces.iter().find(|view| view.space == land)
    }

    fn main_work(&self, work: &Work) -> String {
        match work.build_at {
            Some(space) if work.transforms.is_empty() => self.build(space),
            Some(_) | None => self.work(work),
        }
    }

    /// `transform E6 to desert with 1 spade and build a dwelling there`; `build a dwelling on F3`;
    /// `use no spades`.
    fn work(&self, work: &Work) -> String {
        let build = work.build_at.map(|space| match &work.transforms[..] {
            [only] if only.space == space => String::from("build a dwelling there"),
            _ => format!("build a dwelling on {space}"),
        });
        let transforms = match &work.transforms[..] {
            [] => None,
            transforms => Some(self.transforms(transforms)),
        };
        match (transforms, build) {
            (Some(transforms), Some(build)) => format!("{transforms} and {build}"),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => String::from("use no spades"),
        }
    }

    /// `transform E6 to desert with 2 spades`.
    fn transforms(&self, transforms: &[Transform]) -> String {
        let texts = transforms.iter().map(|one| {
            let text = format!("{} to {}", one.space, one.target);
            match self.spades(one) {
                Some(spades) => format!("{text} with {}", Count(spades, "spade")),
                None => text,
            }
        });
        format!("transform {}", JoinCommas(texts))
    }

    fn spades(&self, transform: &Transform) -> Option<u8> {
        let Space::Land(land) = transform.space else {
            return None;
        };
        let (faction, from) = (self.board?.faction, self.space(land)?.terrain);
        Some(spades_for(
            faction,
            from,
            transform.target,
            transform.direction,
        ))
    }

    fn faction(&self) -> Option<Faction> {
        self.board.map(|board| board.faction)
    }

    fn advance_shipping(&self) -> String {
        let track = self.faction().and_then(|faction| faction.sheet().shipping);
        let price = track.map_or_else(String::new, |_| costing(SHIPPING_STEP));
        format!("advance on the shipping track{price}")
    }

    fn advance_terraforming(&self) -> String {
        let price = match self.faction().map(|faction| faction.sheet().spades) {
            Some(Spades::Workers { step, .. }) => costing(step),
            Some(Spades::Priests) | None => String::new(),
        };
        format!("advance on the exchange track{price}")
    }

    fn power_action(&self, power_use: &PowerUse, sacrifice: u32) -> String {
        let text = format!(
            "take {}{}",
            power(power_use.action()),
            sacrificing(sacrifice)
        );
        match power_use {
            PowerUse::Bridge { span: None } => format!("{text}: build no bridge"),
            PowerUse::Bridge { span: Some(span) } => format!("{text}: {}", bridge(*span)),
            PowerUse::Priest | PowerUse::Workers | PowerUse::Coins => text,
            PowerUse::Spade(work) | PowerUse::TwoSpades(work) => {
                format!("{text}: {}", self.work(work))
            }
        }
    }

    fn special_action(&self, special_use: &SpecialUse) -> String {
        let text = format!("use {}", special_use.action().called());
        match special_use {
            SpecialUse::BonusSpade(work) | SpecialUse::GiantSpades(work) => {
                format!("{text}: {}", self.work(work))
            }
            SpecialUse::BonusCultStep(cult) | SpecialUse::FavorCultStep(cult) => {
                format!("{text}: advance 1 step on the {cult} track")
            }
            SpecialUse::CultSteps(cult) => format!("{text}: advance 2 steps on the {cult} track"),
            SpecialUse::WitchesRide(space) => format!("{text}: build a dwelling on {space}"),
            SpecialUse::FreeTradingHouse(space) => {
                format!("{text}: upgrade {space} to a trading house")
            }
            SpecialUse::DoubleTurn => text,
            SpecialUse::Sandstorm { space, build } => {
                let build = if *build {
                    " and build a dwelling there"
                } else {
                    ""
                };
                format!("{text}: transform {space} to desert{build}")
            }
        }
    }

    /// `take 3 power for 2 VP, because the Witches built on E6`.
    fn power_answer(&self, accept: bool) -> String {
        let word = if accept { "take" } else { "decline" };
        let Some(offer) = self.view.power_offers.first() else {
            return format!("{word} the power");
        };
        let price = match offer.gainable.saturating_sub(1) {
            vp if accept && vp > 0 => format!(" for {vp} VP"),
            _ => String::new(),
        };
        let builder = self.view.board(offer.builder);
        let reason = builder.map_or_else(String::new, |board| {
            format!(", because the {} built on {}", board.faction, offer.space)
        });
        format!("{word} {} power{price}{reason}", offer.gainable)
    }
}

/// ` for 1 worker and 2 coins`.
fn costing(price: Goods) -> String {
    format!(" for {price}")
}

fn bridge(span: Span) -> String {
    format!("build a bridge between {} and {}", span.a, span.b)
}

/// `, sacrificing 2 power tokens`.
fn sacrificing(tokens: u32) -> String {
    match tokens {
        0 => String::new(),
        _ => format!(", sacrificing {}", Count(tokens, "power token")),
    }
}

/// `send a priest to the 3-step space of the fire cult`.
fn priest(cult: Cult, slot: PriestSlot) -> String {
    format!("send a priest to {}", goal(cult, slot))
}

/// `convert 6 power into 2 workers`.
fn convert(kind: Conversion, times: u32, sacrifice: u32) -> String {
    // Clamping is harmless: conversions beyond a player's means are refused anyway.
    let times = u16::try_from(times).unwrap_or(u16::MAX);
    let (takes, gives) = (kind.takes(times), kind.gives(times));
    format!("convert {takes} into {gives}{}", sacrificing(sacrifice))
}

fn choose_town(tile: TownTile, key_cults: &[Cult]) -> String {
    let tile = town(tile);
    if key_cults.is_empty() {
        return format!("take {tile}");
    }
    let tracks = if key_cults.len() == 1 {
        "track"
    } else {
        "tracks"
    };
    format!(
        "take {tile} and reach the top of the {} {tracks}",
        JoinAnd(key_cults)
    )
}
