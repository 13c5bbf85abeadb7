//! Actions in words: the move, then the cards and their purposes.

use std::fmt::Display;

use super::action::{Action, Invasion, Origin, RoadMove, Route, SymbolPlay, TokenSource};
use super::data::{Called, Card, INSPECTED, PROVIDENCE_DRAW, Sea, Symbol, grouped};
use super::rules::payment::total;
use super::stage::Token;
use super::view::{PlayerView, View};
use crate::table::{Count, JoinAnd, MaybeKnown, Names, Seat};

/// The action in the words of the seat that owes the decision.
pub fn action(view: &View, action: &Action, names: Names<'_>) -> String {
    let owing = view.pending.first().map(|pending| pending.seat);
    let owes = |player: &&PlayerView| owing == Some(player.seat);
    let actor = view.players.iter().find(owes);
    Speaker { view, names, actor }.action(action)
}

/// A name, if the client named something.
fn named(name: MaybeKnown<impl Display>) -> String {
    name.map_or_else(
        || String::from("something unknown"),
        |name| name.to_string(),
    )
}

/// A sea with its article.
fn waters(sea: MaybeKnown<Sea>) -> String {
    sea.map_or_else(
        || String::from("an unknown sea"),
        |sea| format!("the {sea}"),
    )
}

/// Pieces of two kinds; only those present.
fn pieces(one: Count<u32>, other: Count<u32>) -> String {
    let there = [one, other].into_iter().filter(|pieces| pieces.0 > 0);
    JoinAnd(there).to_string()
}

fn march(step: &RoadMove) -> String {
    let armies = Count(step.count, "army");
    format!(
        "{armies} from {} to {}",
        named(step.from_province),
        named(step.to_province)
    )
}

/// Texts about a table.
struct Speaker<'a> {
    view: &'a View,
    names: Names<'a>,
    /// The acting player.
    actor: Option<&'a PlayerView>,
}

