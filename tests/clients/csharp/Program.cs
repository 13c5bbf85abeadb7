using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper.Client
{
    /// <summary>Plays a game of a ruleset with random legal actions, and tells what happens.</summary>
    public static class Program
    {
        public static int Main(string[] arguments)
        {
            if (arguments.Length != 2)
            {
                Console.Error.WriteLine("wanted: an address, such as http://127.0.0.1:50051, and a ruleset");
                return 2;
            }
            try
            {
                Tell(arguments[0], arguments[1]).GetAwaiter().GetResult();
                return 0;
            }
            catch (Exception failure) when (failure is Failure || failure is ArgumentException)
            {
                Console.Error.WriteLine(failure.Message);
                return 1;
            }
        }

        private static async Task Tell(string address, string wanted)
        {
            var stop = CancellationToken.None;
            using (var server = new Connection(address))
            {
                var rulesets = await server.Again("RulesetService/ListRulesets", Json.Message(), stop);
                var ruleset = rulesets.Items("rulesets").FirstOrDefault(known => known.Text("id") == wanted);
                if (ruleset == null)
                {
                    throw new ArgumentException("the server does not play " + wanted);
                }
                var game = await Game.Create(server, ruleset, null, stop);
                var watch = new Watch(server, game.Id, message =>
                {
                    foreach (var happened in message.Element("entry").Items("events"))
                    {
                        Console.WriteLine(happened.Text("text"));
                    }
                });
                var watched = watch.Run(stop);
                await game.Play(Choices.Random(Environment.TickCount), stop);
                await watched;
                foreach (var standing in game.Info.Items("standings"))
                {
                    Console.WriteLine(
                        $"seat {standing.Number("seat")}: rank {standing.Number("rank")}, {standing.Text("score")} points");
                }
            }
        }
    }
}
