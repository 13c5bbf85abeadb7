// The calls of the page, made from descriptors: whatever rulesets the server has.

import { type DescMessage, type DescMethod, type DescService, fromJson, type JsonObject, type JsonValue, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { errorFromJson } from "@connectrpc/connect/protocol-connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";

import type { Contract } from "./contract.js";

/** The reason why a call failed. */
export interface Refusal {
  /** The code to branch on, or the status where the service did not answer. */
  reason: string;
  /** The name of the gRPC status. */
  status: string;
  message: string;
  /** More about the reason; `rule` is the id of the rule. */
  metadata: Record<string, string>;
  /** The fields of the request that are wrong, each with what is wrong. */
  fields: { field: string; description: string }[];
}

/** A call that was made: what was asked, and what came back. */
export interface Call {
  method: DescMethod;
  request: Message;
  answer: ReflectMessage;
}

/** The service behind the page. */
export class Service {
  readonly #transport: Transport;
  /** The games of all rulesets. */
  readonly games: DescService;
  /** Tokens of seats and users. */
  readonly access: DescService;
  /** The service that describes rulesets and rules. */
  readonly rulesets: DescService;
  /** The key that calls carry which name no token of their own; only in memory. */
  key = "";
  /** The lead of the server's clock over the clock of this machine, in milliseconds. */
  #ahead = 0;

  constructor(
    private readonly contract: Contract,
    private readonly baseUrl: string,
  ) {
    this.#transport = createGrpcWebTransport({ baseUrl });
    this.games = contract.service("gamekeeper.v1.GameService");
    this.access = contract.service("gamekeeper.v1.AccessService");
    this.rulesets = contract.service("gamekeeper.v1.RulesetService");
  }

  /** The request of a method, from protobuf JSON. */
  request(method: DescMethod, json: JsonObject): Message {
    return fromJson(method.input, json);
  }

  /** Calls a method, with a token or the key of the page. */
  async call(service: DescService, name: string, json: JsonObject, token = this.key): Promise<Call> {
    const method = methodOf(service, name);
    const request = this.request(method, json);
    const unary = method as DescMethod & { methodKind: "unary" };
    const { header, message } = await this.#transport.unary<DescMessage, DescMessage>(unary, undefined, undefined, headers(token), request);
    this.#heard(header);
    return { method, request, answer: reflect(method.output, message) };
  }

  /** Calls a method that answers with a stream. */
  async *stream(
    service: DescService,
    name: string,
    json: JsonObject,
    signal: AbortSignal,
    token = this.key,
  ): AsyncGenerator<ReflectMessage> {
    const method = methodOf(service, name);
    const streaming = method as DescMethod & { methodKind: "server_streaming" };
    const request = this.request(method, json);
    const requests = (async function* () {
      yield request;
    })();
    const { header, message } = await this.#transport.stream<DescMessage, DescMessage>(streaming, signal, undefined, headers(token), requests);
    this.#heard(header);
    for await (const answer of message) {
      yield reflect(method.output, answer);
    }
  }

  /**
   * Calls a method that reads a stream, which browsers can send as lines of JSON alone: the first message, and after it a
   * file that has one in each line.
   */
  async send(service: DescService, name: string, first: JsonObject, rest: Blob, token = this.key): Promise<ReflectMessage> {
    const { output } = methodOf(service, name);
    const body = new Blob([`${JSON.stringify(first)}\n`, rest]);
    const head = { "content-type": "application/json", ...headers(token) };
    const answer = await fetch(`${this.baseUrl}/${service.typeName}/${name}`, { method: "POST", headers: head, body }).catch(() => {
      throw new ConnectError("The file was not sent: it has changed since it was chosen, or the server has ended the call.", Code.Unavailable);
    });
    this.#heard(answer.headers);
    const json: JsonValue = await answer.json().catch(() => null);
    if (!answer.ok) {
      throw errorFromJson(json, undefined, new ConnectError(answer.statusText));
    }
    return reflect(output, fromJson(output, json));
  }

  /** The time of the server in milliseconds, whatever the clock of this machine says. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  #heard(header: Headers): void {
    const time = Number(header.get("gamekeeper-time"));
    if (time > 0) {
      this.#ahead = time - Date.now();
    }
  }

  /** Decodes the reason why a call failed from `grpc-status-details-bin`. */
  refusal(error: unknown): Refusal {
    const failed = ConnectError.from(error);
    const detail = (name: string) => failed.findDetails(this.contract.message(`google.rpc.${name}`))[0];
    const info = detail("ErrorInfo") as { reason: string; metadata: Record<string, string> } | undefined;
    const request = detail("BadRequest") as { fieldViolations: Refusal["fields"] } | undefined;
    const status = Code[failed.code]!.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    const { reason = status, metadata = {} } = info ?? {};
    return { reason, status, message: failed.rawMessage, metadata, fields: request?.fieldViolations ?? [] };
  }
}

function headers(token: string): HeadersInit {
  return token === "" ? {} : { authorization: `Bearer ${token}` };
}

/** A method by its name in the contract. */
export function methodOf(service: DescService, name: string): DescMethod {
  const method = service.methods.find((method) => method.name === name);
  if (method === undefined) {
    throw new Error(`${service.typeName} has no ${name}`);
  }
  return method;
}

/** Returns whether a field is set. */
export function has(message: ReflectMessage, name: string): boolean {
  return message.isSet(fieldOf(message, name));
}

/** The message in a field. */
export function inside(message: ReflectMessage, name: string): ReflectMessage {
  return message.get(fieldOf(message, name)) as ReflectMessage;
}

/** The messages in a repeated field. */
export function each(message: ReflectMessage, name: string): ReflectMessage[] {
  return [...(message.get(fieldOf(message, name)) as Iterable<ReflectMessage>)];
}

/** The numbers in a repeated field. */
export function numbers(message: ReflectMessage, name: string): number[] {
  return [...(message.get(fieldOf(message, name)) as Iterable<number>)];
}

/** The texts in a repeated field. */
export function texts(message: ReflectMessage, name: string): string[] {
  return [...(message.get(fieldOf(message, name)) as Iterable<string>)];
}

/** The text in a field. */
export function text(message: ReflectMessage, name: string): string {
  return String(message.get(fieldOf(message, name)));
}

/** The truth in a field. */
export function flag(message: ReflectMessage, name: string): boolean {
  return message.get(fieldOf(message, name)) === true;
}

/** The number in a field. */
export function number(message: ReflectMessage, name: string): number {
  return Number(message.get(fieldOf(message, name)));
}

function fieldOf(message: ReflectMessage, name: string) {
  const field = message.desc.fields.find((field) => field.name === name);
  if (field === undefined) {
    throw new Error(`${message.desc.typeName} has no ${name}`);
  }
  return field;
}
