using System;
using System.Linq;
using System.Xml;
using System.Xml.Linq;

namespace Gamekeeper.Client
{
    /// <summary>Why a call failed. Branch on the reason; its message is for people.</summary>
    public sealed class Failure : Exception
    {
        /// <summary>The code of gRPC, such as <c>failed_precondition</c>; empty when no server answered.</summary>
        public string Code { get; private set; } = "";

        /// <summary>Such as <c>CANNOT_AFFORD</c>; empty when the service did not answer.</summary>
        public string Reason { get; private set; } = "";

        /// <summary>Such as the id of the rule under <c>rule</c>.</summary>
        public XElement Metadata { get; private set; }

        /// <summary>The values of a refusal.</summary>
        public XElement Refusal { get; private set; }

        /// <summary>How long the service asks to wait before the next try.</summary>
        public TimeSpan Wait { get; private set; }

        private Failure(string message, Exception cause) : base(message, cause)
        {
        }

        /// <summary>The server could not be reached, or did not answer.</summary>
        public static Failure Unanswered(Exception cause) => new Failure(cause.Message, cause);

        /// <summary>An error of the Connect protocol.</summary>
        public static Failure Of(XElement error)
        {
            var failure = new Failure(error.Text("message"), null) { Code = error.Text("code") };
            foreach (var detail in error.Items("details"))
            {
                failure.Learn(detail.Text("type"), detail.Element("debug"));
            }
            return failure;
        }

        private void Learn(string type, XElement detail)
        {
            switch (type.Split('.').Last())
            {
                case "ErrorInfo":
                    Reason = detail.Text("reason");
                    Metadata = detail?.Element("metadata");
                    break;
                case "RefusalDetail":
                    Refusal = detail;
                    break;
                case "RetryInfo":
                    Wait = TimeSpan.FromSeconds(XmlConvert.ToDouble(detail.Text("retryDelay").TrimEnd('s')));
                    break;
            }
        }

        /// <summary>Can the same call succeed later?</summary>
        public bool Passes =>
            Code == "unavailable" || Code == "deadline_exceeded" || Reason == "" || Reason == "CONTENDED"
            || Reason == "LIMIT_EXCEEDED";

        /// <summary>Has a stream ended as planned, by its age or with its server? That is no failure.</summary>
        public bool IsPlanned => Reason == "GOING_AWAY";
    }
}
