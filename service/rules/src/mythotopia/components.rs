//! The components that actions and events touch. `picture` draws them under the same names.

use std::collections::BTreeSet;

use super::action::{Action, Invasion, Origin, Route, SymbolPlay, TokenSource};
use super::data::{
    Border, Card, CardKind, CardSet, Color, Improvement, PointCard, Province, ProvinceSet, Sea,
    by_number,
};
use super::event::Event;
use super::view::View;
use crate::table::{Component, MaybeKnown, Seat};

/// A card, in any zone.
pub fn card(card: Card) -> Component {
    match card.kind() {
        CardKind::Start(color, kind, copy) => {
            let of_color = match color {
                Color::Red => "red_card",
                Color::Blue => "blue_card",
                Color::Yellow => "yellow_card",
                Color::Green => "green_card",
            };
            Component::piece(of_color, kind.id(), copy)
        }
        CardKind::Province(province) => Component::new("province_card", province.id()),
        CardKind::Improvement(improvement) => Component::new("improvement", improvement.id()),
    }
}

pub fn province(province: Province) -> Component {
    Component::new("province", province.id())
}

pub fn sea(sea: Sea) -> Component {
    Component::new("sea", sea.id())
}

/// A road on a border.
pub fn road(border: Border) -> Component {
    Component::number("road", by_number(border))
}

/// The armies and mercenaries of a player in a province.
pub fn force(seat: Seat, province: Province) -> Component {
    Component::of(seat, "force", province.id())
}

/// The ships of a player on a sea.
pub fn ships(seat: Seat, sea: Sea) -> Component {
    Component::of(seat, "ships", sea.id())
}

pub fn point_card(card: PointCard) -> Component {
    Component::new("point_card", card.id())
}

/// The tokens in the bank.
pub fn bank() -> Component {
    Component::new("pile", "bank")
}

/// The improvements that can be drafted, and those face down.
pub fn display() -> Component {
    Component::new("pile", "improvements")
}

/// The possessions of a player beside the board: `hand`, `deck`, `discard_pile`, `removed`, `stock`, `tokens`.
pub const fn of(seat: Seat, what: &'static str) -> Component {
    Component::only(what, seat)
}

pub const HAND: &str = "hand";
pub const DECK: &str = "deck";
pub const DISCARD: &str = "discard_pile";
pub const REMOVED: &str = "removed";
pub const STOCK: &str = "stock";
pub const TOKENS: &str = "tokens";

/// Lists the components that an action touches. A pass touches only the player.
pub fn action(view: &View, seat: Seat, action: &Action) -> Vec<Component> {
    let mut touched = Touched {
        view,
        seat,
        all: BTreeSet::new(),
    };
    touched.action(action);
    if touched.all.is_empty() {
        touched.all.insert(Component::seat(seat));
    }
    touched.all.into_iter().collect()
}

/// The components of an action, each once.
struct Touched<'a> {
    view: &'a View,
    seat: Seat,
    all: BTreeSet<Component>,
}

