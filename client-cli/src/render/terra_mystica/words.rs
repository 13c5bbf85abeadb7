//! Actions as a person would say them at this table.

use gamekeeper_proto::gamekeeper::terra_mystica::v1 as pb;
use pb::action::Kind;

use super::names::{Names, cult, goods};
use super::tiles;

/// The action in words; nothing where the general words are as good.
pub(super) fn action(view: &pb::View, names: &Names<'_>, action: &pb::Action) -> Option<String> {
    let say = Sayer { view, names };
    Some(match action.kind.as_ref()? {
        Kind::ChooseFaction(it) => say.faction(it.faction),
        Kind::PlaceDwelling(it) => format!("place a dwelling on {}", it.space),
        Kind::ChooseBonusCard(it) => format!("take {}", say.card(it.card)),
        Kind::TransformAndBuild(it) => match it.work.as_ref() {
            Some(work) => say.main_work(work),
            None => return None,
        },
        Kind::BuildDwelling(it) => say.build(&it.space),
        Kind::AdvanceShipping(_) => say.advance("shipping", |info| info.shipping.as_ref()),
        Kind::AdvanceTerraforming(_) => say.advance("digging", |info| info.terraforming.as_ref()),
        Kind::UpgradeStructure(it) => say.upgrade(it),
        Kind::SendPriest(it) => say.priest(it),
        Kind::TakePowerAction(it) => say.power_action(it),
        Kind::TakeSpecialAction(it) => say.special_action(it),
        Kind::BuildEngineerBridge(it) => format!("bridge {}, 2 workers", span(it.span.as_ref()?)),
        Kind::Pass(it) => match it.card {
            Some(card) => format!("pass and take {}", say.card(card)),
            None => String::from("pass"),
        },
        Kind::Convert(it) => say.convert(it)?,
        Kind::SacrificePower(it) => format!("sacrifice {} power for {0} in bowl III", it.tokens),
        Kind::FoundRiverTown(it) => format!("found a town over {}", it.river),
        Kind::DecidePower(it) => say.answer(it.accept)?,
        Kind::ChooseFavorTile(it) => format!("take {}", names.favor(it.tile)),
        Kind::ChooseTownTile(it) => say.town(it),
        Kind::ChooseCultStep(it) => format!("a step on {}", cult(it.cult)),
        Kind::OrdainPriests(it) => format!("turn {} workers into priests", it.count),
        Kind::UseStrongholdSpades(it) => say.free_work(it.work.as_ref()),
        Kind::UseCultSpades(it) => match &it.transforms[..] {
            [] => String::from("give the spades up"),
            transforms => say.transforms(transforms),
        },
        Kind::EndTurn(_) => return None,
    })
}

/// The table that actions are said at.
struct Sayer<'a> {
    view: &'a pb::View,
    names: &'a Names<'a>,
}

