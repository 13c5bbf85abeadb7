using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Xml;
using System.Xml.Linq;

namespace Gamekeeper.Client
{
    /// <summary>JSON as XML elements, as the framework reads it: what was read is written again as it was.</summary>
    public static class Json
    {
        public static XElement Read(string text)
        {
            var bytes = Encoding.UTF8.GetBytes(text);
            using (var reader = JsonReaderWriterFactory.CreateJsonReader(bytes, XmlDictionaryReaderQuotas.Max))
            {
                return XElement.Load(reader);
            }
        }

        public static string Write(XElement value)
        {
            using (var stream = new MemoryStream())
            {
                using (var writer = JsonReaderWriterFactory.CreateJsonWriter(stream, new UTF8Encoding(false), false))
                {
                    value.WriteTo(writer);
                }
                return Encoding.UTF8.GetString(stream.ToArray());
            }
        }

        /// <summary>A message with these fields. A field without a value is left out.</summary>
        public static XElement Message(params XElement[] fields) =>
            new XElement("root", new XAttribute("type", "object"), fields.Where(field => field != null));

        public static XElement Field(string name, string value) => new XElement(name, value);

        /// <summary>64-bit numbers are strings in the JSON of protobuf.</summary>
        public static XElement Field(string name, ulong value) => new XElement(name, value.ToString());

        public static XElement Field(string name, uint value) =>
            new XElement(name, new XAttribute("type", "number"), value);

        public static XElement Field(string name, bool value) =>
            new XElement(name, new XAttribute("type", "boolean"), value);

        /// <summary>A message under this name.</summary>
        public static XElement Field(string name, XElement message)
        {
            var field = new XElement(message);
            field.Name = name;
            return field;
        }

        public static XElement List(string name, IEnumerable<XElement> items) =>
            new XElement(name, new XAttribute("type", "array"), items.Select(item => Field("item", item)));

        /// <summary>The items of a list, which is not sent when it is empty.</summary>
        public static IEnumerable<XElement> Items(this XElement message, string name) =>
            message?.Element(name)?.Elements() ?? Enumerable.Empty<XElement>();

        public static string Text(this XElement message, string name) => message?.Element(name)?.Value ?? "";

        /// <summary>A number, which is not sent when it is zero.</summary>
        public static ulong Number(this XElement message, string name)
        {
            var text = message.Text(name);
            return text == "" ? 0 : ulong.Parse(text);
        }
    }
}
