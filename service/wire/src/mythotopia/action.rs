//! Actions. Ids that do not exist are passed on as unknown: the rules refuse them (MYT-6.11).

use gamekeeper_rules::mythotopia::{Action, Invasion, Origin, RoadMove, Route, SymbolPlay};

use super::pb::{self, action::Kind, invade};
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
        UseAlchemist { card, from },
        UseDiplomat { card, province, gold },
        Patronage { gold },
        Pass {},
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
message! { both RoadMove => pb::RoadMove { from, to, count } }
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

message! {
    Origin => invade::Origin,
    |origin| match origin {
        Origin::Site { card, province } => invade::Origin::Site(pb::SiteOrigin {
            card: card.to_pb(),
            province: province.to_pb(),
        }),
        Origin::Portal { card } => invade::Origin::Portal(pb::PortalOrigin {
            card: card.to_pb(),
        }),
    }
}

impl FromPb<invade::Origin> for Origin {
    fn from_pb(sent: invade::Origin) -> Result<Self, Malformed> {
        Ok(match sent {
            invade::Origin::Site(pb::SiteOrigin { card, province }) => Self::Site {
                card: FromPb::from_pb(card)?,
                province: FromPb::from_pb(province)?,
            },
            invade::Origin::Portal(pb::PortalOrigin { card }) => Self::Portal {
                card: FromPb::from_pb(card)?,
            },
        })
    }
}

message! {
    Route => invade::Route,
    |route| match route {
        Route::Land => invade::Route::Land(pb::LandRoute {}),
        Route::Sea { areas } => invade::Route::Sea(pb::SeaRoute { areas: areas.to_pb() }),
    }
}

impl FromPb<invade::Route> for Route {
    fn from_pb(sent: invade::Route) -> Result<Self, Malformed> {
        Ok(match sent {
            invade::Route::Land(pb::LandRoute {}) => Self::Land,
            invade::Route::Sea(pb::SeaRoute { areas }) => Self::Sea {
                areas: FromPb::from_pb(areas)?,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantNames as _;

    use super::Action;
    use crate::contract::kinds;

    #[test]
    fn every_kind_is_called_as_its_field() {
        let fields = kinds("gamekeeper.mythotopia.v1", "Action");
        assert_eq!(fields, Action::VARIANTS);
    }
}
