//! A table for tests: set it up, play, check.

use gamekeeper_rules::conformance::TestTable;
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::kingsburg::action::{Action, EnvoyUse, Influence, NamedDice, Payment};
use gamekeeper_rules::kingsburg::data::{
    Advisor, Building, DiceSet, DieId, Enemy, Good, Goods, Phase,
};
use gamekeeper_rules::kingsburg::flow::run_to_decision;
use gamekeeper_rules::kingsburg::options::{Draft, InitialOrder};
use gamekeeper_rules::kingsburg::rules::year::begin_phase;
use gamekeeper_rules::kingsburg::stage::Stage;
use gamekeeper_rules::kingsburg::state::{Dice, Envoy, Group, NeutralGroup, PointSource, State};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Chance, OptionalParam, Seat, Seed};

pub(crate) use gamekeeper_rules::conformance::TestPlay;

/// The players of the rulebook's examples, in the listed order.
pub(crate) const EVA: Seat = Seat::at(0);
pub(crate) const ANNA: Seat = Seat::at(1);
pub(crate) const DAVID: Seat = Seat::at(2);
pub(crate) const BELA: Seat = Seat::at(3);

gamekeeper_rules::test_type! { Table: TestTable<Kingsburg> }

/// Gold, wood and stone.
pub(crate) type Amounts = (u8, u8, u8);

impl Table {
    /// A new game in the listed order, at the first decision. Luck is scripted from now on; dice
    /// without a script show ones.
    pub(crate) fn of(players: usize) -> Self {
        let names: Vec<String> = Seat::all(players).map(|seat| seat.to_string()).collect();
        let draft = Draft {
            initial_order: OptionalParam::Known(InitialOrder::AsListed),
            ..Draft::default()
        };
        let options = Kingsburg::options(&names, &draft).unwrap();
        let luck = Chance::from_seed(&Seed::from_number(1));
        let mut table = TestTable::created(&options, luck);
        table.log.clear();
        Self(table)
    }

    /// A table with a given state.
    pub(crate) fn of_state(state: State) -> Self {
        Self(TestTable::at(state))
    }

    // Setting the table.

    pub(crate) fn order(mut self, order: &[Seat]) -> Self {
        self.state.order = order.iter().copied().collect();
        self
    }

    pub(crate) fn goods(mut self, seat: Seat, (gold, wood, stone): Amounts) -> Self {
        self.state.players[seat].goods = Goods::new(gold, wood, stone);
        self
    }

    pub(crate) fn plus2(mut self, seat: Seat, tokens: u8) -> Self {
        self.state.players[seat].plus2 = tokens;
        self
    }

    pub(crate) fn soldiers(mut self, seat: Seat, soldiers: u16) -> Self {
        self.state.players[seat].soldiers = soldiers;
        self
    }

    /// Sets the score to this value, regardless of the points for buildings.
    pub(crate) fn vp(mut self, seat: Seat, vp: i16) -> Self {
        let player = &mut self.state.players[seat];
        player.score(PointSource::Enemies, vp - player.vp());
        self
    }

    pub(crate) fn rows(mut self, seat: Seat, rows: [u8; 5]) -> Self {
        self.state.players[seat].province.rows = rows;
        self
    }

    /// Builds these buildings, and those before them in their rows.
    pub(crate) fn built(mut self, seat: Seat, buildings: &[Building]) -> Self {
        for &building in buildings {
            if !self.state.players[seat].has(building) {
                self.state.players[seat].province.add(building);
            }
        }
        self
    }

    /// Lets own dice 0, 1, ... show these faces.
    pub(crate) fn dice(mut self, seat: Seat, faces: &[u8]) -> Self {
        self.state.players[seat].dice = Dice::default();
        for (die, &face) in DieId::ALL.into_iter().zip(faces) {
            self.state.players[seat].dice.show(die, face);
        }
        self
    }

    /// Lets a white die show this face.
    pub(crate) fn white(mut self, seat: Seat, die: DieId, face: u8) -> Self {
        self.state.players[seat].dice.show(die, face);
        self
    }

    /// A group placed earlier; without dice, just to occupy the advisor.
    pub(crate) fn group(mut self, owner: Seat, advisor: Advisor) -> Self {
        self.state.groups.push(Group {
            owner,
            advisor,
            dice: DiceSet::empty(),
            plus2: 0,
            market_offset: 0,
            via_envoy: false,
        });
        self
    }

    pub(crate) fn neutral(mut self, advisor: Advisor) -> Self {
        self.state.neutral.push(NeutralGroup {
            advisor,
            values: [6].into_iter().collect(),
        });
        self
    }

    pub(crate) fn envoy(mut self, by: Seat, purpose: EnvoyUse) -> Self {
        self.state.envoy = Envoy::Declared {
            by,
            purpose,
            spent: false,
        };
        self
    }

    /// Sets the year of this card, and makes the card its enemy.
    pub(crate) fn enemy(mut self, card: Enemy) -> Self {
        let year = card.card().year;
        self.state.year = year;
        self.state.deck[usize::from(year) - 1] = card;
        self
    }

    pub(crate) fn year(mut self, year: u8) -> Self {
        self.state.year = year;
        self
    }

