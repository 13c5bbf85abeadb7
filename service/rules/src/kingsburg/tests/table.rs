//! A table as a test needs it: set what matters, play, look.

use super::super::action::{Action, EnvoyUse, Influence, NamedDice, Payment};
use super::super::data::{Advisor, Building, DiceSet, DieId, Enemy, Good, Goods, Phase};
use super::super::event::Event;
use super::super::options::{Draft, InitialOrder, Wish};
use super::super::pending::{Stage, settle};
use super::super::rules::year::begin_phase;
use super::super::state::{Dice, Envoy, Group, NeutralGroup, PointSource, State};
use super::super::{Kingsburg, Log};
use crate::ruleset::{Ruleset, carry_out, create, legal_actions};
use crate::table::{Automatic, Chance, Detail, Draw, Refusal, Seat, Seed};

/// The players of the rulebook's examples, in the order in which they are listed.
pub(super) const EVA: Seat = Seat::at(0);
pub(super) const ANNA: Seat = Seat::at(1);
pub(super) const DAVID: Seat = Seat::at(2);
pub(super) const BELA: Seat = Seat::at(3);

/// A table, its luck, and what happened since it was last played on.
pub(super) struct Table {
    pub(super) state: State,
    pub(super) log: Log,
    luck: Chance,
}

/// Gold, wood and stone.
pub(super) type Amounts = (u8, u8, u8);

impl Table {
    /// A new game in the listed order, at the first decision. Luck is scripted from now on; dice
    /// that no script tells show ones.
    pub(super) fn of(players: usize) -> Self {
        let names: Vec<String> = Seat::all(players).map(|seat| seat.to_string()).collect();
        let draft = Draft {
            initial_order: Wish::Value(InitialOrder::AsListed),
            ..Draft::default()
        };
        let options = Kingsburg::options(&names, &draft).unwrap();
        let luck = Chance::from_seed(&Seed::from_number(1));
        Self {
            state: create::<Kingsburg>(&options, luck).state,
            log: Log::new(),
            luck: Chance::scripted([]),
        }
    }

    /// A table that somebody made before.
    pub(super) fn of_state(state: State) -> Self {
        Self {
            state,
            log: Log::new(),
            luck: Chance::scripted([]),
        }
    }

    // Setting the table.

    pub(super) fn order(mut self, order: &[Seat]) -> Self {
        self.state.order = order.iter().copied().collect();
        self
    }

    pub(super) fn goods(mut self, seat: Seat, (gold, wood, stone): Amounts) -> Self {
        self.state.players[seat].goods = Goods::new(gold, wood, stone);
        self
    }

    pub(super) fn plus2(mut self, seat: Seat, tokens: u8) -> Self {
        self.state.players[seat].plus2 = tokens;
        self
    }

    pub(super) fn soldiers(mut self, seat: Seat, soldiers: u16) -> Self {
        self.state.players[seat].soldiers = soldiers;
        self
    }

    /// Makes the score so much, whatever buildings give.
    pub(super) fn vp(mut self, seat: Seat, vp: i16) -> Self {
        let player = &mut self.state.players[seat];
        player.score(PointSource::Enemies, vp - player.vp());
        self
    }

    pub(super) fn rows(mut self, seat: Seat, rows: [u8; 5]) -> Self {
        self.state.players[seat].province.rows = rows;
        self
    }

    /// These buildings, and those before them in their rows.
    pub(super) fn built(mut self, seat: Seat, buildings: &[Building]) -> Self {
        for &building in buildings {
            if !self.state.players[seat].has(building) {
                self.state.players[seat].province.add(building);
            }
        }
        self
    }

    /// Own dice 0, 1, ... show these faces.
    pub(super) fn dice(mut self, seat: Seat, faces: &[u8]) -> Self {
        self.state.players[seat].dice = Dice::default();
        for (die, &face) in DieId::ALL.into_iter().zip(faces) {
            self.state.players[seat].dice.show(die, face);
        }
        self
    }

    /// A white die shows this face.
    pub(super) fn white(mut self, seat: Seat, die: DieId, face: u8) -> Self {
        self.state.players[seat].dice.show(die, face);
        self
    }

