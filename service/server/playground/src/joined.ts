// The messages that join the rulesets: `Action`, `View` and others have one field for each. Nothing else on this
// page opens them.

import type { DescField, DescMessage, JsonObject } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

/** The oneof with the fields of the rulesets, each named after the id of its ruleset. */
const ONEOF = "ruleset";

/** The message of a ruleset; undefined if none is set. */
export function opened(message: ReflectMessage): ReflectMessage | undefined {
  const field = setIn(message);
  return field && (message.get(field) as ReflectMessage);
}

/** The id of the ruleset whose message is set; undefined if none is. */
export function rulesetOf(message: ReflectMessage): string | undefined {
  return setIn(message)?.name;
}

function setIn(message: ReflectMessage): DescField | undefined {
  const oneof = message.oneofs.find(({ name }) => name === ONEOF);
  return oneof && message.oneofCase(oneof);
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
