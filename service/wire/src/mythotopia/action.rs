//! Actions. Ids that do not exist are passed on as unknown: the rules refuse them (MYT-6.11).

use gamekeeper_rules::mythotopia::{Action, Invasion, Origin, RoadMove, Route, SymbolPlay};

use super::pb::invade::{Origin as PbOrigin, Route as PbRoute};
use super::pb::{self, action::Kind};
use crate::Malformed;
use crate::rows::{FromPb, field, message, oneof};

oneof! {
    both Action => Kind in pb;
    fields {
        SetupDiscardProvinces { cards },
        SetupPlaceCitadel { province },
        PlaceArmies { province, armies, food },
        RemoveArmies { province, armies, mercenaries },
        PlaceShips { sea, ships },
        RemoveShips { sea, count },
        EndWar { province, hero },
        BuyUnits { armies, ships, gold },
        DraftCard { card, gold },
        ReserveCards { cards },
        DiscardCards { cards },
        RemoveCards { cards },
        BuildCity { build_card, site_card, province, stone, guild_gold },
        BuildCastle { build_card, site_card, province, stone },
        BuildRoad { build_card, site_card, a, b, stone, inn_gold },
        UseAlchemist { card, from_value },
        UseDiplomat { card, province, gold },
        Patronage { gold },
        PassTurn {},
        EndGame {},
        MoveArmiesByRoad { moves },
        WarehouseStore { card },
        UseCounsellor { card, hand, reserve },
        UseMarauders { card, province, owner },
        UseMercenary { card, gold, province, count },
        UseMilitia { card },
        UseMystic { card, gold, take },
        UsePhilosopher { card },
        UseProvidence { card },
        EndTurn {},
        ChooseTokenSource { source },
        ChoosePhilosopherCard { card },
    }
    inner { Invade }
}

message! { both SymbolPlay => pb::SymbolPlay { card, symbol, via, merchant, water_mill } }
message! { both RoadMove => pb::RoadMove { from_province, to_province, count } }
message! { Invasion => pb::Invade { target, origin, route, armies, food, transport } }

impl FromPb<pb::Invade> for Invasion {
    fn from_pb(sent: pb::Invade) -> Result<Self, Malformed> {
        let origin = sent.origin.ok_or_else(|| Malformed::missing("origin"))?;
        Ok(Self {
            target: field("target", sent.target)?,
            origin: field("origin", origin)?,
            route: field("route", sent.route)?,
            armies: field("armies", sent.armies)?,
            food: field("food", sent.food)?,
            transport: field("transport", sent.transport)?,
        })
    }
}

mod origins {
    pub(super) use super::pb::{PortalOrigin as Portal, SiteOrigin as Site};
}

oneof! {
    Origin => PbOrigin in origins;
    fields { Site { card, province }, Portal { card } }
}

impl FromPb<PbOrigin> for Origin {
    fn from_pb(sent: PbOrigin) -> Result<Self, Malformed> {
        Ok(match sent {
            PbOrigin::Site(pb::SiteOrigin { card, province }) => Self::Site {
                card: FromPb::from_pb(card)?,
                province: FromPb::from_pb(province)?,
            },
            PbOrigin::Portal(pb::PortalOrigin { card }) => Self::Portal {
                card: FromPb::from_pb(card)?,
            },
        })
    }
}

mod routes {
    pub(super) use super::pb::{LandRoute as Land, SeaRoute as Sea};
}

oneof! {
    Route => PbRoute in routes;
    fields { Land {}, Sea { areas } }
}

impl FromPb<PbRoute> for Route {
    fn from_pb(sent: PbRoute) -> Result<Self, Malformed> {
        Ok(match sent {
            PbRoute::Land(pb::LandRoute {}) => Self::Land,
            PbRoute::Sea(pb::SeaRoute { areas }) => Self::Sea {
                areas: FromPb::from_pb(areas)?,
            },
        })
    }
}
