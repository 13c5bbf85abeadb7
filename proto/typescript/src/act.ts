// Actions of one's own.

import type { MessageInitShape } from "@bufbuild/protobuf";

import type { ActionSchema } from "../gen/gamekeeper/v1/messages_pb.js";

/** An action of any ruleset, as a request takes it. */
export type ActionInit = Extract<MessageInitShape<typeof ActionSchema>, { $typeName?: never }>;
type Chosen = NonNullable<ActionInit["ruleset"]>;

/** A ruleset, as messages name it: `dominion`, `terraMystica`. */
export type RulesetCase = NonNullable<Chosen["case"]>;
type Kind<R extends RulesetCase> = Extract<Extract<Chosen, { case: R }>["value"], { $typeName?: never }> extends { kind?: infer K } ? NonNullable<K> : never;

/** An action of a ruleset: `act("dominion", { case: "buyCard", value: { card: Card.GOLD } })`. */
export function act<R extends RulesetCase>(ruleset: R, kind: Kind<R>): ActionInit {
  // The compiler does not follow the case through the union.
  return { ruleset: { case: ruleset, value: { kind } } } as unknown as ActionInit;
}
