//! The components that actions and events touch. `picture` draws them under the same names.

use std::collections::BTreeSet;

use super::action::{Action, PowerUse, Span, SpecialUse, Transforms, Work};
use super::data::{
    BonusCard, Conversion, Cult, Faction, FavorTile, Goods, Land, LandSet, PowerAction, PriestSlot,
    River, ScoringTile, Space, SpecialAction, TownTile, site_between,
};
use super::event::{Event, GoodsSource, VpSource};
use super::view::View;
use crate::table::{Component, Seat};

/// A land hex.
pub fn land(land: Land) -> Component {
    Component::new("space", land.id())
}

pub fn river(river: River) -> Component {
    Component::new("river", river.id())
}

/// The structure on a hex: its component stays the same when the structure is upgraded.
pub fn structure(land: Land) -> Component {
    Component::new("structure", land.id())
}

/// A bridge that was built, by the number of its site.
pub fn bridge(a: Land, b: Land) -> Option<Component> {
    let site = u16::try_from(site_between(a, b)?).ok()?;
    Some(Component::number("bridge", site))
}

pub fn cult(cult: Cult) -> Component {
    Component::new("cult", cult.id())
}

/// A player's marker on a cult track.
pub fn marker(seat: Seat, cult: Cult) -> Component {
    Component::of(seat, "cult_marker", cult.id())
}

/// A priest space of a cult track: number 1 is the space of 3 steps.
pub fn priest_space(cult: Cult, place: u8) -> Component {
    Component::piece("priest_space", cult.id(), place)
}

pub fn power_action(action: PowerAction) -> Component {
    Component::new("power_action", action.id())
}

/// A special action of a player.
pub fn special(seat: Seat, action: SpecialAction) -> Component {
    Component::of(seat, "special_action", action.id())
}

/// A bonus card, in any place.
pub fn bonus(card: BonusCard) -> Component {
    Component::new("bonus_card", card.id())
}

/// The supply of a favor tile.
pub fn favor(tile: FavorTile) -> Component {
    Component::new("favor_tile", tile.id())
}

/// The supply of a town tile.
pub fn town(tile: TownTile) -> Component {
    Component::new("town_tile", tile.id())
}

pub fn scoring(tile: ScoringTile) -> Component {
    Component::new("scoring_tile", tile.id())
}

pub fn faction(faction: Faction) -> Component {
    Component::new("faction", faction.id())
}

/// The goods and tracks of a player: `coins`, `workers`, `priests`, `power`, `shipping`, `terraforming`.
pub const fn purse(seat: Seat, what: &'static str) -> Component {
    Component::only(what, seat)
}

pub const COINS: &str = "coins";
pub const WORKERS: &str = "workers";
pub const PRIESTS: &str = "priests";
pub const POWER: &str = "power";
pub const SHIPPING: &str = "shipping";
pub const TERRAFORMING: &str = "terraforming";

fn space(space: Space) -> Option<Component> {
    match space {
        Space::Land(land) => Some(self::land(land)),
        Space::River(river) => Some(self::river(river)),
        Space::Unknown => None,
    }
}

/// Lists the components that an action touches. A pass touches only the player.
pub fn action(view: &View, seat: Seat, action: &Action) -> Vec<Component> {
    let touched: BTreeSet<Component> = touched(view, seat, action).into_iter().collect();
    if touched.is_empty() {
        return vec![Component::seat(seat)];
    }
    touched.into_iter().collect()
}

fn touched(view: &View, seat: Seat, action: &Action) -> Vec<Component> {
    let of = |what| purse(seat, what);
    match action {
        Action::ChooseFaction { faction } => faction.map(self::faction).into_iter().collect(),
        Action::PlaceDwelling { space } | Action::BuildDwelling { space } => {
            self::space(*space).into_iter().collect()
        }
        Action::ChooseBonusCard { card } => vec![bonus(*card)],
        Action::TransformAndBuild { work } | Action::UseStrongholdSpades { work } => of_work(work),
        Action::AdvanceShipping => vec![of(SHIPPING)],
        Action::AdvanceTerraforming => vec![of(TERRAFORMING)],
        Action::UpgradeStructure { space, .. } => upgraded(*space),
        Action::SendPriest { cult, slot } => {
            vec![of(PRIESTS), goal(view, *cult, *slot)]
        }
        Action::TakePowerAction { power_use, .. } => {
            let taken = power_action(power_use.action());
            [taken].into_iter().chain(of_power(power_use)).collect()
        }
        Action::TakeSpecialAction { special_use } => {
            let taken = special(seat, special_use.action());
            [taken].into_iter().chain(of_special(special_use)).collect()
        }
        Action::BuildEngineerBridge { span } => ends(*span),
        Action::PassTurn { card } => card.map(bonus).into_iter().collect(),
        Action::Convert { kind, .. } => converted(seat, *kind),
        Action::SacrificePower { .. } => vec![of(POWER)],
        Action::FoundRiverTown { river } => space(*river).into_iter().collect(),
        Action::EndTurn => Vec::new(),
        Action::DecidePower { .. } => {
            let offer = view.power_offers.first();
            let built = offer.map(|offer| land(offer.space));
            [of(POWER)].into_iter().chain(built).collect()
        }
        Action::ChooseFavorTile { tile } => vec![favor(*tile)],
        Action::ChooseTownTile { tile, key_cults } => {
            let keys = key_cults.iter().copied().map(cult);
            [town(*tile)].into_iter().chain(keys).collect()
        }
        Action::ChooseCultStep { cult } => vec![self::cult(*cult)],
        Action::OrdainPriests { .. } => vec![of(WORKERS), of(PRIESTS)],
        Action::UseCultSpades { transforms } => of_transforms(transforms),
    }
}

