// The messages that join the rulesets: `Action`, `View` and others have one field for each. Nothing else on this
// page opens them.

import type { DescField, DescMessage, JsonObject } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

/** The oneof with the fields of the rulesets, each named after the id of its ruleset. */
const ONEOF = "ruleset";

/** The message of a ruleset; undefined if none is set. */
export function opened(message: ReflectMessage): ReflectMessage | undefined {
  const oneof = message.oneofs.find(({ name }) => name === ONEOF);
  const field = oneof && message.oneofCase(oneof);
  return field && (message.get(field) as ReflectMessage);
}

/** The type of a ruleset's message. */
export function typeOf(desc: DescMessage, ruleset: string): DescMessage {
  return fieldOf(desc, ruleset).message!;
}

/** The message of a ruleset, as JSON, ready to be sent. */
export function joined(desc: DescMessage, ruleset: string, json: JsonObject): JsonObject {
  return { [fieldOf(desc, ruleset).jsonName]: json };
}

function fieldOf(desc: DescMessage, ruleset: string): DescField {
  const field = desc.oneofs.find(({ name }) => name === ONEOF)?.fields.find(({ name }) => name === ruleset);
  if (field === undefined) {
    throw new Error(`${desc.typeName} has no ${ruleset}`);
  }
  return field;
}
