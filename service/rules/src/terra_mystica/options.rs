//! Options of a new game: requested, and validated (TM-5.1, TM-P.2).

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::data::{
    BonusCard, Faction, Introduction, MAX_PLAYERS, MIN_PLAYERS, ROUNDS, SPARE_CARDS, ScoringTile,
    Terrain, TownTile,
};
use super::refusal::Refusal;
use crate::table::{
    MAX_SEATS, MaybeKnown, OptionRule, OptionType as _, OptionalParam, Refusal as _, RefusedOption,
    Seat, Values, first_repeated, ids, player_count,
};

/// The maximum number of bonus cards in play.
pub const MAX_CARDS: usize = MAX_SEATS + SPARE_CARDS;

ids! {
    /// The way in which the table is set up (TM-5.1).
    #[derive(Default)]
    SetupMode {
        /// Every player chooses a faction.
        #[default]
        Standard "standard",
        /// Every player gets a color and chooses one of its two factions.
        RandomColors "random_colors" "random colors",
        /// The recommended first game (TM-9.2).
        Introductory "introductory",
        /// The set-up that the creator requests; unset parts are as in [`SetupMode::Standard`].
        Custom "custom",
    }
}

ids! {
    /// The turn order of each round (TM-P.2).
    #[derive(Default)]
    TurnOrder {
        /// Clockwise from the first to pass in the previous round.
        #[default]
        Clockwise "clockwise",
        /// In the order of passing in the previous round.
        PassingOrder "passing_order" "passing order",
    }
}

/// The optional tiles in the box (TM-P.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromoTiles {
    /// TW6, TW7 and TW8.
    pub town_tiles: bool,
    /// BON10.
    pub shipping_bonus_card: bool,
    /// SCORE9.
    pub temple_scoring_tile: bool,
}

/// The requested options, not yet validated. The default is the plain game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// The number of the start player's seat. Is `None` if it is drawn.
    pub first_player: Option<u32>,
    pub setup_mode: OptionalParam<SetupMode>,
    /// The factions by seat (CUSTOM; INTRODUCTORY: its factions in another order).
    pub factions: Option<Vec<MaybeKnown<Faction>>>,
    /// The scoring tiles of rounds 1 to 6 (CUSTOM).
    pub scoring_tiles: Option<Vec<MaybeKnown<ScoringTile>>>,
    /// The bonus cards in play (CUSTOM).
    pub bonus_cards: Option<Vec<MaybeKnown<BonusCard>>>,
    /// Power may be sacrificed at will (J6).
    pub free_sacrifice: bool,
    /// The turn ends as soon as nothing must be done (TM-6.2).
    pub auto_end_turn: bool,
    pub promo_tiles: PromoTiles,
    pub turn_order: OptionalParam<TurnOrder>,
    /// The Cultists get power only if a player refused it (J20).
    pub cultist_power_needs_offer: bool,
}

/// Rules of the table that hold for the whole game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HouseRules {
    /// Power may be sacrificed at will (J6).
    pub free_sacrifice: bool,
    /// The turn ends as soon as nothing must be done (TM-6.2).
    pub auto_end_turn: bool,
    pub promo_tiles: PromoTiles,
    pub turn_order: TurnOrder,
    /// The Cultists get power only if a player refused it (J20).
    pub cultist_power_needs_offer: bool,
}

impl HouseRules {
    /// Returns whether this town tile is in the box (TM-P.10).
    #[must_use]
    pub fn has_town_tile(self, tile: TownTile) -> bool {
        self.promo_tiles.town_tiles || !tile.is_optional()
    }

    /// Returns whether this bonus card is in the box (TM-P.20).
    #[must_use]
    pub fn has_card(self, card: BonusCard) -> bool {
        self.promo_tiles.shipping_bonus_card || card != BonusCard::Bon10
    }

    /// Returns whether this scoring tile is in the box (TM-P.30).
    #[must_use]
    pub fn has_scoring_tile(self, tile: ScoringTile) -> bool {
        self.promo_tiles.temple_scoring_tile || tile != ScoringTile::Score9
    }
}

/// Validated options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The number of seats, 2 to 5.
    pub seats: u8,
    /// The start player. Is `None` if drawn.
    pub first_player: Option<Seat>,
    pub setup_mode: SetupMode,
    /// The factions by seat. Empty if the players choose them.
    pub factions: ArrayVec<Faction, MAX_SEATS>,
    /// The scoring tiles of rounds 1 to 6. Is `None` if they are drawn.
    pub scoring_tiles: Option<[ScoringTile; ROUNDS as usize]>,
    /// The bonus cards in play. Empty if they are drawn.
    pub bonus_cards: ArrayVec<BonusCard, MAX_CARDS>,
    pub rules: HouseRules,
}

