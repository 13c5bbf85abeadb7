package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	dominion "example.com/gamekeeper/client/gen/gamekeeper/dominion/v1"
	pb "example.com/gamekeeper/client/gen/gamekeeper/v1"
)

// seed makes each run the same: it is the luck of the games, and chooses the actions.
const seed = 3

// killAt is the version after which the server is killed and started again.
const killAt = 30

// TestWholeGames plays a game of each ruleset to its end. The server is killed in the middle of each.
func TestWholeGames(t *testing.T) {
	ctx, games, rulesets, server := begin(t)
	if len(rulesets) < 5 {
		t.Fatalf("only %d rulesets", len(rulesets))
	}
	for _, ruleset := range rulesets {
		t.Run(ruleset.GetId(), func(t *testing.T) { wholeGame(t, ctx, games, ruleset, server) })
	}
}

func wholeGame(t *testing.T, ctx context.Context, games pb.GameServiceClient, ruleset *pb.Ruleset, server *server) {
	begun := time.Now()
	game, err := newGame(ctx, games, ruleset, bytes.Repeat([]byte{seed}, 32))
	if err != nil {
		t.Fatal(err)
	}
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	type seen struct {
		versions []uint64
		err      error
	}
	watched := make(chan seen, 1)
	go func() {
		var all seen
		for message, err := range watch(watching, games, game.GetGameId(), game.GetVersion()) {
			if err != nil {
				all.err = err
				break
			}
			all.versions = append(all.versions, message.GetEntry().GetVersion())
		}
		watched <- all
	}()

	actions, pick, restarted := 0, random(seed), make(chan error, 1)
	game, err = play(ctx, games, game, func(legal []*pb.LegalAction) *pb.LegalAction {
		if actions++; actions == killAt {
			server.kill()
			go func() { restarted <- server.start() }()
		}
		return pick(legal)
	})
	if err != nil {
		t.Fatal(err)
	}
	if actions < killAt {
		t.Fatalf("the game was over after %d actions, before the kill", actions)
	}
	if err := <-restarted; err != nil {
		t.Fatal(err)
	}
	if game.GetStatus() != pb.GameStatus_GAME_STATUS_FINISHED || len(game.GetStandings()) == 0 {
		t.Fatalf("no result: %v", game)
	}
	all := <-watched
	if all.err != nil {
		t.Fatal(all.err)
	}
	// Each action made one version, and the watch told each once.
	if last := uint64(actions) + 1; game.GetVersion() != last || uint64(len(all.versions)) != last-1 {
		t.Fatalf("%d actions, version %d, %d versions watched", actions, game.GetVersion(), len(all.versions))
	}
	for at, version := range all.versions {
		if version != uint64(at)+2 {
			t.Fatalf("version %d was watched after %d others", version, at+1)
		}
	}
	recorded, err := export(ctx, games, game.GetGameId())
	if err != nil || recorded != game.GetVersion() {
		t.Fatalf("%d versions of %d in the record: %v", recorded, game.GetVersion(), err)
	}
	t.Logf("seed %d: %d actions in %v", seed, actions, time.Since(begun).Round(time.Millisecond))
}

