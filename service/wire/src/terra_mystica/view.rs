//! The table, the same for everybody.

use gamekeeper_rules::table::Seat;
use gamekeeper_rules::terra_mystica::data::{Cult, Land, PRIEST_SPACES};
use gamekeeper_rules::terra_mystica::{
    BoardView, BridgeView, Decision, FollowUp, HouseRules, OfferView, Phase, PlayerView, PoolView,
    SpaceView, SpadesView, TownView, TurnView, View,
};

use super::{ids, options, pb};
use crate::names::{Name, names, numbers};
use crate::{seat_number, seat_numbers};

names! { Phase => pb::Phase { Setup, Action, Cult, Finished } }
names! {
    Decision => pb::Decision {
        ChooseFaction, PlaceDwelling, ChooseBonusCard, Turn, PowerDecision, FollowUp, CultSpades,
        Finished,
    }
}

pub(super) fn message(view: &View) -> pb::View {
    pb::View {
        rules: Some(house_rules(view.rules)),
        round: u32::from(view.round),
        phase: view.phase.number(),
        decision: view.decision.number(),
        actor: seat_or_none(view.actor),
        start_player: seat_number(view.start_player),
        next_start_player: seat_or_none(view.next_start_player),
        turn_order: seat_numbers(&view.turn_order),
        passed_order: seat_numbers(&view.passed_order),
        turn: view.turn.as_ref().map(turn),
        power_offers: view.power_offers.iter().map(offer).collect(),
        follow_ups: view.follow_ups.iter().map(follow_up).collect(),
        cult_spades: view.cult_spades.iter().map(cult_spades).collect(),
        spaces: view.spaces.iter().map(space).collect(),
        bridges: view.bridges.iter().map(bridge).collect(),
        towns: view.towns.iter().map(town).collect(),
        priests: priests(view),
        used_power_actions: numbers(&view.used_power_actions),
        scoring_tiles: numbers(&view.scoring_tiles),
        unused_scoring_tiles: numbers(&view.unused_scoring_tiles),
        bonus_pool: view.bonus_pool.iter().map(pooled).collect(),
        unused_bonus_cards: numbers(&view.unused_bonus_cards),
        favor_pool: view
            .favor_pool
            .iter()
            .map(|(tile, count)| pb::FavorTileCount {
                tile: tile.number(),
                count: u32::from(*count),
            })
            .collect(),
        town_pool: view
            .town_pool
            .iter()
            .map(|(tile, count)| pb::TownTileCount {
                tile: tile.number(),
                count: u32::from(*count),
            })
            .collect(),
        players: view.players.iter().map(player).collect(),
    }
}

fn seat_or_none(seat: Option<Seat>) -> u32 {
    seat.map_or(0, seat_number)
}

fn id(land: Land) -> String {
    land.id().to_owned()
}

fn ids_of(lands: &[Land]) -> Vec<String> {
    lands.iter().copied().map(id).collect()
}

fn house_rules(rules: HouseRules) -> pb::HouseRules {
    pb::HouseRules {
        free_sacrifice: rules.free_sacrifice,
        auto_end_turn: rules.auto_end_turn,
        promo_tiles: Some(options::promo_tiles(rules.promo_tiles)),
        turn_order: rules.turn_order.number(),
    }
}

fn turn(turn: &TurnView) -> pb::Turn {
    pb::Turn {
        seat: seat_number(turn.seat),
        main_action_done: turn.main_action_done,
        extra_actions: u32::from(turn.extra_actions),
        late_build: ids_of(&turn.late_build),
    }
}

fn offer(offer: &OfferView) -> pb::PowerOffer {
    pb::PowerOffer {
        seat: seat_number(offer.seat),
        builder: seat_number(offer.builder),
        space: id(offer.land),
        value: u32::from(offer.value),
        gainable: u32::from(offer.gainable),
    }
}

