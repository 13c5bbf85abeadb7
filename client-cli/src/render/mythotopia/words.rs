//! Actions as a person would say them at this table: what is done, then which cards are for what.

use gamekeeper_proto::gamekeeper::mythotopia::v1 as pb;
use gamekeeper_proto::gamekeeper::v1::GameInfo;
use pb::action::Kind;
use pb::invade::{Origin, Route};

use super::names::{cards, converter, named, province};
use crate::phrase;

/// The action in words; nothing where the general words are as good.
pub(in super::super) fn action(info: &GameInfo, action: &pb::Action) -> Option<String> {
    let (what, parts) = said(info, action.kind.as_ref()?)?;
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return Some(what);
    }
    Some(format!("{what}: {}", parts.join("; ")))
}

/// What is done, and the cards for each purpose.
type Said = (String, Vec<Option<String>>);

#[rustfmt::skip]
fn said(info: &GameInfo, kind: &Kind) -> Option<Said> {
    let plain = |what| (what, Vec::new());
    Some(match kind {
        Kind::Invade(it) => invade(it),
        Kind::PlaceArmies(it) => {
            let parts = vec![paid("armies", &it.armies), paid("food", &it.food)];
            (format!("place armies in {}", province(it.province)), parts)
        }
        Kind::RemoveArmies(it) => plain(remove_armies(it)),
        Kind::PlaceShips(it) => (format!("place ships in {}", sea(it.sea)), vec![paid("ships", &it.ships)]),
        Kind::RemoveShips(it) => {
            let ships = counted(it.count, "ship", "ships");
            plain(format!("remove {ships} from {}", sea(it.sea)))
        }
        Kind::EndWar(it) => {
            let hero = if it.hero.is_some() { " with Hero" } else { "" };
            plain(format!("end the war in {}{hero}", province(it.province)))
        }
        Kind::BuyUnits(it) => (buy(it), vec![paid("gold", &it.gold)]),
        Kind::DraftCard(it) => (format!("draft {}", card(it.card)), vec![paid("gold", &it.gold)]),
        Kind::BuildCity(it) => city(it),
        Kind::BuildCastle(it) => castle(it),
        Kind::BuildRoad(it) => road(it),
        Kind::UseDiplomat(it) => {
            let what = format!("end the war in {} by Diplomat", province(it.province));
            (what, vec![paid("gold", &it.gold)])
        }
        Kind::UseAlchemist(it) => plain(format!("exchange a token of value {} by Alchemist", it.from)),
        Kind::Patronage(it) => (String::from("patronage"), vec![paid("gold", &it.gold)]),
        Kind::MoveArmiesByRoad(it) => plain(march(it)),
        Kind::UseMarauders(it) => {
            let owner = phrase::player(info, it.owner);
            plain(format!("send an army of {owner} home from {}", province(it.province)))
        }
        Kind::UseMercenary(it) => {
            let hired = counted(it.count, "mercenary", "mercenaries");
            (format!("hire {hired} for {}", province(it.province)), vec![paid("gold", &it.gold)])
        }
        Kind::UseMystic(it) => (format!("take back {} by Mystic", card(it.take)), vec![paid("gold", &it.gold)]),
        Kind::UseCounsellor(it) => {
            let parts = vec![used("hand", &it.hand), used("reserve", &it.reserve)];
            (String::from("exchange cards by Counsellor"), parts)
        }
        Kind::SetupDiscardProvinces(it) => plain(listed("give away", &it.cards)),
        Kind::SetupPlaceCitadel(it) => plain(format!("place the citadel in {}", province(it.province))),
        Kind::ReserveCards(it) => plain(listed("put into the reserve", &it.cards)),
        Kind::WarehouseStore(it) => plain(listed("store", &[it.card])),
        Kind::DiscardCards(it) => plain(listed("discard", &it.cards)),
        Kind::RemoveCards(it) => plain(listed("remove from the deck", &it.cards)),
        Kind::ChoosePhilosopherCard(it) => plain(listed("take", &[it.card])),
        Kind::UseMilitia(_)
        | Kind::UsePhilosopher(_)
        | Kind::UseProvidence(_)
        | Kind::Pass(_)
        | Kind::EndGame(_)
        | Kind::EndTurn(_)
        | Kind::ChooseTokenSource(_) => return None,
    })
}

