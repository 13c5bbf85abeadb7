//! The table, as everybody may see it.

use gamekeeper_rules::caylus::{
    Asked, CastleView, Decision, PendingFavors, Phase, PlayerView, SectionView, Space, SpaceView,
    SpecialView, View,
};

use super::event::scores_message;
use super::ids::{cubes, space_number};
use super::pb;
use crate::names::{Name, names, numbers};
use crate::{seat_number, seat_numbers};

names! {
    Phase => pb::Phase {
        Income, Placement, Special, Provost, Activation, Castle, EndOfTurn, Finished,
    }
}

pub(super) fn message(view: &View) -> pb::View {
    pb::View {
        simplified_favors: view.simplified_favors,
        turn: u32::from(view.turn),
        phase: view.phase.number(),
        turn_order: seat_numbers(&view.turn_order),
        pass_order: seat_numbers(&view.pass_order),
        placement_cursor: u32::from(view.placement_cursor),
        cursor: u32::from(view.cursor),
        players: view.players.iter().map(player).collect(),
        special: Some(special(&view.special)),
        castle: Some(castle(&view.castle)),
        road: view.road.iter().map(space).collect(),
        supply: Some(pb::SupplyView {
            wood: numbers(&view.supply.wood),
            stone: numbers(&view.supply.stone),
            prestige: numbers(&view.supply.prestige),
        }),
        removed_neutral: numbers(&view.removed_neutral),
        residences_built: u32::from(view.residences_built),
        provost: space_number(view.provost),
        bailiff: space_number(view.bailiff),
        columns_available: u32::from(view.columns_available),
        pending_favors: view.pending_favors.map(pending_favors),
        question: view.question.map(question),
        result: view.result.as_ref().map(|result| pb::GameResult {
            scores: scores_message(&result.scores),
            winners: seat_numbers(&result.winners),
        }),
    }
}

fn pending_favors(favors: PendingFavors) -> pb::PendingFavors {
    pb::PendingFavors {
        seat: seat_number(favors.seat),
        count: u32::from(favors.count),
    }
}

fn player(player: &PlayerView) -> pb::PlayerView {
    pb::PlayerView {
        seat: seat_number(player.seat),
        deniers: u32::from(player.deniers),
        cubes: Some(cubes(player.cubes)),
        vp: u32::from(player.vp),
        workers_available: u32::from(player.workers_available),
        favor_markers: player.favor_markers.map(u32::from).to_vec(),
        favor_lines_used: numbers(&player.favor_lines_used),
        placement_price: player.placement_price.map(u32::from),
    }
}

fn special(special: &SpecialView) -> pb::SpecialView {
    pb::SpecialView {
        gate: special.gate.map(seat_number),
        trading_post: special.trading_post.map(seat_number),
        merchants_guild: special.merchants_guild.map(seat_number),
        joust_field: special.joust_field.map(seat_number),
        stables: seat_numbers(&special.stables),
        inn_left: special.inn_left.map(seat_number),
        inn_right: special.inn_right.map(seat_number),
    }
}

fn castle(castle: &CastleView) -> pb::CastleView {
    pb::CastleView {
        queue: seat_numbers(&castle.queue),
        batches_this_turn: counts(&castle.batches_this_turn),
        sections: castle.sections.iter().map(section).collect(),
        current_section: castle.current_section.map(Name::number),
    }
}

fn section(section: &SectionView) -> pb::SectionView {
    pb::SectionView {
        section: section.section.number(),
        parts: counts(&section.parts),
        scored: section.scored,
    }
}

fn counts(counts: &[u8]) -> Vec<u32> {
    counts.iter().copied().map(u32::from).collect()
}

fn space(space: &SpaceView) -> pb::SpaceView {
    pb::SpaceView {
        space: space_number(space.space),
        tile: space.tile.map(Name::number),
        owner: space.owner.map(seat_number),
        worker: space.worker.map(seat_number),
        pending_transform: space.pending_transform.map(seat_number),
    }
}

fn question(asked: Asked) -> pb::Question {
    let (decision, space) = decision(asked.decision);
    pb::Question {
        seat: seat_number(asked.seat),
        decision: decision.into(),
        space: space.map(space_number),
    }
}

