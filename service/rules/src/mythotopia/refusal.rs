//! All refusals (MYT-6.11). A refusal cites the paragraph of the action that was sent (MYT-14.24).

use super::action::TokenSource;
use super::data::{
    Border, Card, CardKind, Color, Converter, Improvement, Piece, PointCard, Province, ProvinceSet,
    Sea, Symbol,
};
use super::stage::Decision;
use crate::table::{Count, JoinAnd, MaybeKnown, Refusal as _, Seat, ids, refusals};

refusals! {
    /// The reasons why an action, or a new game, is refused, in the order of the rule document. A refusal reveals
    /// nothing that the sender could not know.
    #[derive(Copy)]
    Refusal of "Mythotopia" {
        #[error("You have already answered `{}`, and that is final.", decision.id())]
        AlreadySubmitted { decision: Decision },
        common UnknownId,
        #[error("`{field}` must not be empty.")]
        EmptyList { field: &'static str },
        #[error("{}, not {given}.", cards(*min, *max))]
        InvalidCardCount { min: u8, max: u8, given: usize },
        #[error("This payment needs {wanted}, but {card} is played for {symbol}.")]
        WrongSymbol { card: Card, symbol: Symbol, wanted: Symbol },
        #[error("Name at least one army, mercenary or ship.")]
        NoPieces,
        #[error("1 or {max} mercenaries can be hired at once, not {given}.")]
        InvalidMercenaryCount { max: u32, given: u32 },
        #[error("Alchemist exchanges a token of value 1 or {max}, not {given}.")]
        InvalidTokenValue { max: u32, given: u32 },
        #[error("An invasion from a province needs a route.")]
        RouteMissing,
        #[error("An invasion through Portal has no route.")]
        RouteNotAllowed,
        #[error("A route has 1 or {max} sea areas, not {given}.")]
        InvalidAreaCount { max: usize, given: usize },
        #[error("The move from {from_province} to {to_province} needs at least one army.")]
        EmptyMove { from_province: Province, to_province: Province },
        #[error("The move begins and ends in {province}.")]
        SameProvince { province: Province },
        #[error("The move from {from_province} to {to_province} is named twice.")]
        DuplicateMove { from_province: Province, to_province: Province },
        #[error("{}", not_offered(*token_source))]
        SourceNotOffered { token_source: TokenSource },
        #[error("The card {card} is named twice. A card has one use in an action.")]
        DuplicateCard { card: Card },
        #[error("Both actions of this turn are done.")]
        NoActionsLeft,
        #[error("You still have {} to do this turn. Pass if you want no more.", Count(*left, "action"))]
        ActionsRemaining { left: u8 },
        #[error("This can only be the first action of a turn.")]
        FirstActionOnly,
        #[error("No free action may come before this one.")]
        AfterFreeAction,
        #[error("You have already drafted a card this turn.")]
        AlreadyDrafted,
        #[error("You have already done this, and it can be done only once per turn.")]
        AlreadyDoneThisTurn,
        #[error("There is no {} {place}.", anybodys(*card))]
        CardNotAvailable { card: Card, place: Place },
        #[error("The card {card} {}.", useful(*wanted, *provinces, *improvement))]
        CardHasNoSuchUse {
            card: Card, wanted: CardUse, provinces: ProvinceSet, improvement: Option<Improvement>,
        },
        #[error("The card {card} does not give {symbol}{}.", through(*via))]
        SymbolNotOnCard { card: Card, via: Option<Converter>, symbol: Symbol },
        #[error("{improvement} must be in your reserve and stay there.")]
        AbilityNotInReserve { improvement: Improvement },
        #[error("{converter} works once per turn.")]
        AbilityAlreadyUsed { converter: Converter },
        #[error("{}", unconvertible(*card, *symbol))]
        CannotConvertSymbol { card: Card, symbol: Symbol },
        #[error("You control {province} yourself.")]
        TargetIsOwn { province: Province },
        #[error("{from_province} and {to_province} share no land border.")]
        NotAdjacent { from_province: Province, to_province: Province },
        #[error("There are mountains between {} and {}.", border.row().a, border.row().b)]
        MountainBorder { border: Border },
        #[error("{}", no_way(*from_province, *to_province, *missing_ships))]
        NoSeaRoute { from_province: Province, to_province: Province, missing_ships: usize },
        #[error("You do not control {province}.")]
        NotControlled { province: Province },
        #[error("Reserve Army protects {province}, because {owner} is at war with a player.")]
        TargetProtected { province: Province, owner: Seat },
        #[error("Your Reserve Army allows no further war: you are at war in {}.", JoinAnd(wars.iter()))]
        OwnReserveArmy { wars: ProvinceSet },
        #[error("In {province} {}.", army(*owner, *piece, *there, *needed))]
        NoArmyPresent { province: Province, owner: Option<Seat>, piece: Piece, there: u8, needed: u32 },
        #[error("There is a war in {province}.")]
        WarInProgress { province: Province },
        #[error("You control no province on the {sea}.")]
        NoPort { sea: Sea },
        #[error("In the {sea} you have {}.", few(Piece::Ship, *there, *needed))]
        NoShipsPresent { sea: Sea, there: u8, needed: u32 },
        #[error("There is no war in {province}.")]
        NotAtWar { province: Province },
        #[error("You take no part in the war in {province}.")]
        NotAParticipant { province: Province },
        #[error("{sides} sides in {province} are equally strong, with strength {strength}.")]
        NoClearWinner { province: Province, strength: u8, sides: u8 },
        #[error("{}", hero(*province, *strength, *sides))]
        HeroNotApplicable { province: Province, strength: u8, sides: u8 },
        #[error("Your pool holds {}.", few(*piece, *there, *needed))]
        PoolEmpty { piece: Piece, there: u8, needed: u32 },
        #[error("The card {} is neither on display nor among your removed cards.", anybodys(*card))]
        CardNotDisplayed { card: Card },
        #[error("Your reserve holds {there} of {limit} cards, so there is no room for {wanted} more.")]
        ReserveFull { there: u8, limit: u8, wanted: usize },
        #[error("You own {}, and at least {min} must remain when you remove {removed}.", Count(*total, "card"))]
        DeckTooSmall { total: u8, removed: u8, min: u8 },
        #[error("There is a city in {province}, not a town.")]
        NoTownThere { province: Province },
        #[error("Your citadel is in {province}.")]
        CitadelPresent { province: Province },
        #[error("There is already a castle in {province}.")]
        CastlePresent { province: Province },
        #[error("There is already a road between {} and {}.", border.row().a, border.row().b)]
        RoadPresent { border: Border },
        #[error("{} {}.", supply(*piece), few(*piece, *there, *needed))]
        SupplyEmpty { piece: Piece, there: u8, needed: u32 },
        #[error("{card} is not in play.")]
        CardNotInPlay { card: PointCard },
        #[error("{}", no_token(*card, *value))]
        NoTokenAvailable { card: Option<PointCard>, value: u8 },
        #[error("Your roads do not join {from_province} and {to_province}.")]
        NotConnectedByRoad { from_province: Province, to_province: Province },
        #[error("{empty} of the point cards in play are empty. To end the game, at least {needed} must be.")]
        NotEnoughEmptyCards { empty: u8, needed: u8 },
        #[error("After the last wars you would have {} and {rival} would have {rival_points}.", Count(*points, "point"))]
        NotStrictLeader { points: u8, rival: Seat, rival_points: u8 },
        #[error("{}", short(*purchase, *symbol, *price, *given, *token_value))]
        CannotAfford {
            purchase: Purchase, symbol: Option<Symbol>, price: u32, given: u32,
            /// The value of the token to exchange.
            token_value: Option<u8>,
        },
        #[error("{}", idle(*purchase, *symbol, *price, *given, *traded))]
        SuperfluousCard {
            purchase: Purchase, symbol: Option<Symbol>, price: u32, given: u32,
            /// The card that Merchant changes needlessly.
            traded: Option<Card>,
        },
        #[error("Your stock holds {}.", few(*piece, *there, *needed))]
        StockEmpty { piece: Piece, there: u8, needed: u32 },
        common InvalidPlayerCount,
        #[error("The option `{field}` does not take this value.")]
        InvalidOption { field: &'static str },
        #[error("Two players cannot both have the color {color}.")]
        DuplicateColor { color: Color },
    }
}

/// Returns the value that a client named, or refuses a name that is missing or unknown.
///
/// # Rule MYT-6.11
/// A name that is missing or names nothing is refused before the other checks of the action.
pub fn require_known<T>(named: MaybeKnown<T>, field: &'static str) -> Result<T, RefusedAction> {
    named.ok_or(Refusal::UnknownId { field }.citing("MYT-6.11"))
}

/// Returns this refusal unless the condition holds.
pub fn ensure<E>(holds: bool, no: E) -> Result<(), E> {
    if holds { Ok(()) } else { Err(no) }
}

ids! {
    /// The zone in which a card would have to be.
    Place {
        Hand "hand" "in your hand",
        Reserve "reserve" "in your reserve",
        HandOrReserve "hand_or_reserve" "in your hand or reserve",
        Discard "discard" "in your discard pile",
        Dealt "dealt" "among the provinces dealt to you",
        Shown "shown" "among the improvements that Philosopher shows",
    }
}

ids! {
    /// The use that a card would have to have.
    CardUse {
        Site "site" "site card",
        Ship "ship" "Ship card",
        Build "build" "Build card",
        Ability "ability",
    }
}

ids! {
    /// A purchase that a price is for.
    Purchase {
        Invasion "invasion" "An invasion there",
        Placement "placement" "Placing armies there",
        Units "units" "This purchase",
        Draft "draft" "Drafting a card",
        City "city" "A city",
        Castle "castle" "A castle",
        Road "road" "A road there",
        GuildCity "guild_city" "A token of Guild City",
        RoadsideInns "roadside_inns" "A token of Roadside Inns",
        Patronage "patronage" "A token of Patronage",
        Diplomat "diplomat" "Diplomat",
        Mercenary "mercenary" "Mercenary",
        Mystic "mystic" "Mystic",
        /// Paid with a token.
        Alchemist "alchemist" "Alchemist",
        /// Paid with Ship cards.
        SeaRoute "sea_route" "The route",
    }
}

/// The number of cards that must be named.
fn cards(min: u8, max: u8) -> String {
    match max - min {
        0 => format!("Name exactly {}", Count(max, "card")),
        _ => format!("Name {min} or {max} cards"),
    }
}

fn not_offered(source: TokenSource) -> String {
    match source {
        TokenSource::Card | TokenSource::Bank => {
            format!("This token cannot come from the {source}.")
        }
        TokenSource::None => String::from("This token cannot be declined."),
    }
}

/// Names a card that can belong to another player: with the owner of a starting card.
fn anybodys(card: Card) -> String {
    match card.kind() {
        CardKind::Start(color, ..) => format!("{card} of {color}"),
        CardKind::Province(_) | CardKind::Improvement(_) => card.to_string(),
    }
}

fn useful(wanted: CardUse, provinces: ProvinceSet, improvement: Option<Improvement>) -> String {
    match (wanted, improvement) {
        (CardUse::Site, _) => {
            let names: Vec<&str> = provinces.iter().map(Province::name).collect();
            format!("is not a site card for {}", names.join(" or "))
        }
        (_, Some(improvement)) => format!("cannot be used as {improvement}"),
        (_, None) => format!("is not a {wanted}"),
    }
}

fn through(via: Option<Converter>) -> String {
    via.map_or(String::new(), |via| format!(" through {via}"))
}

fn unconvertible(card: Card, symbol: Symbol) -> String {
    if symbol.is_resource() {
        format!("The card {card} shows no food, stone or gold that Merchant could change.")
    } else {
        format!("Merchant and Water Mill work on food, stone and gold, not on {symbol}.")
    }
}

fn no_way(from: Province, to: Province, missing_ships: usize) -> String {
    match missing_ships {
        0 => format!("These sea areas do not lead from {from} to {to}."),
        _ => {
            let cards = if missing_ships == 1 {
                "Ship card"
            } else {
                "Ship cards"
            };
            format!("This route from {from} to {to} needs {missing_ships} more {cards}.")
        }
    }
}

/// The number of pieces that there are, where more are needed.
fn few(piece: Piece, there: u8, needed: u32) -> String {
    match there {
        0 => format!("no {}", piece.id()),
        _ => format!("only {}, not {needed}", Count(there, piece.id())),
    }
}

/// States that the sender, or another player, has too few pieces.
fn army(owner: Option<Seat>, piece: Piece, there: u8, needed: u32) -> String {
    let few = few(piece, there, needed);
    match owner {
        Some(owner) => format!("{owner} has {few}"),
        None => format!("you have {few}"),
    }
}

/// The source of pieces: cities come from the stock, others from the supply.
fn supply(piece: Piece) -> &'static str {
    if piece == Piece::City {
        "Your stock holds"
    } else {
        "The supply holds"
    }
}

fn hero(province: Province, strength: u8, sides: u8) -> String {
    if sides == 1 {
        format!(
            "One side alone is strongest in {province}, with strength {strength}. Hero decides \
             only ties."
        )
    } else {
        format!("You are not among the strongest in {province}, who have strength {strength}.")
    }
}

fn no_token(card: Option<PointCard>, value: u8) -> String {
    match card {
        Some(card) => format!("There is no token of {card} left for you."),
        None => format!("The bank has no token of value {value}."),
    }
}

/// States that the cards pay something else than the price.
fn paid(purchase: Purchase, symbol: Option<Symbol>, price: u32, given: u32) -> String {
    match symbol {
        Some(symbol) => {
            format!("{purchase} costs {price} {symbol}, and the cards named give {given}.")
        }
        None => {
            let ships = Count(price, "Ship card");
            format!("{purchase} needs {ships}, and {given} are named.")
        }
    }
}

fn short(
    purchase: Purchase,
    symbol: Option<Symbol>,
    price: u32,
    given: u32,
    token_value: Option<u8>,
) -> String {
    match token_value {
        Some(value) => format!("You have no token of value {value}."),
        None => paid(purchase, symbol, price, given),
    }
}

fn idle(
    purchase: Purchase,
    symbol: Option<Symbol>,
    price: u32,
    given: u32,
    traded: Option<Card>,
) -> String {
    match (traded, symbol) {
        (Some(card), Some(symbol)) => format!("The card {card} gives {symbol} without Merchant."),
        (Some(_) | None, _) => paid(purchase, symbol, price, given),
    }
}
