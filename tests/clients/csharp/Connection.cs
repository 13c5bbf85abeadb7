using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Http;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using System.Xml;
using System.Xml.Linq;

namespace Gamekeeper.Client
{
    /// <summary>Calls a server with JSON over HTTP (https://connectrpc.com/docs/protocol/), which needs no package.</summary>
    public sealed class Connection : IDisposable
    {
        private static readonly TimeSpan AttemptTime = TimeSpan.FromSeconds(10);
        private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

        /// <summary>The service says every 15 seconds that nothing is new, so a silent stream is dead.</summary>
        private static readonly TimeSpan Silence = TimeSpan.FromMinutes(1);

        private readonly HttpClient http = new HttpClient { Timeout = Timeout.InfiniteTimeSpan };
        private readonly string address;

        /// <param name="address">Such as <c>http://127.0.0.1:50051</c>.</param>
        /// <param name="token">Empty where the server wants none.</param>
        public Connection(string address, string token = "")
        {
            this.address = address;
            if (token != "")
            {
                http.DefaultRequestHeaders.Add("authorization", "Bearer " + token);
            }
        }

        public void Dispose() => http.Dispose();

        /// <summary>Sends a call until there is an answer. With a request id it takes effect once.</summary>
        public async Task<XElement> Again(string method, XElement request, CancellationToken stop)
        {
            var pauses = new Pauses(Patience);
            while (true)
            {
                try
                {
                    return await Once(method, request, stop).ConfigureAwait(false);
                }
                catch (Failure failure)
                {
                    await pauses.After(failure, stop).ConfigureAwait(false);
                }
            }
        }

        /// <summary>Sends a call once.</summary>
        public async Task<XElement> Once(string method, XElement request, CancellationToken stop)
        {
            using (var time = CancellationTokenSource.CreateLinkedTokenSource(stop))
            {
                time.CancelAfter(AttemptTime);
                using (var answer = await Send(method, request, time.Token, stop).ConfigureAwait(false))
                {
                    return Json.Read(await Answered(() => answer.Content.ReadAsStringAsync(), stop).ConfigureAwait(false));
                }
            }
        }

        /// <summary>Hands on the messages of a stream until <paramref name="take"/> returns false or the stream ends.</summary>
        public async Task Stream(string method, XElement request, Func<XElement, bool> take, CancellationToken stop)
        {
            using (var time = CancellationTokenSource.CreateLinkedTokenSource(stop))
            {
                time.CancelAfter(Silence);
                using (var answer = await Send(method, request, time.Token, stop).ConfigureAwait(false))
                using (time.Token.Register(answer.Dispose))
                {
                    var body = await Answered(() => answer.Content.ReadAsStreamAsync(), stop).ConfigureAwait(false);
                    var lines = new StreamReader(body, Encoding.UTF8);
                    string line;
                    while ((line = await Answered(lines.ReadLineAsync, stop).ConfigureAwait(false)) != null)
                    {
                        time.CancelAfter(Silence);
                        if (!take(Said(line)))
                        {
                            return;
                        }
                    }
                }
            }
        }

        /// <summary>The message on a line; a line that was cut off has none.</summary>
        private static XElement Said(string line)
        {
            XElement message;
            try
            {
                message = Json.Read(line);
            }
            catch (XmlException cut)
            {
                throw Failure.Unanswered(cut);
            }
            var error = message.Element("error");
            if (error != null)
            {
                throw Failure.Of(error);
            }
            return message;
        }

        private async Task<HttpResponseMessage> Send(
            string method, XElement request, CancellationToken time, CancellationToken stop)
        {
            var message = new HttpRequestMessage(HttpMethod.Post, address + "/gamekeeper.v1." + method)
            {
                Content = new StringContent(Json.Write(request), Encoding.UTF8, "application/json"),
            };
            var whole = HttpCompletionOption.ResponseHeadersRead;
            var answer = await Answered(() => http.SendAsync(message, whole, time), stop).ConfigureAwait(false);
            if (answer.IsSuccessStatusCode)
            {
                return answer;
            }
            using (answer)
            {
                var text = await Answered(() => answer.Content.ReadAsStringAsync(), stop).ConfigureAwait(false);
                throw Failure.Of(Json.Read(text));
            }
        }

        /// <summary>What a broken connection looks like depends on where it broke.</summary>
        private static async Task<A> Answered<A>(Func<Task<A>> work, CancellationToken stop)
        {
            try
            {
                return await work().ConfigureAwait(false);
            }
            catch (Exception cause) when (
                !stop.IsCancellationRequested
                && (cause is HttpRequestException || cause is IOException || cause is OperationCanceledException
                    || cause is ObjectDisposedException || cause is System.Net.WebException))
            {
                throw Failure.Unanswered(cause);
            }
        }
    }

    /// <summary>Waits before the next try: longer each time, and as long as the service asks.</summary>
    public sealed class Pauses
    {
        private static readonly TimeSpan Longest = TimeSpan.FromSeconds(2);
        private static readonly Random Luck = new Random();

        private readonly DateTime end;
        private TimeSpan next = TimeSpan.FromMilliseconds(50);

        public Pauses(TimeSpan patience)
        {
            end = DateTime.UtcNow + patience;
        }

        /// <summary>Throws the failure if another try is useless or too late.</summary>
        public async Task After(Failure failure, CancellationToken stop)
        {
            double part;
            lock (Luck)
            {
                part = 0.5 + Luck.NextDouble() / 2;
            }
            var own = TimeSpan.FromTicks((long)(next.Ticks * part));
            var wait = failure.Wait > own ? failure.Wait : own;
            if (!failure.Passes || DateTime.UtcNow + wait > end)
            {
                System.Runtime.ExceptionServices.ExceptionDispatchInfo.Capture(failure).Throw();
            }
            next = next + next > Longest ? Longest : next + next;
            await Task.Delay(wait, stop).ConfigureAwait(false);
        }
    }
}