/// `invade Blore from Palmain: site Palmain; armies Army, Scombroid; food Ship`.
fn invade(it: &pb::Invade) -> Said {
    let target = province(it.target);
    let (from, site) = match &it.origin {
        Some(Origin::Site(site)) => (
            format!(" from {}", province(site.province)),
            used("site", &[site.card]),
        ),
        Some(Origin::Portal(_)) => (String::from(" through the Portal"), None),
        None => (String::new(), None),
    };
    let over = match &it.route {
        Some(Route::Sea(route)) => {
            let areas: Vec<String> = route.areas.iter().copied().map(sea).collect();
            format!(" over {}", areas.join(" and "))
        }
        Some(Route::Land(_)) | None => String::new(),
    };
    let parts = vec![
        site,
        used("transport", &it.transport),
        paid("armies", &it.armies),
        paid("food", &it.food),
    ];
    (format!("invade {target}{from}{over}"), parts)
}

fn remove_armies(it: &pb::RemoveArmies) -> String {
    let armies = (it.armies > 0).then(|| counted(it.armies, "army", "armies"));
    let hired = (it.mercenaries > 0).then(|| counted(it.mercenaries, "mercenary", "mercenaries"));
    let units: Vec<String> = armies.into_iter().chain(hired).collect();
    format!(
        "remove {} from {}",
        units.join(" and "),
        province(it.province)
    )
}

fn buy(it: &pb::BuyUnits) -> String {
    let armies = (it.armies > 0).then(|| counted(it.armies, "army", "armies"));
    let ships = (it.ships > 0).then(|| counted(it.ships, "ship", "ships"));
    let units: Vec<String> = armies.into_iter().chain(ships).collect();
    format!("buy {}", units.join(" and "))
}

fn tools(build: i32, site: i32, stone: &[pb::SymbolPlay]) -> Vec<Option<String>> {
    vec![
        used("by", &[build]),
        used("site", &[site]),
        paid("stone", stone),
    ]
}

fn city(it: &pb::BuildCity) -> Said {
    let mut parts = tools(it.build_card, it.site_card, &it.stone);
    parts.push(paid("Guild City", &it.guild_gold));
    (format!("build a city in {}", province(it.province)), parts)
}

fn castle(it: &pb::BuildCastle) -> Said {
    let parts = tools(it.build_card, it.site_card, &it.stone);
    (
        format!("build a castle in {}", province(it.province)),
        parts,
    )
}

fn road(it: &pb::BuildRoad) -> Said {
    let mut parts = tools(it.build_card, it.site_card, &it.stone);
    parts.push(paid("Roadside Inns", &it.inn_gold));
    let (a, b) = (province(it.a), province(it.b));
    (format!("build a road from {a} to {b}"), parts)
}

fn march(it: &pb::MoveArmiesByRoad) -> String {
    let step = |step: &pb::RoadMove| {
        let armies = counted(step.count, "army", "armies");
        format!(
            "{armies} from {} to {}",
            province(step.from),
            province(step.to)
        )
    };
    let steps: Vec<String> = it.moves.iter().map(step).collect();
    format!("move {} by road", steps.join(", "))
}

fn listed(what: &str, numbers: &[i32]) -> String {
    format!("{what} {}", cards(numbers).join(", "))
}

fn counted(count: u32, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn sea(number: i32) -> String {
    let name = pb::Sea::try_from(number).map(|it| it.as_str_name());
    named(name, "SEA_")
}

fn card(number: i32) -> String {
    cards(&[number]).concat()
}

/// Cards for a purpose; nothing if there are none.
fn used(purpose: &str, numbers: &[i32]) -> Option<String> {
    (!numbers.is_empty()).then(|| format!("{purpose} {}", cards(numbers).join(", ")))
}

/// Cards played for symbols, each with what helps it: `Mome by Farming`, `Darb with Water Mill`.
fn paid(purpose: &str, plays: &[pb::SymbolPlay]) -> Option<String> {
    let play = |play: &pb::SymbolPlay| {
        let by = play.via.map(|number| format!(" by {}", converter(number)));
        let helpers = [play.merchant, play.water_mill].into_iter().flatten();
        let helpers: Vec<String> = helpers.map(card).collect();
        let with = match &helpers[..] {
            [] => String::new(),
            some => format!(" with {}", some.join(" and ")),
        };
        format!("{}{}{with}", card(play.card), by.unwrap_or_default())
    };
    let plays: Vec<String> = plays.iter().map(play).collect();
    (!plays.is_empty()).then(|| format!("{purpose} {}", plays.join(", ")))
}