    /// Scripts the next draws, in order: name, seat for draws by seat, values.
    pub(crate) fn luck(mut self, draws: &[(&'static str, Option<Seat>, &[u16])]) -> Self {
        self.script(draws);
        self
    }

    pub(crate) fn with_luck(mut self, luck: Chance) -> Self {
        self.luck = luck;
        self
    }

    // Starting somewhere.

    /// Begins a phase and runs to the next decision.
    pub(crate) fn begin(mut self, phase: Phase) -> Self {
        begin_phase(&mut self.context(), phase);
        self.run();
        self
    }

    /// Jumps to a stage of a phase and runs to the next decision.
    fn go(mut self, phase: Phase, stage: Stage) -> Self {
        self.state.phase = phase;
        self.state.stage = stage;
        self.run();
        self
    }

    /// Continues from the current stage.
    pub(crate) fn resume(mut self) -> Self {
        self.run();
        self
    }

    /// Begins INFLUENCE, in spring unless the envoy is there.
    pub(crate) fn influence(self) -> Self {
        let season = self.season();
        self.go(season, Stage::Influence { turn_index: 0 })
    }

    /// Begins HELP.
    pub(crate) fn help(self) -> Self {
        let season = self.season();
        let advisor = Advisor::Jester;
        self.go(season, Stage::Help { advisor, served: 0 })
    }

    /// Begins BUILD.
    pub(crate) fn build(self) -> Self {
        let season = self.season();
        let first = self.state.order[0];
        let actions_left = self.state.envoy.build_actions(first);
        self.go(
            season,
            Stage::Build {
                turn_index: 0,
                actions_left,
            },
        )
    }

    /// Begins ORDER of a season, with the current dice.
    pub(crate) fn new_order(self) -> Self {
        self.go(Phase::Spring, Stage::Order)
    }

    /// Begins REROLL of a season, with the current dice.
    pub(crate) fn reroll(self) -> Self {
        self.go(Phase::Spring, Stage::Reroll { turn_index: 0 })
    }

    /// Begins SEASON_END of a season.
    pub(crate) fn season_end(self, season: Phase) -> Self {
        self.go(season, Stage::SeasonEnd { turn_index: 0 })
    }

    fn season(&self) -> Phase {
        match self.state.envoy {
            Envoy::OnBoard => Phase::Spring,
            Envoy::Undeclared(_) | Envoy::Declared { .. } => Phase::Autumn,
        }
    }

    fn run(&mut self) {
        run_to_decision(&mut self.context());
    }

    // Looking.

    pub(crate) fn goods_of(&self, seat: Seat) -> Amounts {
        let Goods { gold, wood, stone } = self.state.players[seat].goods;
        (gold, wood, stone)
    }

    pub(crate) fn vp_of(&self, seat: Seat) -> i16 {
        self.state.players[seat].vp()
    }

    pub(crate) fn plus2_of(&self, seat: Seat) -> u8 {
        self.state.players[seat].plus2
    }

    pub(crate) fn soldiers_of(&self, seat: Seat) -> u16 {
        self.state.players[seat].soldiers
    }

    pub(crate) fn faces_of(&self, seat: Seat) -> Vec<u8> {
        let dice = self.state.players[seat].dice;
        dice.rolled().iter().map(|die| dice.face(die)).collect()
    }

    pub(crate) fn has(&self, seat: Seat, building: Building) -> bool {
        self.state.players[seat].has(building)
    }
}

// Actions, as short as the rule document writes them.

/// Dice by number on an advisor, without anything else.
pub(crate) fn influence(advisor: i32, dice: &[u32]) -> Influence {
    Influence {
        advisor,
        dice: NamedDice::from_numbers(dice.iter().copied()),
        plus2: 0,
        market_offset: 0,
        use_envoy: false,
    }
}

pub(crate) fn place(advisor: i32, dice: &[u32]) -> Action {
    Action::Influence(influence(advisor, dice))
}

pub(crate) fn with_plus2(advisor: i32, dice: &[u32], plus2: u32) -> Action {
    Action::Influence(Influence {
        plus2,
        ..influence(advisor, dice)
    })
}

pub(crate) fn with_market(advisor: i32, dice: &[u32], market_offset: i32) -> Action {
    Action::Influence(Influence {
        market_offset,
        ..influence(advisor, dice)
    })
}

pub(crate) fn with_envoy(advisor: i32, dice: &[u32]) -> Action {
    Action::Influence(Influence {
        use_envoy: true,
        ..influence(advisor, dice)
    })
}

pub(crate) fn choose(good: Good) -> Action {
    Action::ChooseHelpGood { good: Some(good) }
}

pub(crate) fn exchange(give: Good) -> Action {
    Action::AlchemistExchange { give: Some(give) }
}

pub(crate) fn build(building: Building) -> Action {
    Action::Build {
        building: Some(building),
    }
}

pub(crate) fn recruit(gold: u32, wood: u32, stone: u32) -> Action {
    Action::RecruitSoldier(Payment { gold, wood, stone })
}

pub(crate) fn give_up(gold: u32, wood: u32, stone: u32) -> Action {
    Action::PayLostGoods(Payment { gold, wood, stone })
}

pub(crate) fn lose(building: Building) -> Action {
    Action::LoseBuilding {
        building: Some(building),
    }
}
