// A transport that does for every call what a careful client does: it sends the token, marks requests that may be sent
// twice, sends them again where that helps, and throws typed errors.

import { clone, create, type DescMessage, type DescMethodStreaming, type DescMethodUnary, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import type { StreamResponse, Transport, UnaryResponse } from "@connectrpc/connect";

import { errorOf, type GamekeeperError } from "./errors.js";
import { Tries } from "./tries.js";

/** The settings of calls. Times are milliseconds. */
export interface CallSettings {
  /** The bearer token of the caller, or what gives the one that is valid now. */
  token?: string | (() => string | Promise<string>) | undefined;
  /** The time for which a call is tried again. Unset: 30 seconds. */
  patience?: number | undefined;
  /** The deadline of one try. Unset: 10 seconds. */
  deadline?: number | undefined;
  /** Hears of every call that is sent again, and of every stream that is resumed. */
  onRetry?: ((error: GamekeeperError) => void) | undefined;
}

/** The header of every answer that has the time of the server, in milliseconds since the Unix epoch. */
const TIME = "gamekeeper-time";

/** The default deadline of one try, in milliseconds. */
const DEADLINE = 10_000;
const PATIENCE = 30_000;

/** The time of the server, by the clock of this machine, which may be wrong. */
export class ServerTime {
  #ahead = 0;

  /** Milliseconds since the Unix epoch. Until the server has answered, the time of this machine. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  /** The server told its time, between the sending of a request and now. */
  heard(time: number, sent = Date.now()): void {
    if (Number.isFinite(time) && time > 0) {
      this.#ahead = time - (sent + Date.now()) / 2;
    }
  }
}

export class Calls implements Transport {
  constructor(
    private readonly wire: Transport,
    private readonly settings: CallSettings,
    private readonly time: ServerTime,
  ) {}

  /** The pauses of one call or stream. */
  tries(): Tries {
    return new Tries(this.settings.patience ?? PATIENCE, this.settings.onRetry ?? (() => {}));
  }

  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: HeadersInit | undefined,
    input: MessageInitShape<I>,
  ): Promise<UnaryResponse<I, O>> {
    const request = marked(method.input, create(method.input, input));
    const tries = this.tries();
    for (;;) {
      try {
        const headers = await this.#headers(header);
        const timeout = timeoutMs ?? this.settings.deadline ?? DEADLINE;
        const sent = Date.now();
        const answer = await this.wire.unary(method, signal, timeout, headers, request as MessageInitShape<I>);
        this.time.heard(Number(answer.header.get(TIME)), sent);
        return answer;
      } catch (error) {
        await tries.failed(errorOf(error), signal);
      }
    }
  }

  /** A stream is not resumed here: only who reads it knows after which message. */
  async stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodStreaming<I, O>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: HeadersInit | undefined,
    input: AsyncIterable<MessageInitShape<I>>,
  ): Promise<StreamResponse<I, O>> {
    try {
      const headers = await this.#headers(header);
      const response = await this.wire.stream(method, signal, timeoutMs, headers, input);
      return { ...response, message: typed(response.message) };
    } catch (error) {
      throw errorOf(error);
    }
  }

  async #headers(given: HeadersInit | undefined): Promise<Headers> {
    const { token } = this.settings;
    const headers = new Headers(given);
    if (token !== undefined && !headers.has("authorization")) {
      headers.set("authorization", `Bearer ${typeof token === "string" ? token : await token()}`);
    }
    return headers;
  }
}

/** The request with a request id, if its type has one and the caller gave none: all tries of a call are one request. */
function marked<I extends DescMessage>(schema: I, request: MessageShape<I>): MessageShape<I> {
  const field = schema.field["requestId"];
  if (field?.fieldKind !== "scalar" || (request as { requestId?: string }).requestId !== "") {
    return request;
  }
  return Object.assign(clone(schema, request), { requestId: requestId() });
}

/** 128 random bits. Pages without TLS have no `crypto.randomUUID`. */
function requestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The messages of a stream, whose errors are typed. */
async function* typed<T>(messages: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* messages;
  } catch (error) {
    throw errorOf(error);
  }
}