impl Touched<'_> {
    #[allow(clippy::too_many_lines, reason = "one row for each action")]
    fn action(&mut self, action: &Action) {
        match action {
            Action::SetupDiscardProvinces { cards } => self.dealt(cards),
            Action::SetupPlaceCitadel { province } => self.province(*province),
            Action::Invade(invasion) => self.invade(invasion),
            Action::PlaceArmies {
                province,
                armies,
                food,
            } => {
                self.province(*province);
                self.plays(armies);
                self.plays(food);
            }
            Action::RemoveArmies { province, .. } => {
                self.province(*province);
                self.all
                    .extend(province.map(|province| force(self.seat, province)));
            }
            Action::PlaceShips { sea, ships } => {
                self.all.extend(sea.map(self::sea));
                self.plays(ships);
            }
            Action::RemoveShips { sea, .. } => {
                self.all.extend(sea.map(self::sea));
                self.all.extend(sea.map(|sea| ships(self.seat, sea)));
            }
            Action::EndWar { province, hero } => {
                self.province(*province);
                self.cards(hero.as_slice());
            }
            Action::BuyUnits { gold, .. } => {
                self.own(STOCK);
                self.plays(gold);
            }
            Action::ReserveCards { cards }
            | Action::DiscardCards { cards }
            | Action::RemoveCards { cards } => self.cards(cards),
            Action::BuildCity {
                build_card,
                site_card,
                province,
                stone,
                guild_gold,
            } => {
                self.cards(&[*build_card, *site_card]);
                self.province(*province);
                self.plays(stone);
                self.plays(guild_gold);
            }
            Action::BuildCastle {
                build_card,
                site_card,
                province,
                stone,
            } => {
                self.cards(&[*build_card, *site_card]);
                self.province(*province);
                self.plays(stone);
            }
            Action::BuildRoad {
                build_card,
                site_card,
                a,
                b,
                stone,
                inn_gold,
            } => {
                self.cards(&[*build_card, *site_card]);
                self.province(*a);
                self.province(*b);
                self.plays(stone);
                self.plays(inn_gold);
            }
            Action::MoveArmiesByRoad { moves } => {
                for step in moves {
                    self.province(step.from_province);
                    self.province(step.to_province);
                }
            }
            Action::DraftCard { card, gold } => {
                self.cards(&[*card]);
                self.plays(gold);
            }
            Action::Patronage { gold } => {
                self.all.insert(point_card(PointCard::Patronage));
                self.plays(gold);
            }
            Action::ChooseTokenSource { source } => self.token(*source),
            Action::WarehouseStore { card } | Action::ChoosePhilosopherCard { card } => {
                self.cards(&[*card]);
            }
            Action::PassTurn | Action::EndGame | Action::EndTurn => {}
            Action::UseAlchemist { .. }
            | Action::UseDiplomat { .. }
            | Action::UseCounsellor { .. }
            | Action::UseMarauders { .. }
            | Action::UseMercenary { .. }
            | Action::UseMilitia { .. }
            | Action::UseMystic { .. }
            | Action::UsePhilosopher { .. }
            | Action::UseProvidence { .. } => self.ability(action),
        }
    }

    /// Adds the cards that are used for their abilities.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`action` has the others")]
    fn ability(&mut self, action: &Action) {
        match action {
            Action::UseAlchemist { card, .. } => {
                self.cards(&[*card]);
                self.own(TOKENS);
            }
            Action::UseDiplomat {
                card,
                province,
                gold,
            }
            | Action::UseMercenary {
                card,
                gold,
                province,
                ..
            } => {
                self.cards(&[*card]);
                self.province(*province);
                self.plays(gold);
            }
            Action::UseCounsellor {
                card,
                hand,
                reserve,
            } => {
                self.cards(&[*card]);
                self.cards(hand);
                self.cards(reserve);
            }
            Action::UseMarauders {
                card,
                province,
                owner,
            } => {
                self.cards(&[*card]);
                self.province(*province);
                let routed = province.zip(*owner);
                self.all
                    .extend(routed.map(|(province, owner)| force(owner, province)));
            }
            Action::UseMilitia { card } => {
                self.cards(&[*card]);
                self.own(STOCK);
            }
            Action::UseMystic { card, gold, take } => {
                self.cards(&[*card, *take]);
                self.plays(gold);
            }
            Action::UsePhilosopher { card } => {
                self.cards(&[*card]);
                self.all.insert(display());
            }
            Action::UseProvidence { card } => {
                self.cards(&[*card]);
                self.own(DECK);
            }
            _ => {}
        }
    }

    fn own(&mut self, what: &'static str) {
        self.all.insert(of(self.seat, what));
    }

    fn province(&mut self, province: MaybeKnown<Province>) {
        self.all.extend(province.map(self::province));
    }

    /// Adds provinces that were dealt, since their cards are not drawn yet.
    fn dealt(&mut self, cards: &[MaybeKnown<Card>]) {
        let provinces = cards
            .iter()
            .copied()
            .flatten()
            .filter_map(Card::as_province);
        self.all.extend(provinces.map(self::province));
    }

    fn cards(&mut self, cards: &[MaybeKnown<Card>]) {
        for card in cards.iter().copied().flatten() {
            let place = self.place_of(card);
            self.all.insert(place);
        }
    }

    fn plays(&mut self, plays: &[SymbolPlay]) {
        for play in plays {
            let via = play.via.map(|via| via.map(super::data::Converter::card));
            let helpers = [via, play.merchant, play.water_mill];
            self.cards(&[play.card]);
            for helper in helpers.into_iter().flatten() {
                self.cards(&[helper]);
            }
        }
    }

    /// The card itself, or the pile of the player that it lies in.
    fn place_of(&self, one: Card) -> Component {
        let player = self
            .view
            .players
            .iter()
            .find(|player| player.seat == self.seat);
        let lies_in = |cards: &CardSet| cards.contains(one);
        let Some(player) = player else {
            return card(one);
        };
        if lies_in(&player.discard) {
            of(self.seat, DISCARD)
        } else if lies_in(&player.removed) {
            of(self.seat, REMOVED)
        } else {
            card(one)
        }
    }

    fn invade(&mut self, invasion: &Invasion) {
        self.province(invasion.target);
        match invasion.origin {
            Origin::Site { card, province } => {
                self.cards(&[card]);
                self.province(province);
            }
            Origin::Portal { card } => self.cards(&[card]),
        }
        if let Some(Route::Sea { areas }) = &invasion.route {
            self.all.extend(areas.iter().copied().flatten().map(sea));
        }
        self.plays(&invasion.armies);
        self.plays(&invasion.food);
        self.cards(&invasion.transport);
    }

    fn token(&mut self, source: MaybeKnown<TokenSource>) {
        let award = self.view.awards.first();
        match source {
            Some(TokenSource::Card) => {
                self.all
                    .extend(award.map(|award| point_card(award.token.card)));
            }
            Some(TokenSource::Bank) => {
                self.all.insert(bank());
            }
            Some(TokenSource::None) | None => {}
        }
    }
}