impl Sayer<'_> {
    /// The board of the player who has to decide.
    fn board(&self) -> Option<&pb::FactionBoard> {
        let mut players = self.view.players.iter();
        let player = players.find(|player| player.seat == self.view.actor)?;
        player.board.as_ref()
    }

    fn board_info(&self) -> Option<&pb::FactionInfo> {
        self.names.faction_info(self.board()?.faction)
    }

    fn faction(&self, faction: i32) -> String {
        let name = self.names.faction(faction);
        match self.names.faction_info(faction) {
            Some(info) => format!("play the {name} ({})", self.names.terrain(info.home)),
            None => format!("play the {name}"),
        }
    }

    fn card(&self, card: i32) -> String {
        let mut pool = self.view.bonus_pool.iter();
        match pool.find(|pooled| pooled.card == card) {
            Some(pooled) => tiles::card(self.names, pooled),
            None => self.names.bonus(card).to_string(),
        }
    }

    fn build(&self, space: &str) -> String {
        let price = self.price(pb::Structure::Dwelling.into(), space);
        format!("build a dwelling on {space}{price}")
    }

    /// `, 1 worker, 2 coins`; of a trading house what it costs at this place.
    fn price(&self, structure: i32, space: &str) -> String {
        let Some((info, (place, _))) = self.board_info().zip(self.names.structure_info(structure))
        else {
            return String::new();
        };
        let house = pb::Structure::TradingHouse as i32;
        let price = if structure == house && self.near_others(space) {
            info.trading_house_near_others
        } else {
            info.costs.get(place).copied()
        };
        price.map_or_else(String::new, |price| format!(", {}", goods(price, 0)))
    }

    /// Does another player's structure stand next to this space, over a bridge included?
    fn near_others(&self, space: &str) -> bool {
        let mut hexes = self.names.catalogue.hexes.iter();
        let hex = hexes.find(|hex| hex.id == space);
        let edges = hex.map_or(&[][..], |hex| &hex.neighbours).iter();
        let bridges = self.view.bridges.iter().filter_map(|bridge| {
            if bridge.a == space {
                Some(&bridge.b)
            } else {
                (bridge.b == space).then_some(&bridge.a)
            }
        });
        let others = |near: &String| {
            let mut spaces = self.view.spaces.iter();
            let owner = spaces.find(|other| other.space == *near);
            owner.is_some_and(|other| ![0, self.view.actor].contains(&other.owner))
        };
        edges.chain(bridges).any(others)
    }

    fn main_work(&self, work: &pb::Work) -> String {
        match (&work.transforms[..], &work.build_at) {
            ([], Some(space)) => self.build(space),
            _ => self.work(work),
        }
    }

    fn free_work(&self, work: Option<&pb::Work>) -> String {
        match work {
            Some(work) if !work.transforms.is_empty() => self.work(work),
            Some(_) | None => String::from("give the spades up"),
        }
    }

    /// `E6 to desert (1 spade), build there`; `build on F3`; `give it up`.
    fn work(&self, work: &pb::Work) -> String {
        let build = match (&work.transforms[..], &work.build_at) {
            (_, None) => None,
            ([only], Some(space)) if only.space == *space => Some(String::from("build there")),
            (_, Some(space)) => Some(format!("build on {space}")),
        };
        let transforms = match &work.transforms[..] {
            [] => None,
            transforms => Some(self.transforms(transforms)),
        };
        let parts: Vec<_> = transforms.into_iter().chain(build).collect();
        if parts.is_empty() {
            return String::from("give it up");
        }
        parts.join(", ")
    }

    /// `E6 to desert (2 spades)`.
    fn transforms(&self, transforms: &[pb::Transform]) -> String {
        let told = transforms.iter().map(|one| {
            let text = format!("{} to {}", one.space, self.names.terrain(one.target));
            match self.spades(one) {
                Some(1) => format!("{text} (1 spade)"),
                Some(spades) => format!("{text} ({spades} spades)"),
                None => text,
            }
        });
        told.collect::<Vec<_>>().join(", ")
    }

    /// Steps on the cycle of the catalogue; Giants always take two.
    fn spades(&self, transform: &pb::Transform) -> Option<usize> {
        if self.board()?.faction() == pb::Faction::Giants {
            return Some(2);
        }
        let mut spaces = self.view.spaces.iter();
        let space = spaces.find(|space| space.space == transform.space)?;
        let cycle = &self.names.catalogue.terrains;
        let place = |terrain| cycle.iter().position(|info| info.terrain == terrain);
        let apart = place(space.terrain)?.abs_diff(place(transform.target)?);
        let (short, long) = (
            apart.min(cycle.len() - apart),
            apart.max(cycle.len() - apart),
        );
        Some(match transform.direction() {
            pb::Direction::Long => long,
            pb::Direction::Short | pb::Direction::Unspecified => short,
        })
    }

    fn advance(
        &self,
        track: &str,
        levels: impl Fn(&pb::FactionInfo) -> Option<&pb::LevelTrack>,
    ) -> String {
        let cost = self.board_info().and_then(levels).and_then(|it| it.cost);
        let cost = cost.map_or_else(String::new, |cost| format!(", {}", goods(cost, 0)));
        format!("advance {track}{cost}")
    }

    fn upgrade(&self, upgrade: &pb::UpgradeStructure) -> String {
        let pb::UpgradeStructure { space, to } = upgrade;
        let name = self.names.structure(*to);
        format!("upgrade {space} to a {name}{}", self.price(*to, space))
    }

    fn priest(&self, priest: &pb::SendPriest) -> String {
        let cult = cult(priest.cult);
        let spaces = &self.names.catalogue.priest_spaces;
        let steps = match priest.slot() {
            pb::PriestSlot::Three => spaces.iter().max(),
            pb::PriestSlot::Two => spaces.iter().min(),
            pb::PriestSlot::Supply | pb::PriestSlot::Unspecified => {
                return format!("priest to {cult}, 1 step, back to the supply");
            }
        };
        let steps = steps.map_or_else(String::new, |steps| format!(", {steps} steps"));
        format!("priest to {cult}{steps}, for good")
    }

    fn power_action(&self, taken: &pb::TakePowerAction) -> String {
        let mut text = format!("power {}", self.names.power(taken.action));
        let mut actions = self.names.catalogue.power_actions.iter();
        if let Some(info) = actions.find(|info| info.action == taken.action) {
            text = format!("{text} for {}", info.power);
        }
        match taken.sacrifice {
            0 => {}
            tokens => text = format!("{text}, sacrificing {tokens}"),
        }
        let does = match (taken.action(), &taken.bridge, &taken.work) {
            (pb::PowerAction::Act1, Some(bridge), _) => span(bridge),
            (pb::PowerAction::Act1, None, _) => String::from("give it up"),
            (pb::PowerAction::Act5 | pb::PowerAction::Act6, _, work) => {
                self.work(&work.clone().unwrap_or_default())
            }
            (
                pb::PowerAction::Act2
                | pb::PowerAction::Act3
                | pb::PowerAction::Act4
                | pb::PowerAction::Unspecified,
                ..,
            ) => return text,
        };
        format!("{text}: {does}")
    }

    fn special_action(&self, taken: &pb::TakeSpecialAction) -> String {
        let text = self.names.special(taken.action).to_string();
        let build = if taken.build { ", build there" } else { "" };
        let has_cult = taken.cult() != pb::Cult::Unspecified;
        let cult = has_cult.then(|| cult(taken.cult));
        let space = taken.space.as_ref().map(|space| format!("{space}{build}"));
        let work = taken.work.as_ref().map(|work| self.work(work));
        match cult.or(space).or(work) {
            Some(does) => format!("{text}: {does}"),
            None => text,
        }
    }

    /// `convert 6 power to 2 workers`.
    fn convert(&self, convert: &pb::Convert) -> Option<String> {
        let mut conversions = self.names.catalogue.conversions.iter();
        let info = conversions.find(|info| info.conversion == convert.kind)?;
        let all = |one: Option<pb::Goods>, vp: u32| {
            let one = one.unwrap_or_default();
            let times = |amount: u32| amount.saturating_mul(convert.times);
            let sum = pb::Goods {
                coins: times(one.coins),
                workers: times(one.workers),
                priests: times(one.priests),
                power: times(one.power),
            };
            goods(sum, times(vp))
        };
        let (takes, gives) = (
            all(info.takes, info.takes_vp),
            all(info.gives, info.gives_vp),
        );
        let sacrifice = match convert.sacrifice {
            0 => String::new(),
            tokens => format!(", sacrificing {tokens}"),
        };
        Some(format!("convert {takes} to {gives}{sacrifice}"))
    }

    fn answer(&self, accept: bool) -> Option<String> {
        let offer = self.view.power_offers.first()?;
        Some(match (accept, offer.gainable) {
            (true, power) => format!("take {power} power for {} VP", power.saturating_sub(1)),
            (false, power) => format!("refuse {power} power"),
        })
    }

    fn town(&self, choice: &pb::ChooseTownTile) -> String {
        let tile = tiles::town(self.names, choice.tile);
        let cults: Vec<_> = choice.key_cults.iter().map(|one| cult(*one)).collect();
        if cults.is_empty() {
            return format!("take {tile}");
        }
        format!("take {tile}, to the top of {}", cults.join(" and "))
    }
}

fn span(span: &pb::Span) -> String {
    format!("{}-{}", span.a, span.b)
}
