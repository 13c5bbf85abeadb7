//! Actions that the conformance suite must try: the near misses that it makes of listed actions name few spaces
//! together.

use arrayvec::ArrayVec;

use crate::table::Seat;
use crate::terra_mystica::action::{
    Action, Direction, PowerUse, Span, SpecialUse, Transform, Transforms, Work,
};
use crate::terra_mystica::data::{
    BRIDGE_SITES, BonusCard, Conversion, Cult, Faction, FavorTile, Land, PriestSlot, River, Space,
    Structure, Terrain, TownTile,
};
use crate::terra_mystica::state::State;

pub fn universe(state: &State, seat: Seat) -> Vec<Action> {
    let mut all = Vec::new();
    choices(&mut all);
    free_actions(&mut all);
    spaces(&mut all);
    works(state, seat, &mut all);
    bridges(&mut all);
    all
}

fn choices(all: &mut Vec<Action>) {
    let factions = Faction::ALL.iter().map(|&faction| Some(faction));
    all.extend(
        factions
            .chain([None])
            .map(|faction| Action::ChooseFaction { faction }),
    );
    all.extend(
        BonusCard::ALL
            .iter()
            .map(|&card| Action::ChooseBonusCard { card }),
    );
    all.extend(
        BonusCard::ALL
            .iter()
            .map(|&card| Action::PassTurn { card: Some(card) }),
    );
    all.extend([
        Action::PassTurn { card: None },
        Action::AdvanceShipping,
        Action::EndTurn,
        special(SpecialUse::DoubleTurn),
    ]);
    let simple = [PowerUse::Priest, PowerUse::Workers, PowerUse::Coins];
    all.extend(simple.map(|power_use| Action::TakePowerAction {
        power_use,
        sacrifice: 0,
    }));
    all.extend(
        FavorTile::ALL
            .iter()
            .map(|&tile| Action::ChooseFavorTile { tile }),
    );
    let one_key = Cult::ALL
        .into_iter()
        .map(|cult| ArrayVec::from_iter([cult]));
    let two_keys = ArrayVec::from_iter([Cult::Fire, Cult::Air]);
    for key_cults in one_key.chain([ArrayVec::new(), two_keys]) {
        all.extend(TownTile::ALL.iter().map(|&tile| {
            let key_cults = key_cults.clone();
            Action::ChooseTownTile { tile, key_cults }
        }));
    }
    cult_choices(all);
}

fn cult_choices(all: &mut Vec<Action>) {
    for cult in Cult::ALL {
        let slots = PriestSlot::ALL.iter();
        all.extend(slots.map(|&slot| Action::SendPriest { cult, slot }));
        let steps = [
            SpecialUse::BonusCultStep(cult),
            SpecialUse::FavorCultStep(cult),
            SpecialUse::CultSteps(cult),
        ];
        all.extend(steps.map(special));
    }
}

fn free_actions(all: &mut Vec<Action>) {
    for kind in Conversion::ALL {
        for (times, sacrifice) in [(0, 0), (1, 0), (1, 3), (u32::MAX, u32::MAX)] {
            all.push(Action::Convert {
                kind,
                times,
                sacrifice,
            });
        }
    }
}

fn every_space() -> impl Iterator<Item = Space> {
    let lands = Land::all().map(Space::Land);
    lands
        .chain(River::all().map(Space::River))
        .chain([Space::Unknown])
}

fn spaces(all: &mut Vec<Action>) {
    for space in every_space() {
        all.push(Action::PlaceDwelling { space });
        all.push(Action::BuildDwelling { space });
        all.push(Action::FoundRiverTown { river: space });
        let upgrades = Structure::ALL.iter();
        all.extend(upgrades.map(|&to| Action::UpgradeStructure {
            space,
            to_structure: to,
        }));
        let uses = [
            SpecialUse::WitchesRide(space),
            SpecialUse::FreeTradingHouse(space),
        ];
        let storms = [false, true].map(|build| SpecialUse::Sandstorm { space, build });
        all.extend(uses.into_iter().chain(storms).map(special));
    }
}

const fn special(special_use: SpecialUse) -> Action {
    Action::TakeSpecialAction { special_use }
}

/// Adds procedure T for every source: single spaces of every land, and many pairs of neighbors.
fn works(state: &State, seat: Seat, all: &mut Vec<Action>) {
    let seated = state.players.has(seat);
    let home = if seated {
        state.faction(seat).home()
    } else {
        Terrain::Desert
    };
    let giants = seated && state.faction(seat) == Faction::Giants;
    let dig = |land: Land, target: Terrain, direction: Direction| Transform {
        space: land.into(),
        target,
        direction,
    };
    for work in [
        Work::default(),
        only(Space::Unknown),
        only(Space::River(River::at(3))),
    ] {
        sources(&work, all);
    }
    for land in Land::all() {
        sources(&only(land.into()), all);
        let away = state.board.terrain(land);
        let next = Terrain::ALL[(away.index() + 1) % Terrain::ALL.len()];
        for target in [home, next] {
            for direction in [Direction::Short, Direction::Long] {
                // The Giants' direction has no effect, and the list has only the short one.
                let direction = if giants { Direction::Short } else { direction };
                let one = dig(land, target, direction);
                sources(&of(&[one], None), all);
                sources(&of(&[one], Some(land)), all);
            }
        }
        let other = Land::at((land.index() + 1) % 77);
        let third = Land::at((land.index() + 2) % 77);
        let (a, b) = (
            dig(land, home, Direction::Short),
            dig(other, home, Direction::Short),
        );
        let c = dig(third, next, Direction::Short);
        for list in [
            vec![a, b],
            vec![b, a],
            vec![a, c],
            vec![c, a],
            vec![a, a],
            vec![a, b, c],
        ] {
            sources(&of(&list, None), all);
            sources(&of(&list, Some(land)), all);
        }
    }
}

fn only(space: Space) -> Work {
    Work {
        transforms: Transforms::new(),
        build_at: Some(space),
    }
}

fn of(transforms: &[Transform], build_at: Option<Land>) -> Work {
    Work {
        transforms: transforms.iter().copied().collect(),
        build_at: build_at.map(Space::Land),
    }
}

fn sources(work: &Work, all: &mut Vec<Action>) {
    let work = || work.clone();
    all.extend([
        Action::TransformAndBuild { work: work() },
        special(SpecialUse::BonusSpade(work())),
        special(SpecialUse::GiantSpades(work())),
        Action::UseCultSpades {
            transforms: work().transforms,
        },
        Action::TakePowerAction {
            power_use: PowerUse::Spade(work()),
            sacrifice: 0,
        },
    ]);
    all.extend([0, 2].map(|sacrifice| Action::TakePowerAction {
        power_use: PowerUse::TwoSpades(work()),
        sacrifice,
    }));
}

fn bridges(all: &mut Vec<Action>) {
    let sites = BRIDGE_SITES.iter().flat_map(|site| {
        let (a, b) = (site.a.into(), site.b.into());
        [Span { a, b }, Span { a: b, b: a }]
    });
    let wrong = [
        Span {
            a: Space::Land(Land::at(0)),
            b: Space::Land(Land::at(5)),
        },
        Span {
            a: Space::Unknown,
            b: Space::River(River::at(0)),
        },
    ];
    for span in sites.chain(wrong) {
        all.push(Action::TakePowerAction {
            power_use: PowerUse::Bridge { span: Some(span) },
            sacrifice: 0,
        });
    }
}