impl Speaker<'_> {
    #[rustfmt::skip]
    fn action(&self, action: &Action) -> String {
        use Action as A;
        match action {
            A::SetupDiscardProvinces { cards } => format!("give away {}", self.cards(cards)),
            A::SetupPlaceCitadel { province } => format!("place the citadel in {}", named(*province)),
            A::Invade(invasion) => self.invade(invasion),
            A::PlaceArmies { province, armies, food } => {
                let what = format!("place {} in {}", self.armies(armies), named(*province));
                with(what, [self.by("armies", armies), self.paid(food, Symbol::Food)])
            }
            A::RemoveArmies { province, armies, mercenaries } => {
                format!("take {} back from {}", pieces(Count(*armies, "army"), Count(*mercenaries, "mercenary")), named(*province))
            }
            A::PlaceShips { sea, ships } => with(format!("place {} in {}", Count(total(ships), "ship"), waters(*sea)), [self.by("ships", ships)]),
            A::RemoveShips { sea, count } => format!("take {} back from {}", Count(*count, "ship"), waters(*sea)),
            A::EndWar { province, hero: None } => format!("end the war in {}", named(*province)),
            A::EndWar { province, hero: Some(hero) } => format!("end the war in {} with {}", named(*province), self.card(*hero)),
            A::BuyUnits { armies, ships, gold } => {
                with(format!("buy {}", pieces(Count(*armies, "army"), Count(*ships, "ship"))), [self.paid(gold, Symbol::Gold)])
            }
            A::DraftCard { card, gold } => with(format!("draft {}", self.card(*card)), [self.paid(gold, Symbol::Gold)]),
            A::ReserveCards { cards } => format!("put {} into the reserve", self.cards(cards)),
            A::DiscardCards { cards } => format!("discard {}", self.cards(cards)),
            A::RemoveCards { cards } => format!("remove {} from the deck", self.cards(cards)),
            A::BuildCity { build_card, site_card, province, stone, guild_gold } => {
                let bonus = self.bonus(guild_gold, "Guild City");
                self.build(&format!("a city in {}", named(*province)), [*build_card, *site_card], stone, bonus)
            }
            A::BuildCastle { build_card, site_card, province, stone } => {
                self.build(&format!("a castle in {}", named(*province)), [*build_card, *site_card], stone, None)
            }
            A::BuildRoad { build_card, site_card, a, b, stone, inn_gold } => {
                let bonus = self.bonus(inn_gold, "Roadside Inns");
                self.build(&format!("a road from {} to {}", named(*a), named(*b)), [*build_card, *site_card], stone, bonus)
            }
            A::UseAlchemist { card, from_value: from } => format!("exchange a {from}-point token for a {}-point token with {}", from.saturating_add(1), self.card(*card)),
            A::UseDiplomat { card, province, gold } => with(format!("end the war in {} with {}", named(*province), self.card(*card)), [self.paid(gold, Symbol::Gold)]),
            A::Patronage { gold } => with(String::from("pay for a Patronage token"), [self.paid(gold, Symbol::Gold)]),
            A::PassTurn => String::from("pass"),
            A::EndGame => String::from("end the game and win it"),
            A::MoveArmiesByRoad { moves } => format!("move {} by road", JoinAnd(moves.iter().map(march))),
            A::WarehouseStore { card } => format!("store {} with Warehouse", self.card(*card)),
            A::UseCounsellor { card, hand, reserve } => self.counsellor(*card, hand, reserve),
            A::UseMarauders { card, province, owner } => {
                format!("send {} home from {} with {}", self.army_of(*owner), named(*province), self.card(*card))
            }
            A::UseMercenary { card, gold, province, count } => {
                let what = format!("hire {} for {} with {}", Count(*count, "mercenary"), named(*province), self.card(*card));
                with(what, [self.paid(gold, Symbol::Gold)])
            }
            A::UseMilitia { card } => format!("take an army from the pool with {}", self.card(*card)),
            A::UseMystic { card, gold, take } => {
                with(format!("take {} back into the hand with {}", self.card(*take), self.card(*card)), [self.paid(gold, Symbol::Gold)])
            }
            A::UsePhilosopher { card } => format!("look at {INSPECTED} face-down improvements with {}", self.card(*card)),
            A::UseProvidence { card } => format!("draw {PROVIDENCE_DRAW} cards with {}", self.card(*card)),
            A::EndTurn => String::from("end the turn"),
            A::ChooseTokenSource { source } => self.source(*source),
            A::ChoosePhilosopherCard { card } => format!("take {} into the hand", named(*card)),
        }
    }

    /// Names an army that is sent home; it may be the actor's own.
    fn army_of(&self, owner: Option<Seat>) -> String {
        let own = self.actor.map(|actor| actor.seat);
        if own.is_some() && own == owner {
            return String::from("one of your own armies");
        }
        format!(
            "an army of {}",
            named(owner.map(|owner| self.names.of(owner)))
        )
    }

    fn invade(&self, invasion: &Invasion) -> String {
        let target = named(invasion.target);
        let (from, site) = match invasion.origin {
            Origin::Site { card, province } => {
                (format!("from {}", named(province)), self.site(card))
            }
            Origin::Portal { card } => (format!("through {}", self.card(card)), None),
        };
        let over = match &invasion.route {
            Some(Route::Sea { areas }) => {
                format!(
                    " across {}",
                    JoinAnd(areas.iter().map(|&area| waters(area)))
                )
            }
            Some(Route::Land) | None => String::new(),
        };
        let armies = self.armies(&invasion.armies);
        let ships = (!invasion.transport.is_empty())
            .then(|| format!("transport with {}", self.cards(&invasion.transport)));
        with(
            format!("invade {target} {from}{over} with {armies}"),
            [
                site,
                ships,
                self.by("armies", &invasion.armies),
                self.paid(&invasion.food, Symbol::Food),
            ],
        )
    }

    fn build(
        &self,
        what: &str,
        [build_card, site_card]: [MaybeKnown<Card>; 2],
        stone: &[SymbolPlay],
        bonus: Option<String>,
    ) -> String {
        let what = format!("build {what} with {}", self.card(build_card));
        let stone = self.paid(stone, Symbol::Stone);
        with(what, [self.site(site_card), stone, bonus])
    }

    fn counsellor(
        &self,
        card: MaybeKnown<Card>,
        hand: &[MaybeKnown<Card>],
        reserve: &[MaybeKnown<Card>],
    ) -> String {
        let given = [hand, reserve].concat();
        let drawn = Count(hand.len() + 1, "card");
        let (given, card) = (self.cards(&given), self.card(card));
        format!("discard {given} and draw {drawn} with {card}")
    }

    fn source(&self, source: MaybeKnown<TokenSource>) -> String {
        let award = self.view.awards.first().map(|award| award.token);
        let token = award.map_or_else(|| String::from("the token"), |it| it.to_string());
        match source {
            Some(TokenSource::Card) => {
                let token =
                    award.map_or_else(|| format!("{token} from the card"), Token::off_its_card);
                format!("take {token}")
            }
            Some(TokenSource::Bank) => format!("take {token} from the bank"),
            Some(TokenSource::None) => format!("decline {token}"),
            None => format!("take {token} from somewhere unknown"),
        }
    }

    /// The number of armies that the cards place: the last army of a stock may be placed by a card of two symbols.
    fn armies(&self, plays: &[SymbolPlay]) -> Count<u32> {
        let last = self.actor.is_some_and(|actor| actor.stock.armies == 1);
        let armies = match total(plays) {
            2.. if last && plays.len() == 1 => 1,
            armies => armies,
        };
        Count(armies, "army")
    }

    /// A card of hand or reserve.
    fn card(&self, card: MaybeKnown<Card>) -> String {
        self.called(card).alone
    }

    fn called(&self, card: MaybeKnown<Card>) -> Called {
        let Some(card) = card else {
            let (alone, many) = (named(card), named(card));
            return Called { alone, many };
        };
        let called = Called::exactly(card);
        if self.actor.is_some_and(|actor| actor.reserve.contains(card)) {
            return Called {
                alone: format!("reserved {}", called.alone),
                many: format!("reserved {}", called.many),
            };
        }
        called
    }

    fn cards(&self, cards: &[MaybeKnown<Card>]) -> String {
        JoinAnd(grouped(
            cards.iter().map(|&card| (self.called(card), String::new())),
        ))
        .to_string()
    }

    fn site(&self, card: MaybeKnown<Card>) -> Option<String> {
        Some(format!("site card {}", self.card(card)))
    }

    /// Cards played for symbols, with their sum. Returns `None` if there are none.
    fn paid(&self, plays: &[SymbolPlay], symbol: Symbol) -> Option<String> {
        self.by(&format!("{} {symbol}", total(plays)), plays)
    }

    fn bonus(&self, gold: &[SymbolPlay], card: &str) -> Option<String> {
        let paid = self.paid(gold, Symbol::Gold)?;
        Some(format!("{paid} for {card}"))
    }

    /// Cards played for symbols, each with its helpers: `food from Mome through Farming`.
    fn by(&self, what: &str, plays: &[SymbolPlay]) -> Option<String> {
        let words = JoinAnd(grouped(plays.iter().map(|play| self.play(play))));
        (!plays.is_empty()).then(|| format!("{what} from {words}"))
    }

    /// A card, and its helpers.
    fn play(&self, play: &SymbolPlay) -> (Called, String) {
        let through = play.via.map(|via| format!(" through {}", named(via)));
        let helpers = [play.merchant, play.water_mill].into_iter().flatten();
        let helpers: Vec<String> = helpers.map(|card| self.card(card)).collect();
        let with = (!helpers.is_empty()).then(|| format!(" with {}", JoinAnd(&helpers)));
        let help = [through, with].into_iter().flatten().collect();
        (self.called(play.card), help)
    }
}

/// The move, and the cards for each purpose.
fn with<const N: usize>(what: String, parts: [Option<String>; N]) -> String {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return what;
    }
    format!("{what}: {}", parts.join("; "))
}