/// The destination of a priest: the first free space of these steps, or the track alone.
fn goal(view: &View, cult: Cult, slot: PriestSlot) -> Component {
    let holders = view.priests.get(cult.index());
    let free = |place: &u8| {
        let holder = holders.and_then(|holders| holders.get(usize::from(*place)));
        holder.is_some_and(Option::is_none)
    };
    let place = match slot {
        PriestSlot::Three => Some(0),
        PriestSlot::Two => (1..4).find(free),
        PriestSlot::Supply => None,
    };
    place.map_or_else(|| self::cult(cult), |place| priest_space(cult, place + 1))
}

fn of_transforms(transforms: &Transforms) -> Vec<Component> {
    let spaces = transforms.iter();
    spaces.filter_map(|one| space(one.space)).collect()
}

fn of_work(work: &Work) -> Vec<Component> {
    let built = work.build_at.and_then(space);
    of_transforms(&work.transforms)
        .into_iter()
        .chain(built)
        .collect()
}

fn ends(span: Span) -> Vec<Component> {
    [span.a, span.b].into_iter().filter_map(space).collect()
}

fn upgraded(space: Space) -> Vec<Component> {
    match space {
        Space::Land(land) => vec![self::land(land), structure(land)],
        Space::River(_) | Space::Unknown => Vec::new(),
    }
}

fn of_power(power_use: &PowerUse) -> Vec<Component> {
    match power_use {
        PowerUse::Bridge { span } => span.map(ends).unwrap_or_default(),
        PowerUse::Spade(work) | PowerUse::TwoSpades(work) => of_work(work),
        PowerUse::Priest | PowerUse::Workers | PowerUse::Coins => Vec::new(),
    }
}

fn of_special(special_use: &SpecialUse) -> Vec<Component> {
    match special_use {
        SpecialUse::BonusSpade(work) | SpecialUse::GiantSpades(work) => of_work(work),
        SpecialUse::BonusCultStep(cult)
        | SpecialUse::FavorCultStep(cult)
        | SpecialUse::CultSteps(cult) => vec![self::cult(*cult)],
        SpecialUse::WitchesRide(space) | SpecialUse::Sandstorm { space, .. } => {
            self::space(*space).into_iter().collect()
        }
        SpecialUse::FreeTradingHouse(space) => upgraded(*space),
        SpecialUse::DoubleTurn => Vec::new(),
    }
}

fn converted(seat: Seat, kind: Conversion) -> Vec<Component> {
    let (takes, gives) = kind.goods();
    let (lost, scored) = kind.vp();
    let power = (kind.power() > 0).then(|| purse(seat, POWER));
    let points = (lost + scored > 0).then(|| Component::seat(seat));
    let goods = of_goods(seat, takes.and(gives));
    goods.into_iter().chain(power).chain(points).collect()
}

fn of_goods(seat: Seat, goods: Goods) -> Vec<Component> {
    let kinds = [
        (goods.coins > 0, COINS),
        (goods.workers > 0, WORKERS),
        (goods.priests > 0, PRIESTS),
        (goods.power > 0, POWER),
    ];
    let kinds = kinds.into_iter().filter(|(some, _)| *some);
    kinds.map(|(_, what)| purse(seat, what)).collect()
}

fn spaces(lands: LandSet) -> impl Iterator<Item = Component> {
    lands.iter().map(land)
}

