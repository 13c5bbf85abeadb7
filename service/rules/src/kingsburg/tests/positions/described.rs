//! A table as somebody describes it: a plain one, with the few fields that matter.

use gamekeeper_rules::conformance::{DescribedTable, TestTable};
use gamekeeper_rules::kingsburg::Kingsburg;
use gamekeeper_rules::kingsburg::action::EnvoyUse;
use gamekeeper_rules::kingsburg::data::{Advisor, DieId, Enemy, Goods, Phase};
use gamekeeper_rules::kingsburg::event::Outcome;
use gamekeeper_rules::kingsburg::view::{
    BattleView, Bookkeeping, DiePlace, DieView, EnemyView, EnvoyMode, FighterView, GroupView,
    Question, View,
};
use gamekeeper_rules::ruleset::begin;
use gamekeeper_rules::table::{Pending, PendingList, Seat, Viewer};

use crate::table::{Amounts, Table, TestPlay as _};

pub(super) use gamekeeper_rules::conformance::TestDescription;

gamekeeper_rules::test_type! { Described: DescribedTable<Kingsburg> }

impl Described {
    /// A table at which nothing has happened but the battles of the years before.
    pub(super) fn of(seats: usize, year: u8, phase: Phase) -> Self {
        let mut table = Self::of_view(Table::of(seats).view(Viewer::Operator));
        let view = &mut table.view;
        (view.year, view.phase) = (year, phase);
        (view.pending, view.bookkeeping) = (PendingList::default(), None);
        view.enemies.clear();
        let fighters = Seat::all(seats).map(|seat| FighterView {
            seat,
            strength: 1,
            outcome: Outcome::Defeat,
        });
        let battle = |year| BattleView {
            card: Enemy::of_year(year)[0],
            king_die: 1,
            fighters: fighters.clone().collect(),
        };
        view.history = (1..year).map(battle).collect();
        table
    }

    pub(super) fn of_view(view: View) -> Self {
        let options = view.options.clone();
        Self(DescribedTable::of(view, options))
    }

    /// The table, if it is accepted, with scripted luck.
    #[track_caller]
    pub(super) fn begin(&self) -> Table {
        self.made().into()
    }

    /// The first table of a game that begins here, if it is accepted.
    #[track_caller]
    pub(super) fn settled(&self) -> Table {
        let made = self.made();
        TestTable::at(begin::<Kingsburg>(made.state, made.luck).state).into()
    }

    pub(super) fn asks(self, seat: Seat, decision: &'static str) -> Self {
        self.with(|view| view.pending = [Pending { seat, decision }].into_iter().collect())
    }

    pub(super) fn asks_about(self, seat: Seat, advisor: Advisor) -> Self {
        let question = Question {
            advisor: Some(advisor),
            ..Question::default()
        };
        self.asks(seat, "help_choice")
            .with(|view| view.question = Some(question))
    }

    pub(super) fn helped(self, helped: u8) -> Self {
        self.with(|view| {
            view.bookkeeping = Some(Bookkeeping {
                helped,
                ..Bookkeeping::default()
            });
        })
    }

    pub(super) fn order(self, order: &[Seat]) -> Self {
        self.with(|view| view.turn_order = order.to_vec())
    }

    pub(super) fn goods(self, seat: Seat, (gold, wood, stone): Amounts) -> Self {
        self.with(|view| view.players[seat.index()].goods = Goods::new(gold, wood, stone))
    }

    pub(super) fn vp(self, seat: Seat, vp: i16) -> Self {
        self.with(|view| view.players[seat.index()].vp = vp)
    }

    pub(super) fn plus2(self, seat: Seat, tokens: u8) -> Self {
        self.with(|view| view.players[seat.index()].plus2 = tokens)
    }

    pub(super) fn more_soldiers(self, seat: Seat, soldiers: u16) -> Self {
        self.with(|view| view.players[seat.index()].soldiers += soldiers)
    }

    pub(super) fn rows(self, seat: Seat, rows: [u8; 5]) -> Self {
        self.with(|view| view.players[seat.index()].rows = rows)
    }

    pub(super) fn aid_die(self, seat: Seat) -> Self {
        self.with(|view| view.players[seat.index()].aid_die = true)
    }

    pub(super) fn passed(self, seat: Seat) -> Self {
        self.with(|view| view.players[seat.index()].influence_done = true)
    }

    /// Own dice with these faces, before their player.
    pub(super) fn dice(self, seat: Seat, faces: &[u8]) -> Self {
        DieId::ALL
            .into_iter()
            .zip(faces)
            .fold(self, |table, (die, &face)| table.white(seat, die, face))
    }

    pub(super) fn white(self, seat: Seat, die: DieId, value: u8) -> Self {
        let place = DiePlace::Pool;
        self.with(|view| {
            view.players[seat.index()]
                .dice
                .push(DieView { die, value, place });
        })
    }

    pub(super) fn set_aside(self, seat: Seat, die: DieId) -> Self {
        self.with(|view| {
            let mut dice = view.players[seat.index()].dice.iter_mut();
            dice.find(|view| view.die == die).unwrap().place = DiePlace::SetAside;
        })
    }

    pub(super) fn group(self, owner: Seat, advisor: Advisor, dice: &[DieId]) -> Self {
        self.with(|view| {
            view.court.push(GroupView {
                advisor,
                owner: Some(owner),
                dice: dice.to_vec(),
                values: Vec::new(),
                plus2: 0,
                market_offset: 0,
                via_envoy: false,
                sequence: 0,
            });
        })
    }

    pub(super) fn group_by_envoy(self, owner: Seat, advisor: Advisor, dice: &[DieId]) -> Self {
        self.group(owner, advisor, dice)
            .with(|view| view.court.last_mut().unwrap().via_envoy = true)
    }

    pub(super) fn neutral(self, advisor: Advisor, values: &[u8]) -> Self {
        self.group(Seat::FIRST, advisor, &[]).with(|view| {
            let group = view.court.last_mut().unwrap();
            (group.owner, group.values) = (None, values.to_vec());
        })
    }

    pub(super) fn envoy(self, by: Seat, purpose: EnvoyUse) -> Self {
        self.with(|view| {
            view.envoy.declarer = Some(by);
            view.envoy.mode = match purpose {
                EnvoyUse::Advisor => EnvoyMode::Advisor,
                EnvoyUse::SecondBuilding => EnvoyMode::SecondBuilding,
                EnvoyUse::Nothing => EnvoyMode::None,
            };
        })
    }

    pub(super) fn envoy_used(self, by: Seat) -> Self {
        self.envoy(by, EnvoyUse::Advisor)
            .with(|view| view.envoy.spent = true)
    }

    /// Sets the enemy of this year, face down.
    pub(super) fn enemy(self, card: Enemy) -> Self {
        self.with(|view| {
            let years = Enemy::backs().iter();
            let enemies = years.map(|back| EnemyView {
                year: back.year,
                min_strength: back.min_strength,
                max_strength: back.max_strength,
                card: (back.year == view.year).then_some(card),
                revealed: false,
            });
            view.enemies = enemies.collect();
        })
    }

    /// The battle of this winter. Everybody has the King's soldiers.
    pub(super) fn battle(self, card: Enemy, king_die: u8) -> Self {
        self.with(|view| {
            view.players
                .iter_mut()
                .for_each(|player| player.soldiers += u16::from(king_die));
            view.battle = Some(BattleView {
                card,
                king_die,
                fighters: Vec::new(),
            });
        })
    }
}