fn follow_up(follow_up: &FollowUp) -> pb::FollowUp {
    let (kind, count) = match follow_up {
        FollowUp::FavorTiles(count) => (pb::FollowUpKind::FavorTiles, *count),
        FollowUp::TownTiles(count) => (pb::FollowUpKind::TownTiles, *count),
        FollowUp::CultStep => (pb::FollowUpKind::CultStep, 1),
        FollowUp::Ordination => (pb::FollowUpKind::Ordination, 1),
        FollowUp::StrongholdSpades => (pb::FollowUpKind::StrongholdSpades, 1),
    };
    pb::FollowUp {
        kind: kind.into(),
        count: u32::from(count),
    }
}

fn cult_spades(spades: &SpadesView) -> pb::CultSpades {
    pb::CultSpades {
        seat: seat_number(spades.seat),
        spades: u32::from(spades.spades),
    }
}

fn space(space: &SpaceView) -> pb::SpaceView {
    pb::SpaceView {
        space: id(space.land),
        terrain: space.terrain.number(),
        owner: seat_or_none(space.owner),
        structure: space.structure.map_or(0, Name::number),
    }
}

fn bridge(bridge: &BridgeView) -> pb::Bridge {
    pb::Bridge {
        a: id(bridge.a),
        b: id(bridge.b),
        seat: seat_number(bridge.seat),
    }
}

fn town(town: &TownView) -> pb::Town {
    pb::Town {
        seat: seat_number(town.seat),
        tile: town.tile.map_or(0, Name::number),
        spaces: ids_of(&town.lands),
        river: town.river.map(|river| river.id().to_owned()),
    }
}

fn priests(view: &View) -> Vec<pb::PriestOnCult> {
    let tracks = Cult::ALL.iter().zip(&view.priest_spaces);
    let spaces = tracks.flat_map(|(cult, spaces)| {
        let on_track = PRIEST_SPACES.iter().zip(spaces);
        on_track.filter_map(|(slot, holder)| {
            holder.map(|seat| pb::PriestOnCult {
                cult: cult.number(),
                slot: slot.number(),
                seat: seat_number(seat),
            })
        })
    });
    spaces.collect()
}

fn pooled(pooled: &PoolView) -> pb::PoolCard {
    pb::PoolCard {
        card: pooled.card.number(),
        coins: u32::from(pooled.coins),
    }
}

fn player(player: &PlayerView) -> pb::PlayerView {
    pb::PlayerView {
        seat: seat_number(player.seat),
        color: player.color.map_or(0, Name::number),
        board: player.board.as_ref().map(board),
    }
}