/// Lists the components that an event touches.
#[allow(clippy::too_many_lines, reason = "one row for each event")]
pub fn event(event: &Event) -> Vec<Component> {
    let player = Component::seat;
    match event {
        Event::TableSet { scoring_tiles, .. } => {
            scoring_tiles.iter().copied().map(scoring).collect()
        }
        Event::FactionChosen { seat, .. }
        | Event::TurnBegan { seat }
        | Event::TurnEnded { seat }
        | Event::PowerRefused { seat }
        | Event::CultSpadesGranted { seat, .. }
        | Event::Passed { seat }
        | Event::AreaMeasured { seat, .. }
        | Event::SpadesUnused { seat, .. } => vec![player(*seat)],
        Event::DwellingPlaced { space, .. } | Event::StructureBuilt { space, .. } => {
            vec![land(*space), structure(*space)]
        }
        Event::BonusCardTaken { seat, card, .. } | Event::BonusCardReturned { seat, card } => {
            vec![bonus(*card), player(*seat)]
        }
        Event::CoinsLaid { cards } => cards.iter().copied().map(bonus).collect(),
        Event::RoundBegan { turn_order, .. } => turn_order.iter().copied().map(player).collect(),
        Event::Received {
            seat,
            goods,
            source,
        } => {
            let source = giver(*source);
            of_goods(*seat, *goods).into_iter().chain(source).collect()
        }
        Event::Paid { seat, goods, .. } => of_goods(*seat, *goods),
        Event::VpScored { seat, source, .. } => {
            [player(*seat)].into_iter().chain(scorer(*source)).collect()
        }
        Event::Leapt { space, .. } | Event::TerrainTransformed { space, .. } => {
            vec![land(*space)]
        }
        Event::StructureUpgraded { space, .. } => vec![land(*space), structure(*space)],
        Event::BridgeBuilt { a, b, .. } => {
            let ends = [land(*a), land(*b)];
            ends.into_iter().chain(bridge(*a, *b)).collect()
        }
        Event::PowerOffered { seat, space, .. } => vec![purse(*seat, POWER), land(*space)],
        Event::PowerAccepted { seat, .. } | Event::PowerSacrificed { seat, .. } => {
            vec![purse(*seat, POWER)]
        }
        Event::CultAdvanced { seat, cult, .. } => vec![self::cult(*cult), marker(*seat, *cult)],
        Event::PriestPlaced { seat, cult, .. } => {
            vec![purse(*seat, PRIESTS), self::cult(*cult)]
        }
        Event::ShippingAdvanced { seat, .. } => vec![purse(*seat, SHIPPING)],
        Event::TerraformingAdvanced { seat, .. } => vec![purse(*seat, TERRAFORMING)],
        Event::TownFounded {
            spaces: lands,
            river: over,
            ..
        } => spaces(*lands).chain(over.map(river)).collect(),
        Event::TownExtended { spaces: lands, .. } => spaces(*lands).collect(),
        Event::FavorTileTaken { seat, tile } => vec![favor(*tile), player(*seat)],
        Event::TownTileTaken { seat, tile } => vec![town(*tile), player(*seat)],
        Event::PowerActionTaken { seat, action } => {
            vec![power_action(*action), purse(*seat, POWER)]
        }
        Event::SpecialActionTaken { seat, action } => special_taken(*seat, *action),
        Event::Converted { seat, kind, .. } => converted(*seat, *kind),
        Event::PriestsOrdained { seat, .. } => {
            vec![purse(*seat, WORKERS), purse(*seat, PRIESTS)]
        }
        Event::RoundEnded { .. } => Vec::new(),
    }
}

/// Lists the card or tile that has the action, since the player may give the card away at once; otherwise their board.
fn special_taken(seat: Seat, action: SpecialAction) -> Vec<Component> {
    let source = match action {
        SpecialAction::Bon1 => bonus(BonusCard::Bon1),
        SpecialAction::Bon2 => bonus(BonusCard::Bon2),
        SpecialAction::Fav6 => favor(FavorTile::Fav6),
        SpecialAction::ActA
        | SpecialAction::ActW
        | SpecialAction::ActS
        | SpecialAction::ActC
        | SpecialAction::ActG
        | SpecialAction::ActN => special(seat, action),
    };
    vec![Component::seat(seat), source]
}

/// The component that gives goods.
pub fn giver(source: GoodsSource) -> Option<Component> {
    match source {
        GoodsSource::BonusCard(card) => Some(bonus(card)),
        GoodsSource::PowerAction(action) => Some(power_action(action)),
        GoodsSource::TownTile(tile) => Some(town(tile)),
        GoodsSource::Cult(cult) => Some(self::cult(cult)),
        GoodsSource::CultReward(tile) => Some(scoring(tile)),
        GoodsSource::Income
        | GoodsSource::Towns
        | GoodsSource::Stronghold
        | GoodsSource::Spades
        | GoodsSource::Refusals => None,
    }
}

fn scorer(source: VpSource) -> Option<Component> {
    match source {
        VpSource::ScoringTile(tile) => Some(scoring(tile)),
        VpSource::FavorTile(tile) => Some(favor(tile)),
        VpSource::BonusCard(card) => Some(bonus(card)),
        VpSource::TownTile(tile) => Some(town(tile)),
        VpSource::Cult(cult) => Some(self::cult(cult)),
        VpSource::Towns
        | VpSource::Shipping
        | VpSource::Terraforming
        | VpSource::Leap
        | VpSource::Spades
        | VpSource::Stronghold
        | VpSource::Bridges
        | VpSource::Power
        | VpSource::Alchemy
        | VpSource::Area
        | VpSource::Resources => None,
    }
}