impl Options {
    /// The number of seats.
    #[must_use]
    pub fn seats(&self) -> usize {
        usize::from(self.seats)
    }
}

const FIRST_PLAYER: &str = "first_player";
const SETUP_MODE: &str = "setup_mode";
const FACTIONS: &str = "factions.factions";
const SCORING_TILES: &str = "scoring_tiles.tiles";
const BONUS_CARDS: &str = "bonus_cards.cards";
const TURN_ORDER: &str = "turn_order";

/// The fields, and the values of seats and lists (TM-5.1).
pub const OPTIONS: &[OptionRule] = &[
    OptionRule::new(FIRST_PLAYER, "First player").taking(Values::seats),
    OptionRule::of::<SetupMode>(SETUP_MODE, "Setup"),
    OptionRule::of::<Faction>(FACTIONS, "Factions").listing(|seats| seats.into()..=seats.into()),
    OptionRule::of::<ScoringTile>(SCORING_TILES, "Scoring tiles")
        .listing(|_| ROUNDS.into()..=ROUNDS.into()),
    OptionRule::of::<BonusCard>(BONUS_CARDS, "Bonus cards")
        .listing(|seats| cards_in_play(seats)..=cards_in_play(seats)),
    OptionRule::new("free_sacrifice", "Free sacrifice of power"),
    OptionRule::new("auto_end_turn", "Turns end by themselves"),
    OptionRule::new("promo_tiles.town_tiles", "Optional town tiles"),
    OptionRule::new("promo_tiles.shipping_bonus_card", "Shipping bonus card"),
    OptionRule::new("promo_tiles.temple_scoring_tile", "Temple scoring tile"),
    OptionRule::of::<TurnOrder>(TURN_ORDER, "Turn order"),
    OptionRule::new(
        "cultist_power_needs_offer",
        "Cultists' power needs an offer",
    ),
];

/// The number of bonus cards in play (TM-5.4).
const fn cards_in_play(seats: u8) -> usize {
    seats as usize + SPARE_CARDS
}

/// Validates the requested options.
///
/// # Rule TM-5.1, TM-9.2, TM-P.2
pub fn check(players: &[String], draft: &Draft) -> Result<Options, RefusedOption<Refusal>> {
    let seats = player_count(players, MIN_PLAYERS..=MAX_PLAYERS, "TM-5.1")?;
    let unknown = |option| invalid("TM-5.1", option, "is unknown");
    let turn_order = TurnOrder::accept(&draft.turn_order, seats);
    let turn_order = turn_order.ok_or_else(|| unknown(TURN_ORDER))?;
    let setup_mode = SetupMode::accept(&draft.setup_mode, seats);
    let setup_mode = setup_mode.ok_or_else(|| unknown(SETUP_MODE))?;
    let no_seat = || invalid("TM-5.1", FIRST_PLAYER, "is not a seat of this table");
    let rules = HouseRules {
        free_sacrifice: draft.free_sacrifice,
        auto_end_turn: draft.auto_end_turn,
        promo_tiles: draft.promo_tiles,
        turn_order,
        cultist_power_needs_offer: draft.cultist_power_needs_offer,
    };
    let mut options = Options {
        seats,
        first_player: <Option<Seat>>::accept(&draft.first_player, seats).ok_or_else(no_seat)?,
        setup_mode,
        factions: ArrayVec::new(),
        scoring_tiles: None,
        bonus_cards: ArrayVec::new(),
        rules,
    };
    let custom = setup_mode == SetupMode::Custom;
    let introductory = setup_mode == SetupMode::Introductory;
    if let Some(factions) = &draft.factions {
        belongs(custom || introductory, FACTIONS)?;
        options.factions = checked_factions(factions, seats)?;
        if introductory {
            are_introductory(&options.factions)?;
        }
    }
    if let Some(tiles) = &draft.scoring_tiles {
        belongs(custom, SCORING_TILES)?;
        options.scoring_tiles = Some(checked_scoring(tiles, rules)?);
    }
    if let Some(cards) = &draft.bonus_cards {
        belongs(custom, BONUS_CARDS)?;
        options.bonus_cards = checked_cards(cards, seats, rules)?;
    }
    Ok(options)
}

fn invalid(
    rule: &'static str,
    option: &'static str,
    problem: &'static str,
) -> RefusedOption<Refusal> {
    Refusal::InvalidOption {
        field: option,
        problem,
    }
    .citing(rule)
    .for_field(option)
}

/// The refusal of an item of a list.
fn invalid_item(
    rule: &'static str,
    option: &'static str,
    place: usize,
    problem: &'static str,
) -> RefusedOption<Refusal> {
    let field = (option, place).into();
    RefusedOption {
        field,
        ..invalid(rule, option, problem)
    }
}

