//! The actions and free actions of a turn, one by one (MYT-6.5, 6.6, chapter 7).

use super::{Second, sets};
use gamekeeper_rules::mythotopia::action::{Action, Invasion, Origin, RoadMove, Route};
use gamekeeper_rules::mythotopia::data::{
    Border, Card, CardSet, Improvement, Province, Sea, Stack, Symbol,
};
use gamekeeper_rules::mythotopia::stage::TurnMark;
use gamekeeper_rules::mythotopia::state::Citadel;

fn some(cards: &[Card]) -> Vec<Option<Card>> {
    cards.iter().copied().map(Some).collect()
}

impl Second<'_> {
    pub(crate) fn invasions(self, all: &mut Vec<Action>) {
        for card in self.cards().iter() {
            for province in Province::ALL {
                if self.is_site(card, province) {
                    self.out_of(card, province, all);
                }
            }
        }
        let Some(portal) = self.playable_card(Improvement::Portal) else {
            return;
        };
        let origin = Origin::Portal { card: Some(portal) };
        let plain = (origin, None, Vec::new());
        self.landings(CardSet::only(portal), |_, _| Some(1), &plain, all);
    }

    fn out_of(self, card: Card, from: Province, all: &mut Vec<Action>) {
        let origin = Origin::Site {
            card: Some(card),
            province: Some(from),
        };
        let site = CardSet::only(card);
        let land = (origin, Some(Route::Land), Vec::new());
        let food = |target, used| self.hills(from, target, used).map(|hills| 1 + hills);
        self.landings(site, food, &land, all);
        let ships: CardSet = self.cards().iter().filter(|card| card.is_ship()).collect();
        for fleet in sets(ships - site) {
            let used: CardSet = fleet.iter().copied().chain([card]).collect();
            for areas in [
                &[Sea::SerpentSea][..],
                &[Sea::BeastSea],
                &[Sea::InlandSeaWest],
                &[Sea::InlandSeaEast],
                &[Sea::SerpentSea, Sea::BeastSea],
                &[Sea::BeastSea, Sea::SerpentSea],
            ] {
                if fleet.len() != areas.len() {
                    continue;
                }
                let route = Route::Sea {
                    areas: areas.iter().copied().map(Some).collect(),
                };
                let sea = (origin, Some(route), some(&fleet));
                let food = |target, _| {
                    let routes = Self::routes(from, target);
                    routes.iter().any(|route| route == areas).then_some(1)
                };
                self.landings(used, food, &sea, all);
            }
        }
    }

    /// Invasions of all targets over one way; `food` is the price of the way to a target.
    fn landings(
        self,
        used: CardSet,
        food: impl Fn(Province, CardSet) -> Option<u8>,
        way: &(Origin, Option<Route>, Vec<Option<Card>>),
        all: &mut Vec<Action>,
    ) {
        let reachable = |target: &&Province| {
            !self.mine(**target)
                && (food(**target, used).is_some() || food(**target, CardSet::EMPTY).is_some())
        };
        let targets: Vec<Province> = Province::ALL.iter().filter(reachable).copied().collect();
        if targets.is_empty() {
            return;
        }
        let mut ways = self.ways(used, [Symbol::Food, Symbol::Army]);
        ways.retain(|way| self.places(&way.lists[1], way.gives[1]));
        for &target in &targets {
            for paid in &ways {
                if food(target, paid.used) != Some(paid.gives[0])
                    || self.forbidden(target, paid.used)
                {
                    continue;
                }
                let (origin, route, transport) = way.clone();
                all.push(Action::Invade(Invasion {
                    target: Some(target),
                    origin,
                    route,
                    armies: paid.lists[1].clone(),
                    food: paid.lists[0].clone(),
                    transport,
                }));
            }
        }
    }

    pub(crate) fn armies(self, all: &mut Vec<Action>) {
        let player = self.player();
        let ways = self.ways(CardSet::EMPTY, [Symbol::Food, Symbol::Army]);
        for place in Province::ALL {
            let food = u8::from(!self.mine(place));
            let province = Some(place);
            for way in &ways {
                let there = food == 0 || player.armies.at(place) > 0;
                if there && way.gives[0] == food && self.places(&way.lists[1], way.gives[1]) {
                    let [food, armies] = way.lists.clone();
                    all.push(Action::PlaceArmies {
                        province,
                        armies,
                        food,
                    });
                }
            }
            if self.participants(place).is_empty() {
                for armies in 0..=u32::from(player.armies.at(place)) {
                    for mercenaries in 0..=u32::from(player.mercenaries.at(place)) {
                        if armies + mercenaries > 0 {
                            all.push(Action::RemoveArmies {
                                province,
                                armies,
                                mercenaries,
                            });
                        }
                    }
                }
            }
        }
    }

    pub(crate) fn ships(self, all: &mut Vec<Action>) {
        let player = self.player();
        for area in Sea::ALL {
            let sea = Some(area);
            let on = |place: &Province| self.mine(*place) && place.row().seas.contains(area);
            if Province::ALL.iter().any(on) {
                for way in self.ways(CardSet::EMPTY, [Symbol::Ship, Symbol::Ship]) {
                    let [ships, none] = way.lists;
                    if none.is_empty() && (1..=player.stock.ships).contains(&way.gives[0]) {
                        all.push(Action::PlaceShips { sea, ships });
                    }
                }
            }
            for count in 1..=u32::from(player.ships[area.index()]) {
                all.push(Action::RemoveShips { sea, count });
            }
        }
    }

    pub(crate) fn wars(self, all: &mut Vec<Action>) {
        let turn = self.state.turn;
        let first = turn.actions_done == 0 && !turn.marks.contains(TurnMark::FreeAction);
        let hero = self.playable_card(Improvement::Hero);
        for place in Province::ALL {
            let province = Some(place);
            if !self.participants(place).contains(&self.seat) {
                continue;
            }
            let sides = self.strengths(place);
            let most = sides.iter().map(|side| side.1).max();
            let best: Vec<_> = sides.iter().filter(|side| Some(side.1) == most).collect();
            if first && best.len() == 1 {
                all.push(Action::EndWar {
                    province,
                    hero: None,
                });
            }
            let tied = best.len() > 1 && best.iter().any(|side| side.0 == Some(self.seat));
            if let Some(hero) = hero.filter(|_| first && tied) {
                let hero = Some(Some(hero));
                all.push(Action::EndWar { province, hero });
            }
            let card = self.playable_card(Improvement::Diplomat);
            let used: CardSet = card.into_iter().collect();
            for way in self.pays(used, Symbol::Gold, 1) {
                let [gold, _] = way.lists;
                if card.is_some() {
                    all.push(Action::UseDiplomat {
                        card,
                        province,
                        gold,
                    });
                }
            }
        }
    }

    pub(crate) fn purchases(self, all: &mut Vec<Action>) {
        let player = self.player();
        let ways = self.ways(CardSet::EMPTY, [Symbol::Gold, Symbol::Ship]);
        for way in ways.into_iter().filter(|way| way.lists[1].is_empty()) {
            let (price, [gold, _]) = (way.gives[0], way.lists);
            for ships in 0..=price / 2 {
                let armies = price - 2 * ships;
                if price > 0 && armies <= player.pool.armies && ships <= player.pool.ships {
                    let (armies, ships) = (u32::from(armies), u32::from(ships));
                    let gold = gold.clone();
                    all.push(Action::BuyUnits {
                        armies,
                        ships,
                        gold,
                    });
                }
            }
            if price == 1 && !self.state.turn.marks.contains(TurnMark::Drafted) {
                let displayed = self.state.display.iter().map(Card::improvement);
                for card in displayed.chain(player.removed.iter()).map(Some) {
                    let gold = gold.clone();
                    all.push(Action::DraftCard { card, gold });
                }
            }
            if price == 2 && self.token(Stack::Patronage, way.used) {
                all.push(Action::Patronage { gold });
            }
        }
        if let card @ Some(_) = self.playable_card(Improvement::Alchemist) {
            for from in 1..=2 {
                let value = usize::try_from(from).unwrap();
                if player.tokens[value - 1] > 0 && self.state.bank[value] > 0 {
                    all.push(Action::UseAlchemist {
                        card,
                        from_value: from,
                    });
                }
            }
        }
    }

    pub(crate) fn buildings(self, all: &mut Vec<Action>) {
        for build in self.cards().iter().filter(|card| card.is_build()) {
            for site in self.cards().iter().filter(|&card| card != build) {
                let used = CardSet::only(build) | CardSet::only(site);
                let tools = (Some(build), Some(site));
                for place in Province::ALL
                    .into_iter()
                    .filter(|&place| self.is_site(site, place))
                {
                    self.in_province(place, used, tools, all);
                }
                for border in Border::all() {
                    let row = border.row();
                    if self.is_site(site, row.a) || self.is_site(site, row.b) {
                        self.roads(border, used, tools, all);
                    }
                }
            }
        }
    }

    fn in_province(
        self,
        place: Province,
        used: CardSet,
        (build_card, site_card): (Option<Card>, Option<Card>),
        all: &mut Vec<Action>,
    ) {
        let player = self.player();
        let province = Some(place);
        let stone_and_gold = self.ways(used, [Symbol::Stone, Symbol::Gold]);
        let castles = self.state.castles;
        let castle =
            !castles.contains(place) && castles.len() < 9 && player.citadel != Citadel::At(place);
        let city = player.towns.contains(place) && player.cities.len() < 4;
        for way in stone_and_gold {
            let (gives, used) = (way.gives, way.used);
            let [stone, guild_gold] = way.lists;
            if castle && gives == [1, 0] {
                let stone = stone.clone();
                all.push(Action::BuildCastle {
                    build_card,
                    site_card,
                    province,
                    stone,
                });
            }
            let bonus = gives[1] == 1 && self.token(Stack::GuildCity, used);
            if city && gives[0] == 2 && (guild_gold.is_empty() || bonus) {
                all.push(Action::BuildCity {
                    build_card,
                    site_card,
                    province,
                    stone,
                    guild_gold,
                });
            }
        }
    }

    fn roads(
        self,
        border: Border,
        used: CardSet,
        (build_card, site_card): (Option<Card>, Option<Card>),
        all: &mut Vec<Action>,
    ) {
        let row = border.row();
        let roads = self.state.roads;
        if !self.mine(row.a) || !self.mine(row.b) || roads.contains(border) || roads.len() == 9 {
            return;
        }
        for way in self.ways(used, [Symbol::Stone, Symbol::Gold]) {
            let price = self.hills(row.a, row.b, way.used).map(|hills| 2 + hills);
            let bonus = way.gives[1] == 1 && self.token(Stack::RoadsideInns, way.used);
            let [stone, inn_gold] = way.lists;
            if price == Some(way.gives[0]) && (inn_gold.is_empty() || bonus) {
                let (a, b) = (Some(row.a), Some(row.b));
                all.push(Action::BuildRoad {
                    build_card,
                    site_card,
                    a,
                    b,
                    stone,
                    inn_gold,
                });
            }
        }
    }

    pub(crate) fn card_sets(self, all: &mut Vec<Action>) {
        let player = self.player();
        let citadel = usize::from(matches!(player.citadel, Citadel::At(_)));
        let limit = 2 + player.cities.len() + citadel;
        let owned = player.hand.len() + player.deck.len() + player.discard.len();
        let owned = owned + player.reserve.len();
        for set in sets(self.cards()).into_iter().filter(|set| !set.is_empty()) {
            let from_hand = set.iter().all(|&card| player.hand.contains(card));
            let cards = some(&set);
            if from_hand && player.reserve.len() + set.len() <= limit {
                let cards = cards.clone();
                all.push(Action::ReserveCards { cards });
            }
            if set.len() <= 2 && owned - set.len() >= 7 {
                let cards = cards.clone();
                all.push(Action::RemoveCards { cards });
            }
            all.push(Action::DiscardCards { cards });
        }
    }

    pub(crate) fn free_actions(self, all: &mut Vec<Action>) {
        let player = self.player();
        let marks = self.state.turn.marks;
        if !marks.contains(TurnMark::RoadMove) {
            self.marches(all);
        }
        let citadel = usize::from(matches!(player.citadel, Citadel::At(_)));
        let room = player.reserve.len() < 2 + player.cities.len() + citadel;
        let stores = self.helps(Improvement::Warehouse, CardSet::EMPTY);
        if room && stores && !marks.contains(TurnMark::Warehouse) {
            let cards = player.hand.iter().map(Some);
            all.extend(cards.map(|card| Action::WarehouseStore { card }));
        }
        if let card @ Some(counsellor) = self.playable_card(Improvement::Counsellor) {
            let own = CardSet::only(counsellor);
            for hand in sets(player.hand - own).iter().filter(|set| !set.is_empty()) {
                for reserve in sets(player.reserve - own) {
                    let (hand, reserve) = (some(hand), some(&reserve));
                    all.push(Action::UseCounsellor {
                        card,
                        hand,
                        reserve,
                    });
                }
            }
        }
        if let card @ Some(_) = self
            .playable_card(Improvement::Militia)
            .filter(|_| player.pool.armies > 0)
        {
            all.push(Action::UseMilitia { card });
        }
        if let card @ Some(_) = self.playable_card(Improvement::Philosopher) {
            all.push(Action::UsePhilosopher { card });
        }
        if let card @ Some(_) = self.playable_card(Improvement::Providence) {
            all.push(Action::UseProvidence { card });
        }
        self.free_actions_for_gold(all);
    }

    fn free_actions_for_gold(self, all: &mut Vec<Action>) {
        let (state, player) = (self.state, self.player());
        if let card @ Some(marauders) = self.playable_card(Improvement::Marauders) {
            let _played = marauders;
            for place in Province::ALL {
                for (owner, other) in state.players.entries() {
                    if other.armies.at(place) > 0 {
                        let (province, owner) = (Some(place), Some(owner));
                        all.push(Action::UseMarauders {
                            card,
                            province,
                            owner,
                        });
                    }
                }
            }
        }
        if let card @ Some(mystic) = self.playable_card(Improvement::Mystic) {
            for way in self.pays(CardSet::only(mystic), Symbol::Gold, 1) {
                for take in player.discard.iter().map(Some) {
                    let gold = way.lists[0].clone();
                    all.push(Action::UseMystic { card, gold, take });
                }
            }
        }
        if let card @ Some(mercenary) = self.playable_card(Improvement::Mercenary) {
            let hired: u8 = state.players.iter().map(|it| it.mercenaries.total()).sum();
            for way in self.pays(CardSet::only(mercenary), Symbol::Gold, 1) {
                for &place in Province::ALL.iter().filter(|&&it| player.armies.at(it) > 0) {
                    for count in 1..=2 - u32::from(hired) {
                        let (gold, province) = (way.lists[0].clone(), Some(place));
                        all.push(Action::UseMercenary {
                            card,
                            gold,
                            province,
                            count,
                        });
                    }
                }
            }
        }
    }

    fn marches(self, all: &mut Vec<Action>) {
        let player = self.player();
        let mut moves: Vec<Vec<RoadMove>> = vec![Vec::new()];
        for from in Province::ALL {
            let armies = u32::from(player.armies.at(from));
            let network = self.network(from);
            let ends = Province::ALL
                .iter()
                .filter(|&&to| to != from && network.contains(&to));
            for &to in ends.filter(|_| self.mine(from)) {
                let mut further = Vec::new();
                for steps in &moves {
                    let gone = steps.iter().filter(|step| step.from_province == Some(from));
                    let left = armies - gone.map(|step| step.count).sum::<u32>();
                    for count in 1..=left {
                        let (from, to) = (Some(from), Some(to));
                        let step = RoadMove {
                            from_province: from,
                            to_province: to,
                            count,
                        };
                        further.push([&steps[..], &[step]].concat());
                    }
                }
                moves.extend(further);
            }
        }
        let moves = moves.into_iter().filter(|moves| !moves.is_empty());
        all.extend(moves.map(|moves| Action::MoveArmiesByRoad { moves }));
    }
}
