using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using System.Xml.Linq;

namespace Gamekeeper.Client
{
    /// <summary>Follows a game across cuts: every version after the first, in order and each once.</summary>
    public sealed class Watch
    {
        private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

        private readonly Connection server;
        private readonly string gameId;
        private readonly Action<XElement> take;
        private ulong after = 1;
        private string time = "";
        private bool isOver;
        private Pauses pauses = new Pauses(Patience);

        /// <param name="take">Gets each message with a version.</param>
        public Watch(Connection server, string gameId, Action<XElement> take)
        {
            this.server = server;
            this.gameId = gameId;
            this.take = take;
        }

        /// <summary>Watches until the game is over.</summary>
        public async Task Run(CancellationToken stop)
        {
            while (!isOver)
            {
                var request = Json.Message(
                    Json.Field("gameId", gameId),
                    Json.Field("afterVersion", after),
                    time == "" ? null : Json.Field("afterTime", time),
                    Json.Field("show", Json.Message(Json.Field("events", true), Json.Field("text", true))));
                Failure broken = null;
                try
                {
                    await server.Stream("GameService/WatchGame", request, Take, stop);
                    if (!isOver)
                    {
                        broken = Failure.Unanswered(new EndOfStreamException("the stream ended"));
                    }
                }
                catch (Failure failure)
                {
                    broken = failure;
                }
                if (broken != null)
                {
                    if (broken.IsPlanned)
                    {
                        pauses = new Pauses(Patience);
                    }
                    await pauses.After(broken, stop);
                }
            }
        }

        private bool Take(XElement message)
        {
            pauses = new Pauses(Patience);
            if (message.Element("table") == null)
            {
                return true; // Nothing is new.
            }
            var info = Game.InfoOf(message);
            after = info.Number("version");
            time = info.Text("updateTime");
            isOver = info.Text("status") == "GAME_STATUS_FINISHED";
            if (message.Element("entry") != null)
            {
                take(message);
            }
            return !isOver;
        }
    }
}