fn provinces(set: ProvinceSet) -> impl Iterator<Item = Component> {
    set.iter().map(province)
}

fn cards(set: CardSet) -> impl Iterator<Item = Component> {
    set.iter().map(card)
}

/// Lists the components that an event touches, each once.
pub fn event(event: &Event) -> Vec<Component> {
    let touched: BTreeSet<Component> = touched_by(event).into_iter().collect();
    touched.into_iter().collect()
}

#[allow(clippy::too_many_lines, reason = "one row for each event")]
fn touched_by(event: &Event) -> Vec<Component> {
    let player = Component::seat;
    let improvement = |one: &Improvement| card(Card::improvement(*one));
    match event {
        Event::ProvincesDealt {
            seat,
            provinces: set,
        }
        | Event::ProvincesDiscarded {
            seat,
            provinces: set,
        } => provinces(*set).chain([player(*seat)]).collect(),
        Event::ImprovementsDisplayed { improvements } => {
            let shown = improvements.iter().map(improvement);
            shown.chain([display()]).collect()
        }
        Event::PointCardsLaidOut { cards } => cards.iter().copied().map(point_card).collect(),
        Event::DragonsPlaced { provinces: set } | Event::RunestonesPlaced { provinces: set } => {
            provinces(*set).collect()
        }
        Event::SetupChosen { seat, .. }
        | Event::FirstPlayer { seat }
        | Event::TurnBegan { seat }
        | Event::Passed { seat } => vec![player(*seat)],
        Event::CitadelPlaced { seat, province: at } => vec![province(*at), player(*seat)],
        Event::CardsDrawn { seat, cards, .. } => {
            let visible_cards = cards.iter().flatten().copied().map(card);
            visible_cards
                .chain([of(*seat, DECK), of(*seat, HAND)])
                .collect()
        }
        Event::CardsPlayed { seat, cards } => {
            let played = cards.iter().map(|played| card(played.card));
            played.chain([of(*seat, DISCARD)]).collect()
        }
        Event::Invaded {
            seat,
            target,
            origin,
            areas,
            ..
        } => {
            let from = origin.iter().copied().map(province);
            let over = areas.iter().copied().map(sea);
            let armies = [of(*seat, STOCK), province(*target)];
            from.chain(over).chain(armies).collect()
        }
        Event::ArmiesPlaced {
            seat, province: at, ..
        }
        | Event::ArmiesRemoved {
            seat, province: at, ..
        }
        | Event::UnitsReturned {
            seat, province: at, ..
        } => vec![of(*seat, STOCK), province(*at)],
        Event::ShipsPlaced { seat, sea: at, .. } | Event::ShipsRemoved { seat, sea: at, .. } => {
            vec![of(*seat, STOCK), sea(*at)]
        }
        Event::WarEnded { province: at, .. }
        | Event::MercenariesHired { province: at, .. }
        | Event::CastleBuilt { province: at, .. } => vec![province(*at)],
        Event::ProvinceCaptured {
            seat,
            province: at,
            loser,
            ..
        }
        | Event::ProvinceNotTaken {
            seat,
            province: at,
            loser,
            ..
        } => {
            let taken = card(Card::province(*at));
            let players = [Some(*seat), *loser].into_iter().flatten().map(player);
            players.chain([province(*at), taken]).collect()
        }
        Event::UnitsBought { seat, .. } | Event::ArmyRaised { seat } => vec![of(*seat, STOCK)],
        Event::CardDrafted {
            seat, card: one, ..
        } => vec![card(*one), player(*seat)],
        Event::CardsReserved { seat, cards: set } => cards(*set).chain([player(*seat)]).collect(),
        Event::CardsDiscarded {
            seat,
            hand,
            reserve,
        } => {
            let all = cards(*hand).chain(cards(*reserve));
            all.chain([of(*seat, DISCARD)]).collect()
        }
        Event::CardsRemoved {
            seat,
            hand,
            reserve,
        } => {
            let all = cards(*hand).chain(cards(*reserve));
            all.chain([of(*seat, REMOVED)]).collect()
        }
        Event::CityBuilt { seat, province: at } => vec![of(*seat, STOCK), province(*at)],
        Event::RoadBuilt { border, .. } => {
            let row = border.row();
            vec![road(*border), province(row.a), province(row.b)]
        }
        Event::TokenExchanged { seat, .. } => vec![of(*seat, TOKENS)],
        Event::PatronagePaid { .. } => vec![point_card(PointCard::Patronage)],
        Event::ArmiesMoved { moves, .. } => {
            let ends = moves
                .iter()
                .flat_map(|step| [step.from_province, step.to_province]);
            ends.map(province).collect()
        }
        Event::ArmyRouted {
            province: at,
            owner,
            ..
        } => vec![province(*at), of(*owner, STOCK)],
        Event::CardTakenBack { seat, card: one } => vec![card(*one), of(*seat, DISCARD)],
        Event::ImprovementsInspected { improvements, .. } => {
            let seen = improvements.iter().flatten().map(improvement);
            seen.chain([display()]).collect()
        }
        Event::ImprovementTaken {
            seat,
            improvement: taken,
        } => {
            let taken = taken.iter().map(improvement);
            taken.chain([of(*seat, HAND), display()]).collect()
        }
        Event::TokenTaken {
            seat,
            token,
            source,
        } => {
            let from = match source {
                TokenSource::Card => Some(point_card(token.card)),
                TokenSource::Bank => Some(bank()),
                TokenSource::None => None,
            };
            from.into_iter().chain([of(*seat, TOKENS)]).collect()
        }
        Event::TokenDeclined { seat, token } => vec![point_card(token.card), player(*seat)],
    }
}