    /// A group that somebody placed before; without dice, so that it is only there.
    pub(super) fn group(mut self, owner: Seat, advisor: Advisor) -> Self {
        self.state.groups.push(Group {
            owner,
            advisor,
            dice: DiceSet::EMPTY,
            plus2: 0,
            market_offset: 0,
            via_envoy: false,
        });
        self
    }

    pub(super) fn neutral(mut self, advisor: Advisor) -> Self {
        self.state.neutral.push(NeutralGroup {
            advisor,
            values: [6].into_iter().collect(),
        });
        self
    }

    pub(super) fn envoy(mut self, by: Seat, purpose: EnvoyUse) -> Self {
        self.state.envoy = Envoy::Declared {
            by,
            purpose,
            spent: false,
        };
        self
    }

    /// The year of this card, which is its enemy.
    pub(super) fn enemy(mut self, card: Enemy) -> Self {
        self.state.year = card.card().year;
        self.state.deck[usize::from(self.state.year) - 1] = card;
        self
    }

    pub(super) fn year(mut self, year: u8) -> Self {
        self.state.year = year;
        self
    }

    /// The next draws, in order: name, seat for draws by seat, values.
    pub(super) fn luck(mut self, draws: &[(&'static str, Option<Seat>, &[u16])]) -> Self {
        let draw = |&(name, seat, values): &(&'static str, _, &[u16])| Draw {
            name: name.into(),
            seat,
            values: values.to_vec(),
        };
        self.luck = Chance::scripted(draws.iter().map(draw));
        self
    }

    pub(super) fn with_luck(mut self, luck: Chance) -> Self {
        self.luck = luck;
        self
    }

    // Starting somewhere.

    /// Begins a phase and runs to the next decision.
    pub(super) fn begin(mut self, phase: Phase) -> Self {
        begin_phase(&mut self.state, phase, &mut self.log);
        self.run();
        self
    }

    /// Goes to a stage of a phase and runs to the next decision.
    fn go(mut self, phase: Phase, stage: Stage) -> Self {
        self.state.phase = phase;
        self.state.stage = stage;
        self.run();
        self
    }

    /// Runs on from the stage at which the table stands.
    pub(super) fn resume(mut self) -> Self {
        self.run();
        self
    }

    /// INFLUENCE, in spring unless the envoy is there.
    pub(super) fn influence(self) -> Self {
        let season = self.season();
        self.go(season, Stage::Influence { place: 0 })
    }

    /// HELP.
    pub(super) fn help(self) -> Self {
        let season = self.season();
        let advisor = Advisor::Jester;
        self.go(season, Stage::Help { advisor, served: 0 })
    }

    /// BUILD.
    pub(super) fn build(self) -> Self {
        let season = self.season();
        let first = self.state.order[0];
        let actions_left = self.state.envoy.build_actions(first);
        self.go(
            season,
            Stage::Build {
                place: 0,
                actions_left,
            },
        )
    }

    /// ORDER of a season, with the dice as they lie.
    pub(super) fn new_order(self) -> Self {
        self.go(Phase::Spring, Stage::Order)
    }

    /// REROLL of a season, with the dice as they lie.
    pub(super) fn reroll(self) -> Self {
        self.go(Phase::Spring, Stage::Reroll { place: 0 })
    }

    /// SEASON_END of a season.
    pub(super) fn season_end(self, season: Phase) -> Self {
        self.go(season, Stage::SeasonEnd { place: 0 })
    }

    fn season(&self) -> Phase {
        match self.state.envoy {
            Envoy::OnBoard => Phase::Spring,
            Envoy::Undeclared(_) | Envoy::Declared { .. } => Phase::Autumn,
        }
    }

    fn run(&mut self) {
        settle(&mut self.state, &mut self.luck, &mut self.log);
    }

    // Playing.

    /// Plays a legal action. What happened before is forgotten.
    #[track_caller]
    pub(super) fn play(&mut self, seat: Seat, action: Action) -> &mut Self {
        let legal = legal_actions::<Kingsburg>(&self.state, seat, Detail::Moves);
        let permit = Kingsburg::check(&self.state, seat, &action)
            .unwrap_or_else(|refusal| panic!("{seat} may not {action:?}: {refusal}"));
        assert!(legal.contains(&action), "{action:?} is not listed");
        self.log.clear();
        carry_out::<Kingsburg>(&mut self.state, permit, &mut self.luck, &mut self.log);
        self
    }

    /// The code with which an action is refused.
    #[track_caller]
    pub(super) fn refused(&self, seat: Seat, action: Action) -> &'static str {
        let legal = legal_actions::<Kingsburg>(&self.state, seat, Detail::Moves);
        assert!(!legal.contains(&action), "{action:?} is listed");
        match Kingsburg::check(&self.state, seat, &action) {
            Ok(_) => panic!("{seat} may {action:?}"),
            Err(refusal) => refusal.code(),
        }
    }

    // Looking.

    /// Who is asked what; nobody when the game is over.
    pub(super) fn asks(&self) -> Option<(Seat, &'static str)> {
        let pending = Kingsburg::pending(&self.state);
        pending.first().map(|asked| (asked.seat, asked.decision))
    }

    pub(super) fn legal(&self) -> Vec<Action> {
        let (seat, _) = self.asks().unwrap();
        legal_actions::<Kingsburg>(&self.state, seat, Detail::Moves)
    }

    pub(super) fn goods_of(&self, seat: Seat) -> Amounts {
        let Goods { gold, wood, stone } = self.state.players[seat].goods;
        (gold, wood, stone)
    }

    pub(super) fn vp_of(&self, seat: Seat) -> i16 {
        self.state.players[seat].vp()
    }

    pub(super) fn plus2_of(&self, seat: Seat) -> u8 {
        self.state.players[seat].plus2
    }

    pub(super) fn soldiers_of(&self, seat: Seat) -> u16 {
        self.state.players[seat].soldiers
    }

    pub(super) fn faces_of(&self, seat: Seat) -> Vec<u8> {
        let dice = self.state.players[seat].dice;
        dice.rolled().dice().map(|die| dice.face(die)).collect()
    }

    pub(super) fn has(&self, seat: Seat, building: Building) -> bool {
        self.state.players[seat].has(building)
    }

    /// Did this happen since the last action?
    pub(super) fn happened(&self, event: &Event) -> bool {
        self.log.events.contains(event)
    }

    /// Did the engine take this for the player since the last action?
    pub(super) fn took(&self, seat: Seat, action: Action) -> bool {
        self.log.automatic.contains(&Automatic { seat, action })
    }
}

// Actions, as short as the rule document writes them.

/// Dice by number on an advisor, without anything else.
pub(super) fn influence(advisor: i32, dice: &[u32]) -> Influence {
    Influence {
        advisor,
        dice: NamedDice::from_numbers(dice.iter().copied()),
        plus2: 0,
        market_offset: 0,
        use_envoy: false,
    }
}

pub(super) fn place(advisor: i32, dice: &[u32]) -> Action {
    Action::Influence(influence(advisor, dice))
}

pub(super) fn with_plus2(advisor: i32, dice: &[u32], plus2: u32) -> Action {
    Action::Influence(Influence {
        plus2,
        ..influence(advisor, dice)
    })
}

pub(super) fn with_market(advisor: i32, dice: &[u32], market_offset: i32) -> Action {
    Action::Influence(Influence {
        market_offset,
        ..influence(advisor, dice)
    })
}

pub(super) fn with_envoy(advisor: i32, dice: &[u32]) -> Action {
    Action::Influence(Influence {
        use_envoy: true,
        ..influence(advisor, dice)
    })
}

pub(super) fn choose(good: Good) -> Action {
    Action::ChooseHelpGood { good: Some(good) }
}

pub(super) fn exchange(give: Good) -> Action {
    Action::AlchemistExchange { give: Some(give) }
}

pub(super) fn build(building: Building) -> Action {
    Action::Build {
        building: Some(building),
    }
}

pub(super) fn recruit(gold: u32, wood: u32, stone: u32) -> Action {
    Action::RecruitSoldier(Payment { gold, wood, stone })
}

pub(super) fn give_up(gold: u32, wood: u32, stone: u32) -> Action {
    Action::PayLostGoods(Payment { gold, wood, stone })
}

pub(super) fn lose(building: Building) -> Action {
    Action::LoseBuilding {
        building: Some(building),
    }
}