fn belongs(allowed: bool, option: &'static str) -> Result<(), RefusedOption<Refusal>> {
    if allowed {
        Ok(())
    } else {
        Err(invalid("TM-5.1", option, "is not for this set-up mode"))
    }
}

/// Validates factions by seat; colors must differ (TM-5.5).
fn checked_factions(
    wanted: &[MaybeKnown<Faction>],
    seats: u8,
) -> Result<ArrayVec<Faction, MAX_SEATS>, RefusedOption<Refusal>> {
    if wanted.len() != usize::from(seats) {
        return Err(invalid(
            "TM-5.1",
            FACTIONS,
            "must name one faction for each seat",
        ));
    }
    let mut factions = ArrayVec::new();
    for (index, faction) in wanted.iter().enumerate() {
        let refused = |why: Refusal| why.citing("TM-5.5").for_field((FACTIONS, index));
        let faction = faction.ok_or(refused(Refusal::UnknownId { field: "factions" }))?;
        if factions.contains(&faction) {
            return Err(refused(Refusal::FactionTaken { faction }));
        }
        let color: Terrain = faction.home();
        if factions.iter().any(|other: &Faction| other.home() == color) {
            return Err(refused(Refusal::ColorTaken { color }));
        }
        factions.push(faction);
    }
    Ok(factions)
}

/// Checks that the factions are those of the first game: the creator may only assign these to seats (J41).
fn are_introductory(factions: &[Faction]) -> Result<(), RefusedOption<Refusal>> {
    let listed = Introduction::of(factions.len()).factions;
    let is_listed = |faction: &Faction| listed.iter().any(|(one, _)| one == faction);
    match factions.iter().position(|faction| !is_listed(faction)) {
        None => Ok(()),
        Some(place) => Err(invalid_item(
            "TM-9.2",
            FACTIONS,
            place,
            "must be those of the first game",
        )),
    }
}

/// Validates scoring tiles: six different tiles of the box, SCORE1 not in rounds 5 and 6 (J32).
fn checked_scoring(
    wanted: &[MaybeKnown<ScoringTile>],
    rules: HouseRules,
) -> Result<[ScoringTile; ROUNDS as usize], RefusedOption<Refusal>> {
    let no = |rule, place, problem| invalid_item(rule, SCORING_TILES, place, problem);
    let mut all = Vec::with_capacity(wanted.len());
    for (index, tile) in wanted.iter().enumerate() {
        all.push(tile.ok_or(no("TM-5.1", index, "names an unknown tile"))?);
    }
    let tiles: [ScoringTile; ROUNDS as usize] = all
        .try_into()
        .map_err(|_| invalid("TM-5.1", SCORING_TILES, "must name six tiles"))?;
    if let Some(index) = first_repeated(&tiles) {
        return Err(no("TM-5.3", index, "must differ"));
    }
    if let Some(index) = (tiles.iter()).position(|&tile| !rules.has_scoring_tile(tile)) {
        return Err(no("TM-P.2", index, "names a tile that is not in the box"));
    }
    if let Some(index) = (0..tiles.len()).find(|&place| !may_lie_at(place, tiles[place])) {
        return Err(no("TM-5.3", index, "puts SCORE1 into round 5 or 6"));
    }
    Ok(tiles)
}

/// Returns whether a tile may lie at this place: SCORE1 is never in rounds 5 and 6 (TM-5.3).
fn may_lie_at(place: usize, tile: ScoringTile) -> bool {
    place < 4 || tile != ScoringTile::Score1
}

/// Returns whether this order of tiles is allowed (TM-5.3).
pub fn may_lie_so(tiles: &[ScoringTile]) -> bool {
    let mut places = tiles.iter().enumerate();
    places.all(|(place, &tile)| may_lie_at(place, tile))
}

/// Validates bonus cards: three more different cards of the box than players (TM-5.4).
fn checked_cards(
    wanted: &[MaybeKnown<BonusCard>],
    seats: u8,
    rules: HouseRules,
) -> Result<ArrayVec<BonusCard, MAX_CARDS>, RefusedOption<Refusal>> {
    let no = |rule, place, problem| invalid_item(rule, BONUS_CARDS, place, problem);
    if wanted.len() != cards_in_play(seats) {
        return Err(invalid(
            "TM-5.4",
            BONUS_CARDS,
            "must name three cards more than players",
        ));
    }
    let mut cards = ArrayVec::new();
    for (index, card) in wanted.iter().enumerate() {
        let card = card.ok_or(no("TM-5.1", index, "names an unknown card"))?;
        if cards.contains(&card) {
            return Err(no("TM-5.4", index, "must differ"));
        }
        if !rules.has_card(card) {
            return Err(no("TM-P.2", index, "names a card that is not in the box"));
        }
        cards.push(card);
    }
    Ok(cards)
}