fn board(board: &BoardView) -> pb::FactionBoard {
    pb::FactionBoard {
        faction: board.faction.number(),
        vp: u32::from(board.vp),
        coins: u32::from(board.coins),
        workers: u32::from(board.workers),
        priests: u32::from(board.priests),
        priest_supply: u32::from(board.priest_supply),
        power_bowls: Some(ids::bowls(board.power_bowls)),
        cults: Some(ids::cults(board.cults)),
        shipping: board.shipping.map(u32::from),
        terraforming_level: u32::from(board.terraforming_level),
        leap_range: board.leap_range.map(u32::from),
        bonus_card: board.bonus_card.map_or(0, Name::number),
        favor_tiles: numbers(&board.favor_tiles),
        keys: u32::from(board.keys),
        bridges_left: u32::from(board.bridges_left),
        structures_left: board.structures_left.map(u32::from).to_vec(),
        largest_area: u32::from(board.largest_area),
        used_special: numbers(&board.used_special),
        passed: board.passed,
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::ruleset::{Ruleset, create};
    use gamekeeper_rules::table::{Chance, Seed, Viewer};
    use gamekeeper_rules::terra_mystica::data::{
        BonusCard, Faction, River, Structure, Terrain, TownTile,
    };
    use gamekeeper_rules::terra_mystica::{Draft, SetupMode, TerraMystica};

    use super::*;
    use crate::names::tests::check_names;

    fn first_game() -> View {
        let draft = Draft {
            setup_mode: SetupMode::Introductory,
            start_player: Some(1),
            ..Draft::default()
        };
        let players = ["Ann".into(), "Bob".into()];
        let options = TerraMystica::options(&players, &draft).unwrap();
        let made = create::<TerraMystica>(&options, Chance::from_seed(&Seed::from_number(1)));
        TerraMystica::view(&made.state, Viewer::Spectator)
    }

    #[test]
    fn phases_and_decisions_keep_their_places() {
        check_names(&[Phase::Setup, Phase::Action, Phase::Cult, Phase::Finished]);
        check_names(&[
            Decision::ChooseFaction,
            Decision::PlaceDwelling,
            Decision::ChooseBonusCard,
            Decision::Turn,
            Decision::PowerDecision,
            Decision::FollowUp,
            Decision::CultSpades,
            Decision::Finished,
        ]);
        let decision = pb::Decision::try_from(Decision::PowerDecision.number()).unwrap();
        assert_eq!(decision.as_str_name(), "DECISION_POWER_DECISION");
    }

    #[test]
    fn the_first_game_arrives_whole() {
        let sent = message(&first_game());
        assert_eq!(sent.spaces.len(), 77);
        assert_eq!(sent.phase(), pb::Phase::Setup);
        assert_eq!(sent.decision(), pb::Decision::ChooseBonusCard);
        assert_eq!(
            (sent.actor, sent.start_player, sent.next_start_player),
            (2, 1, 0)
        );
        let c3 = sent
            .spaces
            .iter()
            .find(|space| space.space == "C3")
            .unwrap();
        assert_eq!((c3.owner, c3.structure()), (1, pb::Structure::Dwelling));
        assert_eq!(c3.terrain(), pb::Terrain::Forest);
        let witches = sent.players[0].board.as_ref().unwrap();
        assert_eq!(witches.faction(), pb::Faction::Witches);
        assert_eq!(
            (witches.coins, witches.vp, witches.shipping),
            (15, 20, Some(0))
        );
        assert_eq!(witches.structures_left, [6, 4, 3, 1, 1]);
        assert_eq!(sent.favor_pool.len(), 12);
        assert_eq!(
            sent.town_pool.iter().map(|count| count.count).sum::<u32>(),
            10
        );
    }

    #[test]
    fn figures_keep_their_places() {
        let mut view = first_game();
        view.priest_spaces[3][0] = Some(Seat::at(1));
        view.power_offers = vec![OfferView {
            seat: Seat::at(1),
            builder: Seat::at(0),
            land: Land::by_id("E6").unwrap(),
            value: 5,
            gainable: 4,
        }];
        view.towns = vec![TownView {
            seat: Seat::at(1),
            tile: Some(TownTile::Tw4),
            lands: vec![Land::by_id("A1").unwrap()],
            river: River::by_id("r0"),
        }];
        let sent = message(&view);
        let priest = sent.priests[0];
        assert_eq!(sent.priests.len(), 1);
        assert_eq!(
            (priest.cult(), priest.slot()),
            (pb::Cult::Air, pb::PriestSlot::Three)
        );
        let offer = &sent.power_offers[0];
        assert_eq!(
            (offer.seat, offer.builder, offer.value, offer.gainable),
            (2, 1, 5, 4)
        );
        assert_eq!(
            (sent.towns[0].seat, sent.towns[0].river.as_deref()),
            (2, Some("r0"))
        );
        assert_eq!(
            Terrain::named(sent.spaces[0].terrain),
            Some(Terrain::Plains)
        );
        assert_eq!(Structure::named(0), None);
        assert_eq!(
            BonusCard::named(sent.bonus_pool[0].card),
            Some(BonusCard::Bon1)
        );
        assert_eq!(Faction::ALL.len(), 14);
    }
}
