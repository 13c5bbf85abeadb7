package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	pb "example.com/gamekeeper/client/gen/gamekeeper/v1"
)

// choose picks one of the legal actions of a seat; there is at least one.
type choose func([]*pb.LegalAction) *pb.LegalAction

// newGame begins a game with as many players as the ruleset needs at least. Its luck follows from the seed of 32 bytes,
// which a server with tokens takes only with --allow-seeds; nil: the server draws one.
func newGame(ctx context.Context, games pb.GameServiceClient, ruleset *pb.Ruleset, seed []byte) (*pb.GameInfo, error) {
	request := &pb.CreateGameRequest{Ruleset: ruleset.GetId(), RequestId: rand.Text(), Seed: seed}
	for seat := range ruleset.GetMinSeats() {
		request.Players = append(request.Players, &pb.Player{Name: fmt.Sprintf("Player %d", seat+1)})
	}
	created, err := again(ctx, games.CreateGame, request)
	if err != nil {
		return nil, fmt.Errorf("create a game of %s: %w", ruleset.GetId(), err)
	}
	return created.GetTable().GetGame(), nil
}

// play plays all seats until the game is over or its context is, and returns the facts of the last version.
func play(ctx context.Context, games pb.GameServiceClient, game *pb.GameInfo, pick choose) (*pb.GameInfo, error) {
	for len(game.GetPending()) > 0 {
		played, err := act(ctx, games, game.GetGameId(), game.GetPending()[0].GetSeat(), pick)
		var failed *Failure
		if errors.As(err, &failed) && failed.Reason == "STALE_VERSION" {
			// Somebody was faster: look at the new table and ask again.
			table, err := again(ctx, games.GetGame, &pb.GetGameRequest{GameId: game.GetGameId()})
			if err != nil {
				return nil, fmt.Errorf("look at the table: %w", err)
			}
			game = table.GetTable().GetGame()
			continue
		}
		if err != nil {
			return nil, err
		}
		game = played
	}
	return game, nil
}

// act plays one action of a seat that owes a decision.
func act(ctx context.Context, games pb.GameServiceClient, gameID string, seat uint32, pick choose) (*pb.GameInfo, error) {
	legal, err := again(ctx, games.ListLegalActions, &pb.ListLegalActionsRequest{GameId: gameID, Seat: seat})
	if err != nil {
		return nil, fmt.Errorf("list the actions of seat %d: %w", seat, err)
	}
	if len(legal.GetActions()) == 0 {
		return nil, fmt.Errorf("seat %d owes a decision, but has no legal action at version %d", seat, legal.GetVersion())
	}
	chosen := pick(legal.GetActions())
	played, err := again(ctx, games.ApplyAction, &pb.ApplyActionRequest{
		GameId:          gameID,
		Seat:            seat,
		Action:          chosen.GetAction(),
		ExpectedVersion: legal.GetVersion(),
		RequestId:       rand.Text(),
	})
	if err != nil {
		return nil, fmt.Errorf("%s of seat %d: %w", chosen.GetKind(), seat, err)
	}
	return played.GetTable().GetGame(), nil
}