// TestRefusals reads what the service says about calls that fail.
func TestRefusals(t *testing.T) {
	ctx, games, rulesets, _ := begin(t)
	game, err := newGame(ctx, games, named(t, rulesets, "dominion"), nil)
	if err != nil {
		t.Fatal(err)
	}
	seat := game.GetPending()[0].GetSeat()
	gold := &pb.Action{Ruleset: &pb.Action_Dominion{Dominion: &dominion.Action{
		Kind: &dominion.Action_BuyCard{BuyCard: &dominion.BuyCard{Card: dominion.Card_CARD_GOLD}},
	}}}
	act := func(seat uint32, action *pb.Action, expected uint64) *Failure {
		t.Helper()
		_, err := again(ctx, games.ApplyAction, &pb.ApplyActionRequest{
			GameId: game.GetGameId(), Seat: seat, Action: action, ExpectedVersion: expected,
		})
		var failed *Failure
		if !errors.As(err, &failed) {
			t.Fatalf("a refusal was expected, not %v", err)
		}
		return failed
	}

	poor := act(seat, gold, 0)
	if poor.Code != codes.FailedPrecondition || poor.Reason != "CANNOT_AFFORD" || poor.Metadata["rule"] != "DOM-6.10" {
		t.Errorf("a Gold without money: %+v", poor)
	}
	if cost := poor.Refusal.GetDominion().GetCannotAfford().GetCost(); cost != 6 {
		t.Errorf("a Gold costs %d", cost)
	}
	if turn := act(3-seat, gold, 0); turn.Reason != "NOT_YOUR_TURN" || turn.Refusal.GetNotYourTurn().GetToAct() != seat {
		t.Errorf("out of turn: %+v", turn)
	}
	if nothing := act(seat, &pb.Action{}, 0); nothing.Code != codes.InvalidArgument || nothing.Reason != "MALFORMED" {
		t.Errorf("no action: %+v", nothing)
	}
	if stale := act(seat, gold, 7); stale.Code != codes.Aborted || stale.Reason != "STALE_VERSION" {
		t.Errorf("a version that does not exist: %+v", stale)
	}
}

// TestRetries sends a call twice, and another to nobody.
func TestRetries(t *testing.T) {
	ctx, games, _, server := begin(t)
	request := &pb.CreateGameRequest{
		Ruleset: "dominion", Players: []*pb.Player{{Name: "Ada"}, {Name: "Bob"}}, RequestId: "the same",
	}
	first, err := again(ctx, games.CreateGame, request)
	if err != nil {
		t.Fatal(err)
	}
	second, err := again(ctx, games.CreateGame, request)
	if err != nil || first.GetTable().GetGame().GetGameId() != second.GetTable().GetGame().GetGameId() {
		t.Fatalf("two games of one request: %v, %v", second, err)
	}
	server.kill()
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	var failed *Failure
	if _, err := again(short, games.CreateGame, request); !errors.As(err, &failed) || !failed.Passing() {
		t.Fatalf("no server: %v", err)
	}
	if short.Err() == nil {
		t.Fatal("the call was given up before its time")
	}
}

func begin(t *testing.T) (context.Context, pb.GameServiceClient, []*pb.Ruleset, *server) {
	t.Helper()
	binary := os.Getenv("GAMEKEEPERD")
	if binary == "" {
		t.Fatal("GAMEKEEPERD must be the path of the server")
	}
	server := startServer(t, binary)
	connection, err := connect(server.line)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	ctx := t.Context()
	listed, err := again(ctx, pb.NewRulesetServiceClient(connection).ListRulesets, &pb.ListRulesetsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return ctx, pb.NewGameServiceClient(connection), listed.GetRulesets(), server
}

func named(t *testing.T, rulesets []*pb.Ruleset, id string) *pb.Ruleset {
	t.Helper()
	for _, ruleset := range rulesets {
		if ruleset.GetId() == id {
			return ruleset
		}
	}
	t.Fatalf("the server does not play %q", id)
	return nil
}

// TestFirstCall runs the program of the page proto/docs/front-ends.md, which `run` puts into first/.
func TestFirstCall(t *testing.T) {
	_, _, _, server := begin(t)
	page, err := os.ReadFile("first/main.go")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(program, bytes.ReplaceAll(page, []byte("127.0.0.1:50051"), []byte(server.line)), 0o600); err != nil {
		t.Fatal(err)
	}
	told, err := exec.Command("go", "run", program).CombinedOutput()
	if err != nil || !bytes.Contains(told, []byte(" plays a Copper")) {
		t.Fatalf("%v: %s", err, told)
	}
}
