// Command client plays a game of a ruleset with random legal actions, and tells what happens.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"

	pb "example.com/gamekeeper/client/gen/gamekeeper/v1"
)

func main() {
	address := flag.String("address", "127.0.0.1:50051", "where the server listens")
	ruleset := flag.String("ruleset", "dominion", "what to play")
	seed := flag.Uint64("seed", rand.Uint64(), "chooses the actions")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *address, *ruleset, *seed); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, address, ruleset string, seed uint64) error {
	connection, err := connect(address)
	if err != nil {
		return err
	}
	defer connection.Close()
	games := pb.NewGameServiceClient(connection)
	rulesets, err := again(ctx, pb.NewRulesetServiceClient(connection).ListRulesets, &pb.ListRulesetsRequest{})
	if err != nil {
		return fmt.Errorf("list the rulesets: %w", err)
	}
	for _, known := range rulesets.GetRulesets() {
		if known.GetId() == ruleset {
			fmt.Printf("%s with seed %d\n", known.GetTitle(), seed)
			return tell(ctx, games, known, random(seed))
		}
	}
	return fmt.Errorf("the server does not play %q", ruleset)
}

// random picks a kind of action, then any of that kind. That ends games sooner than any action of all.
func random(seed uint64) choose {
	luck := rand.New(rand.NewPCG(seed, 0))
	return func(actions []*pb.LegalAction) *pb.LegalAction {
		var kinds []string
		for _, action := range actions {
			if !slices.Contains(kinds, action.GetKind()) {
				kinds = append(kinds, action.GetKind())
			}
		}
		kind := kinds[luck.IntN(len(kinds))]
		actions = slices.DeleteFunc(slices.Clone(actions), func(action *pb.LegalAction) bool {
			return action.GetKind() != kind
		})
		return actions[luck.IntN(len(actions))]
	}
}

// tell plays a game, while another goroutine watches it and prints what happens.
func tell(ctx context.Context, games pb.GameServiceClient, ruleset *pb.Ruleset, pick choose) error {
	game, err := newGame(ctx, games, ruleset, nil)
	if err != nil {
		return err
	}
	// When the players fail, nobody waits for the end.
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	watched := make(chan error, 1)
	go func() { watched <- printEvents(watching, games, game) }()

	game, err = play(ctx, games, game, pick)
	if err != nil {
		return err
	}
	if err := <-watched; err != nil {
		return err
	}
	for _, standing := range game.GetStandings() {
		fmt.Printf("seat %d: rank %d, %d points\n", standing.GetSeat(), standing.GetRank(), standing.GetScore())
	}
	return nil
}

func printEvents(ctx context.Context, games pb.GameServiceClient, game *pb.GameInfo) error {
	for message, err := range watch(ctx, games, game.GetGameId(), game.GetVersion()) {
		if err != nil {
			return err
		}
		for _, event := range message.GetEntry().GetEvents() {
			fmt.Println(event.GetText())
		}
	}
	return nil
}
