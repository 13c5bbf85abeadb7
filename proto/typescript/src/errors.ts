// Why a call failed, and what to do about it.

import { Code, ConnectError } from "@connectrpc/connect";

import { type RefusalDetail, RefusalDetailSchema } from "../gen/gamekeeper/v1/messages_pb.js";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../gen/google/rpc/error_details_pb.js";

/** Reasons that pass by themselves. */
const PASSING = ["CONTENDED", "LIMIT_EXCEEDED"];

/** The facts of a failed call, as the service reports them. */
interface Facts {
  code: Code;
  reason: string;
  message: string;
  metadata: Record<string, string>;
  retryAfter: number | undefined;
  fields: { field: string; description: string }[];
  cause: unknown;
}

/** A call failed, and what it asked for was not done. Branch on `reason`; `message` is for people. */
export class GamekeeperError extends Error {
  override name = "GamekeeperError";
  /** The status of gRPC. */
  readonly code: Code;
  /** The code of the failure, such as `NO_SUCH_GAME`; empty if the service did not answer. */
  readonly reason: string;
  /** The values that the message names, as text. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The time to wait before the next try, in milliseconds; undefined unless the service says so. */
  readonly retryAfter: number | undefined;
  /** The fields of the request that are wrong, each with what is wrong. */
  readonly fields: readonly { field: string; description: string }[];

  constructor({ code, reason, message, metadata, retryAfter, fields, cause }: Facts) {
    super(message, { cause });
    this.code = code;
    this.reason = reason;
    this.metadata = metadata;
    this.retryAfter = retryAfter;
    this.fields = fields;
  }

  /** Whether it is worth sending the same request again, after `retryAfter` if it is set. */
  get isPassing(): boolean {
    if (this.reason === "") {
      // Nobody answered: the connection was lost, or something between here and the service is in trouble.
      return this.code !== Code.Unimplemented && this.code !== Code.InvalidArgument;
    }
    if (PASSING.includes(this.reason) || this.code === Code.Unavailable || this.code === Code.DeadlineExceeded) {
      return true;
    }
    // Callers that claim a timeout too early learn when to come back, and decide whether to wait.
    return this.retryAfter !== undefined && this.code !== Code.FailedPrecondition;
  }

  /** Whether a stream has ended as planned, by its age or with its server. This is no failure: it is resumed at once. */
  get isPlanned(): boolean {
    return this.reason === "GOING_AWAY";
  }
}

/** The rules do not allow it. */
export class RefusedError extends GamekeeperError {
  override name = "RefusedError";

  constructor(
    facts: Facts,
    /** The id of the rule, such as `DOM-6.10`. */
    readonly rule: string,
    /** The values of the refusal, typed, if it has values: `detail.case` names the reason. */
    readonly detail: RefusalDetail["detail"],
  ) {
    super(facts);
  }
}

/** The game has moved on since the version that was named. */
export class StaleVersionError extends GamekeeperError {
  override name = "StaleVersionError";
}

/** The token is missing, wrong or expired, or does not allow the call. */
export class NotAllowedError extends GamekeeperError {
  override name = "NotAllowedError";
}

/** The service cannot be reached, cannot answer now, or has reached a limit; or others were faster, repeatedly. */
export class UnavailableError extends GamekeeperError {
  override name = "UnavailableError";
}

/** Returns the error of a failed call, with the facts that the service reports. */
export function errorOf(thrown: unknown): GamekeeperError {
  if (thrown instanceof GamekeeperError) {
    return thrown;
  }
  const error = ConnectError.from(thrown);
  const [info] = error.findDetails(ErrorInfoSchema);
  const [bad] = error.findDetails(BadRequestSchema);
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  const facts = {
    code: error.code,
    reason: info?.reason ?? "",
    message: error.rawMessage,
    metadata: info?.metadata ?? {},
    retryAfter: delay && Number(delay.seconds) * 1_000 + Math.ceil(delay.nanos / 1_000_000),
    fields: bad?.fieldViolations.map(({ field, description }) => ({ field, description })) ?? [],
    cause: error,
  };
  const rule = info?.metadata.rule;
  if (rule !== undefined) {
    return new RefusedError(facts, rule, error.findDetails(RefusalDetailSchema)[0]?.detail ?? { case: undefined });
  }
  if (facts.reason === "STALE_VERSION") {
    return new StaleVersionError(facts);
  }
  if (error.code === Code.Unauthenticated || error.code === Code.PermissionDenied) {
    return new NotAllowedError(facts);
  }
  const plain = new GamekeeperError(facts);
  return plain.isPassing ? new UnavailableError(facts) : plain;
}
