using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using System.Xml.Linq;

namespace Gamekeeper.Client
{
    /// <summary>A game as its owner plays and follows it.</summary>
    public sealed class Game
    {
        private readonly Connection server;

        /// <summary>The facts of the newest version that was seen: <c>GameInfo</c>.</summary>
        public XElement Info { get; private set; }

        public string Id => Info.Text("gameId");

        public ulong Version => Info.Number("version");

        public bool IsOver => Info.Text("status") == "GAME_STATUS_FINISHED";

        private Game(Connection server, XElement info)
        {
            this.server = server;
            Info = info;
        }

        /// <summary>Begins a game with as many players as the ruleset needs at least.</summary>
        /// <param name="seed">
        /// 32 bytes from which its luck follows, which a server with tokens takes only with --allow-seeds; null: the
        /// server draws one.
        /// </param>
        public static async Task<Game> Create(Connection server, XElement ruleset, byte[] seed, CancellationToken stop)
        {
            var seats = Enumerable.Range(1, (int)ruleset.Number("minSeats"));
            var request = Json.Message(
                Json.Field("ruleset", ruleset.Text("id")),
                Json.List("players", seats.Select(seat => Json.Message(Json.Field("name", "Player " + seat)))),
                Json.Field("requestId", NewId()),
                seed == null ? null : Json.Field("seed", Convert.ToBase64String(seed)));
            var created = await server.Again("GameService/CreateGame", request, stop);
            return new Game(server, InfoOf(created));
        }

        /// <summary>Plays all seats until the game is over.</summary>
        /// <param name="choose">Picks one of the legal actions, of which there is at least one.</param>
        public async Task Play(Func<IList<XElement>, XElement> choose, CancellationToken stop)
        {
            while (Info.Items("pending").FirstOrDefault() is XElement pending)
            {
                try
                {
                    await Act((uint)pending.Number("seat"), choose, stop);
                }
                catch (Failure failure) when (failure.Reason == "STALE_VERSION")
                {
                    // Somebody was faster: look at the new table and ask again.
                    var ask = Json.Message(Json.Field("gameId", Id));
                    Info = InfoOf(await server.Again("GameService/GetGame", ask, stop));
                }
            }
        }

        private async Task Act(uint seat, Func<IList<XElement>, XElement> choose, CancellationToken stop)
        {
            var ask = Json.Message(Json.Field("gameId", Id), Json.Field("seat", seat));
            var legal = await server.Again("GameService/ListLegalActions", ask, stop);
            var chosen = choose(legal.Items("actions").ToList());
            await Apply(seat, chosen.Element("action"), legal.Number("version"), stop);
        }

        /// <summary>Plays an action, if the game is still at this version; 0: at any version.</summary>
        public async Task Apply(uint seat, XElement action, ulong expectedVersion, CancellationToken stop)
        {
            var request = Json.Message(
                Json.Field("gameId", Id),
                Json.Field("seat", seat),
                Json.Field("action", action),
                Json.Field("expectedVersion", expectedVersion),
                Json.Field("requestId", NewId()));
            Info = InfoOf(await server.Again("GameService/ApplyAction", request, stop));
        }

        /// <summary>How many versions the record of a game has, which is read to its end.</summary>
        public async Task<ulong> Export(CancellationToken stop)
        {
            ulong versions = 0;
            var isWhole = false;
            var request = Json.Message(Json.Field("gameId", Id));
            await server.Stream("GameService/ExportGame", request, message =>
            {
                if (message.Element("version")?.Element("entry") is XElement entry)
                {
                    versions = entry.Number("version");
                }
                isWhole |= message.Element("end") != null;
                return true;
            }, stop);
            if (!isWhole)
            {
                throw new InvalidOperationException("the record breaks off after version " + versions);
            }
            return versions;
        }

        internal static XElement InfoOf(XElement answer) => answer.Element("table")?.Element("game");

        private static string NewId() => Guid.NewGuid().ToString();
    }

    /// <summary>Players without a plan.</summary>
    public static class Choices
    {
        /// <summary>Picks a kind of action, then any of that kind. That ends games sooner than any action of all.</summary>
        public static Func<IList<XElement>, XElement> Random(int seed)
        {
            var luck = new Random(seed);
            return actions =>
            {
                var kinds = actions.Select(action => action.Text("kind")).Distinct().ToList();
                var kind = kinds[luck.Next(kinds.Count)];
                var some = actions.Where(action => action.Text("kind") == kind).ToList();
                return some[luck.Next(some.Count)];
            };
        }
    }
}
