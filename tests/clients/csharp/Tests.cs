using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using System.Xml.Linq;

namespace Gamekeeper.Client
{
    /// <summary>Tries the client against a real server, which it kills. The argument is the path of gamekeeperd.</summary>
    public static class Tests
    {
        /// <summary>The server is killed after this many actions.</summary>
        private const int KillAt = 30;

        private static readonly CancellationToken Never = CancellationToken.None;

        public static int Main(string[] arguments)
        {
            var tests = new Func<Connection, Server, Task>[] { WholeGames, Refusals, Retries };
            foreach (var test in tests)
            {
                using (var server = new Server(arguments[0]))
                using (var connection = new Connection(server.Address))
                {
                    test(connection, server).GetAwaiter().GetResult();
                }
                Console.WriteLine(test.Method.Name + ": ok");
            }
            return 0;
        }

        /// <summary>A game of each ruleset to its end. The server is killed in the middle of each.</summary>
        private static async Task WholeGames(Connection connection, Server server)
        {
            var rulesets = (await Rulesets(connection)).ToList();
            Expect(rulesets.Count >= 5, "five rulesets");
            foreach (var ruleset in rulesets)
            {
                await WholeGame(connection, server, ruleset);
            }
        }

        private static async Task WholeGame(Connection connection, Server server, XElement ruleset)
        {
            // Each run is the same: the seeds are the luck of the game and choose the actions.
            var game = await Game.Create(connection, ruleset, Enumerable.Repeat((byte)3, 32).ToArray(), Never);
            var watched = new List<ulong>();
            var watch = new Watch(
                connection, game.Id, message => watched.Add(message.Element("entry").Number("version")));
            var watching = watch.Run(Never);
            var actions = 0;
            var restart = Task.CompletedTask;
            var choose = Choices.Random(3);
            await game.Play(legal =>
            {
                if (++actions == KillAt)
                {
                    server.Kill();
                    restart = Task.Run((Action)server.Start);
                }
                return choose(legal);
            }, Never);
            await restart;
            await watching;
            var name = ruleset.Text("id");
            Expect(actions > KillAt, name + " ends after the kill");
            Expect(game.IsOver && game.Info.Items("standings").Any(), name + " has a result");
            // Each action made one version, and the watch told each once.
            Expect(game.Version == (ulong)actions + 1, name + ": a version for each action");
            var versions = Enumerable.Range(2, actions).Select(version => (ulong)version);
            Expect(watched.SequenceEqual(versions), name + ": every version is watched once, in order");
            Expect(await game.Export(Never) == game.Version, name + " has a whole record");
            Console.WriteLine(name + ": " + actions + " actions");
        }

        /// <summary>What the service says about calls that fail.</summary>
        private static async Task Refusals(Connection connection, Server server)
        {
            var dominion = (await Rulesets(connection)).First(known => known.Text("id") == "dominion");
            var game = await Game.Create(connection, dominion, null, Never);
            var seat = (uint)game.Info.Items("pending").First().Number("seat");
            var gold = Json.Read("{\"dominion\": {\"buyCard\": {\"card\": \"CARD_GOLD\"}}}");

            var poor = await Refused(game, seat, gold, 0);
            Expect(poor.Code == "failed_precondition" && poor.Reason == "CANNOT_AFFORD", "a Gold without money");
            Expect(poor.Metadata.Text("rule") == "DOM-6.10", "the rule that refuses");
            var cost = poor.Refusal.Element("dominion")?.Element("cannotAfford").Number("cost");
            Expect(cost == 6, "a Gold costs 6");
            var turn = await Refused(game, 3 - seat, gold, 0);
            Expect(turn.Reason == "NOT_YOUR_TURN", "out of turn");
            Expect(turn.Refusal.Element("notYourTurn").Number("toAct") == seat, "whose turn it is");
            var nothing = await Refused(game, seat, Json.Message(), 0);
            Expect(nothing.Code == "invalid_argument" && nothing.Reason == "MALFORMED", "no action");
            var stale = await Refused(game, seat, gold, 7);
            Expect(stale.Code == "aborted" && stale.Reason == "STALE_VERSION", "a version that does not exist");
        }

        private static async Task<Failure> Refused(Game game, uint seat, XElement action, ulong version)
        {
            try
            {
                await game.Apply(seat, action, version, Never);
            }
            catch (Failure failure)
            {
                return failure;
            }
            throw new InvalidOperationException("a refusal was expected");
        }

        /// <summary>A call twice, and another to nobody.</summary>
        private static async Task Retries(Connection connection, Server server)
        {
            var players = new[] { "Ada", "Bob" }.Select(name => Json.Message(Json.Field("name", name)));
            var request = Json.Message(
                Json.Field("ruleset", "dominion"), Json.List("players", players), Json.Field("requestId", "the same"));
            var ids = new List<string>();
            for (var times = 0; times < 2; times++)
            {
                var created = await connection.Again("GameService/CreateGame", request, Never);
                ids.Add(Game.InfoOf(created).Text("gameId"));
            }
            Expect(ids[0] != "" && ids[0] == ids[1], "one game of one request");
            server.Kill();
            try
            {
                await connection.Once("GameService/CreateGame", request, Never);
            }
            catch (Failure failure)
            {
                Expect(failure.Passes && failure.Reason == "", "nobody answers");
                return;
            }
            throw new InvalidOperationException("no server answered");
        }

        private static async Task<IEnumerable<XElement>> Rulesets(Connection connection)
        {
            var listed = await connection.Again("RulesetService/ListRulesets", Json.Message(), Never);
            return listed.Items("rulesets");
        }

        private static void Expect(bool isTrue, string what)
        {
            if (!isTrue)
            {
                throw new InvalidOperationException("expected: " + what);
            }
        }
    }

    /// <summary>A gamekeeperd over one data directory, on a port that stays.</summary>
    internal sealed class Server : IDisposable
    {
        private readonly string binary;
        private readonly string folder;
        private readonly int port;
        private Process process;

        public string Address => "http://127.0.0.1:" + port;

        public Server(string binary)
        {
            this.binary = binary;
            folder = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
            var free = new TcpListener(IPAddress.Loopback, 0);
            free.Start();
            port = ((IPEndPoint)free.LocalEndpoint).Port;
            free.Stop();
            Start();
        }

        public void Start()
        {
            var listens = new ManualResetEventSlim();
            var options = $"--listen 127.0.0.1:{port} --store embedded --data-dir {folder}";
            process = new Process
            {
                StartInfo = new ProcessStartInfo(binary, options)
                {
                    RedirectStandardError = true,
                    UseShellExecute = false,
                },
            };
            process.ErrorDataReceived += (sender, line) =>
            {
                if (line.Data != null && line.Data.StartsWith("Gamekeeper listens on "))
                {
                    listens.Set();
                }
            };
            process.Start();
            process.BeginErrorReadLine();
            if (!listens.Wait(TimeSpan.FromSeconds(30)))
            {
                throw new InvalidOperationException("the server does not start");
            }
        }

        /// <summary>Gives the server no time to end anything.</summary>
        public void Kill()
        {
            process.Kill();
            process.WaitForExit();
        }

        public void Dispose()
        {
            if (!process.HasExited)
            {
                Kill();
            }
            Directory.Delete(folder, true);
        }
    }
}