/// The decision, and the building that it is about.
fn decision(decision: Decision) -> (pb::Decision, Option<Space>) {
    let plain = |decision| (decision, None);
    match decision {
        Decision::PlaceWorker => plain(pb::Decision::PlaceWorker),
        Decision::GateRelocate => plain(pb::Decision::GateRelocate),
        Decision::GuildMove => plain(pb::Decision::GuildMove),
        Decision::Joust => plain(pb::Decision::Joust),
        Decision::InnStay => plain(pb::Decision::InnStay),
        Decision::BribeProvost => plain(pb::Decision::BribeProvost),
        Decision::UseBuilding { space } => (pb::Decision::UseBuilding, Some(space)),
        Decision::OwnerBonus { space } => (pb::Decision::OwnerBonus, Some(space)),
        Decision::TakeFavor => plain(pb::Decision::TakeFavor),
        Decision::CastleBuild => plain(pb::Decision::CastleBuild),
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::caylus::{
        Caylus, Cubes, FavorLine, FinalScore, GameResult, Options, Resource, Section, Tile,
    };
    use gamekeeper_rules::ruleset::{Ruleset, create};
    use gamekeeper_rules::table::{Chance, PerSeat, Seat, Seed, Viewer};

    use super::*;
    use crate::names::tests::check_names;

    /// A table at the first decision of a game of three.
    fn first_view() -> View {
        let chance = Chance::from_seed(&Seed::from_number(3));
        let made = create::<Caylus>(&Options::plain(3), chance);
        Caylus::view(&made.state, Viewer::Spectator)
    }

    #[test]
    fn phases_keep_their_order() {
        check_names(&Phase::ALL);
    }

    #[test]
    fn decisions_keep_their_names() {
        let space = Space::FIRST;
        let all = [
            Decision::PlaceWorker,
            Decision::GateRelocate,
            Decision::GuildMove,
            Decision::Joust,
            Decision::InnStay,
            Decision::BribeProvost,
            Decision::UseBuilding { space },
            Decision::OwnerBonus { space },
            Decision::TakeFavor,
            Decision::CastleBuild,
        ];
        for (number, one) in (1..).zip(all) {
            let (sent, about) = decision(one);
            assert_eq!(sent as i32, number);
            assert_eq!(sent.as_str_name(), format!("DECISION_{}", one.id()));
            assert_eq!(about.is_some(), matches!(number, 7 | 8));
        }
    }

    #[test]
    fn the_first_table() {
        let sent = message(&first_view());
        assert_eq!((sent.turn, sent.phase()), (1, pb::Phase::Placement));
        assert_eq!(
            (sent.provost, sent.bailiff, sent.columns_available),
            (6, 6, 2)
        );
        assert_eq!((sent.road.len(), sent.players.len()), (28, 3));
        assert_eq!(sent.road[6].tile, Some(pb::Tile::FixedPeddler as i32));
        assert_eq!(sent.road[8].tile, None);
        let question = sent.question.unwrap();
        assert_eq!(question.seat, sent.turn_order[0]);
        assert_eq!(question.decision(), pb::Decision::PlaceWorker);
        assert_eq!(
            (question.space, sent.result, sent.pending_favors),
            (None, None, None)
        );
        let supply = sent.supply.unwrap();
        let counts = [supply.wood.len(), supply.stone.len(), supply.prestige.len()];
        assert_eq!(counts, [8, 9, 9]);
        let castle = sent.castle.unwrap();
        assert_eq!(castle.current_section, Some(pb::Section::Dungeon as i32));
        assert_eq!(castle.sections[2].parts, [0, 0, 0]);
    }

    #[test]
    fn a_player_field_by_field() {
        let view = PlayerView {
            seat: Seat::at(1),
            deniers: 7,
            cubes: Cubes::of(2, Resource::Cloth),
            vp: 12,
            workers_available: 5,
            favor_markers: [1, 0, 4, 2],
            favor_lines_used: vec![FavorLine::Buildings],
            placement_price: None,
        };
        let expected = pb::PlayerView {
            seat: 2,
            deniers: 7,
            cubes: Some(pb::Cubes {
                cloth: 2,
                ..pb::Cubes::default()
            }),
            vp: 12,
            workers_available: 5,
            favor_markers: vec![1, 0, 4, 2],
            favor_lines_used: vec![pb::FavorLine::Buildings as i32],
            placement_price: None,
        };
        assert_eq!(player(&view), expected);
    }

    #[test]
    fn a_space_field_by_field() {
        let view = SpaceView {
            space: Space::LAST,
            tile: Some(Tile::Lawyer),
            owner: Some(Seat::at(0)),
            worker: Some(Seat::at(1)),
            pending_transform: Some(Seat::at(2)),
        };
        let expected = pb::SpaceView {
            space: 28,
            tile: Some(pb::Tile::Lawyer as i32),
            owner: Some(1),
            worker: Some(2),
            pending_transform: Some(3),
        };
        assert_eq!(space(&view), expected);
    }

    #[test]
    fn a_section_field_by_field() {
        let view = SectionView {
            section: Section::Walls,
            parts: vec![3, 0],
            scored: true,
        };
        let expected = pb::SectionView {
            section: pb::Section::Walls as i32,
            parts: vec![3, 0],
            scored: true,
        };
        assert_eq!(section(&view), expected);
    }

    #[test]
    fn the_end_has_a_result_and_no_question() {
        let mut view = first_view();
        view.question = None;
        view.pending_favors = Some(PendingFavors {
            seat: Seat::at(2),
            count: 3,
        });
        view.result = Some(GameResult {
            scores: PerSeat::new(3, |_| FinalScore {
                before: 1,
                gold: 3,
                cubes: 0,
                deniers: 2,
            }),
            winners: Seat::all(3).collect(),
        });
        let sent = message(&view);
        assert_eq!(sent.question, None);
        let favors = pb::PendingFavors { seat: 3, count: 3 };
        assert_eq!(sent.pending_favors, Some(favors));
        let result = sent.result.unwrap();
        assert_eq!(result.winners, [1, 2, 3]);
        assert_eq!(result.scores[1].total, 6);
    }
}
