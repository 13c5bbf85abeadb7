package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	pb "example.com/gamekeeper/client/gen/gamekeeper/v1"
)

// The service says every 15 seconds that nothing is new, so a stream that is silent for longer is dead.
const silence = time.Minute

// watch gives every version after this one, in order and each once, across cuts, until the game is over.
func watch(ctx context.Context, games pb.GameServiceClient, gameID string, after uint64) iter.Seq2[*pb.WatchGameResponse, error] {
	return func(yield func(*pb.WatchGameResponse, error) bool) {
		request := &pb.WatchGameRequest{GameId: gameID, AfterVersion: after, Show: &pb.Show{Events: true, Text: true}}
		pauses := newPauses()
		for {
			done := false
			err := watchOnce(ctx, games, request, func(message *pb.WatchGameResponse) bool {
				pauses = newPauses()
				game := message.GetTable().GetGame()
				if game == nil {
					return true // nothing is new
				}
				request.AfterVersion, request.AfterTime = game.GetVersion(), game.GetUpdateTime()
				done = !yield(message, nil) || game.GetStatus() == pb.GameStatus_GAME_STATUS_FINISHED
				return !done
			})
			if done {
				return
			}
			var failed *Failure
			if errors.As(failure(err), &failed) && failed.Planned() {
				pauses = newPauses()
			}
			if err := pauses.after(ctx, err); err != nil {
				yield(nil, fmt.Errorf("watch after version %d: %w", request.GetAfterVersion(), err))
				return
			}
		}
	}
}

// watchOnce hands on the messages of one stream until take returns false, or the stream ends with an error.
func watchOnce(
	ctx context.Context, games pb.GameServiceClient, request *pb.WatchGameRequest, take func(*pb.WatchGameResponse) bool,
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := games.WatchGame(ctx, request)
	if err != nil {
		return err
	}
	dead := time.AfterFunc(silence, cancel)
	defer dead.Stop()
	for {
		message, err := stream.Recv()
		if err != nil {
			return err
		}
		dead.Reset(silence)
		if !take(message) {
			return nil
		}
	}
}

// export reads the record of a game that is over, to the end of the stream, and returns how many versions it has.
func export(ctx context.Context, games pb.GameServiceClient, gameID string) (versions uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	stream, err := games.ExportGame(ctx, &pb.ExportGameRequest{GameId: gameID})
	if err != nil {
		return 0, failure(err)
	}
	ended := false
	for {
		message, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF) && ended:
			return versions, nil
		case errors.Is(err, io.EOF):
			return 0, fmt.Errorf("the record breaks off after version %d", versions)
		case err != nil:
			return 0, failure(err)
		}
		switch part := message.GetPart().(type) {
		case *pb.ExportGameResponse_Version:
			versions = part.Version.GetEntry().GetVersion()
		case *pb.ExportGameResponse_End:
			ended = true
		}
	}
}
