// The call that a step makes, as other programs write it.

import { type DescField, type DescMethod, type Message, toJson } from "@bufbuild/protobuf";
import { reflect, type ReflectList, type ReflectMessage } from "@bufbuild/protobuf/reflect";

import { fill, h, place } from "./dom.js";

/** A step of the page: a call, and the command that does the same. */
export interface Step {
  method: DescMethod;
  request: Message;
  /** The command after `gamekeeper`. */
  command: string;
}

/** The address of the service, for clients other than this page. */
export interface Address {
  url: string;
  tokens: boolean;
}

type Language = "command" | "typescript" | "python";

/** A text in single quotes for a shell, if it needs them. */
export function quoted(text: string): string {
  return /^[\w.,:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A message as protobuf JSON in one line. */
export function jsonLine(message: ReflectMessage): string {
  return JSON.stringify(toJson(message.desc, message.message));
}

/** Shows the steps of the page in the language that was chosen, below the panels where they belong. */
export class Snippets {
  readonly #steps = new Map<string, Step>();

  constructor(private readonly address: Address) {
    for (const radio of this.#radios()) {
      radio.addEventListener("change", () => this.#showAll());
    }
  }

  /** The newest step of a panel. */
  show(panel: string, step: Step): void {
    this.#steps.set(panel, step);
    this.#draw(panel, step);
  }

  #radios(): HTMLInputElement[] {
    return [...document.querySelectorAll<HTMLInputElement>("input[name=language]")];
  }

  #showAll(): void {
    for (const [panel, step] of this.#steps) {
      this.#draw(panel, step);
    }
  }

  #draw(panel: string, step: Step): void {
    const text = this.#text(step);
    const copy = h("button", { type: "button", click: () => void navigator.clipboard?.writeText(text) }, "Copy");
    fill(place(`${panel}-code`), h("pre", { tabindex: 0 }, h("code", {}, text)), copy);
    place(`${panel}-code`).parentElement!.hidden = false;
  }

  #text({ method, request, command }: Step): string {
    const message = reflect(method.input, request);
    const language = this.#radios().find(({ checked }) => checked)?.value as Language;
    switch (language) {
      case "typescript":
        return typescript(method, message, this.address);
      case "python":
        return python(method, message, this.address);
      default:
        return commandLine(command, this.address);
    }
  }
}

function commandLine(command: string, { url, tokens }: Address): string {
  const key = tokens ? "export GAMEKEEPER_TOKEN=...\n" : "";
  return `${key}export GAMEKEEPER_SERVER=${url}\ngamekeeper ${command}`;
}

function typescript(method: DescMethod, request: ReflectMessage, { url, tokens }: Address): string {
  const imports = new Map<string, Set<string>>();
  const literal = tsMessage(request, "", imports);
  use(imports, method.parent.file.name, method.parent.name);
  const lines = [...imports].map(
    ([file, names]) => `import { ${[...names].sort().join(", ")} } from "./gen/${file}_pb.js";`,
  );
  const options = tokens ? ", { headers: { authorization: `Bearer ${token}` } }" : "";
  const call = `service.${method.localName}(${literal}${options})`;
  const body =
    method.methodKind === "unary"
      ? `const answer = await ${call};`
      : `for await (const answer of ${call}) {\n  console.log(answer);\n}`;
  return [
    'import { createClient } from "@connectrpc/connect";',
    'import { createGrpcTransport } from "@connectrpc/connect-node";',
    ...lines,
    "",
    `const transport = createGrpcTransport({ baseUrl: "${url}" });`,
    `const service = createClient(${method.parent.name}, transport);`,
    body,
  ].join("\n");
}

function use(imports: Map<string, Set<string>>, file: string, name: string): void {
  imports.set(file, (imports.get(file) ?? new Set()).add(name));
}

/** A message as an object literal; enums by their names. */
function tsMessage(message: ReflectMessage, indent: string, imports: Map<string, Set<string>>): string {
  const inner = `${indent}  `;
  const lines = message.members.flatMap((member) => {
    const field = member.kind === "oneof" ? message.oneofCase(member) : member;
    if (field === undefined || !message.isSet(field)) {
      return [];
    }
    const value = tsValue(field, message.get(field), inner, imports);
    const told = member.kind === "oneof" ? `{ case: "${field.localName}", value: ${value} }` : value;
    return [`${member.localName}: ${told}`];
  });
  const short = `{ ${lines.join(", ")} }`;
  if (lines.length === 0) {
    return "{}";
  }
  return short.length <= 80 && !short.includes("\n") ? short : `{\n${lines.map((line) => `${inner}${line},\n`).join("")}${indent}}`;
}

function tsValue(field: DescField, value: unknown, indent: string, imports: Map<string, Set<string>>): string {
  if (field.fieldKind === "list") {
    return `[${[...(value as ReflectList)].map((item) => tsItem(field, item, indent, imports)).join(", ")}]`;
  }
  return tsItem(field, value, indent, imports);
}

function tsItem(field: DescField, value: unknown, indent: string, imports: Map<string, Set<string>>): string {
  if ("enum" in field && field.enum) {
    use(imports, field.enum.file.name, field.enum.name);
    return `${field.enum.name}.${field.enum.value[value as number]?.localName}`;
  }
  if ("message" in field && field.message) {
    return tsMessage(value as ReflectMessage, indent, imports);
  }
  return typeof value === "bigint" ? `${value}n` : JSON.stringify(value);
}

function python(method: DescMethod, request: ReflectMessage, { url, tokens }: Address): string {
  const service = method.parent;
  const [module, folder] = [service.file.name.split("/").at(-1)!, service.file.name.split("/").slice(0, -1).join(".")];
  const json = toJson(request.desc, request.message, { useProtoFieldName: true });
  const fields = Object.entries(json as object).map(([name, value]) => {
    const field = request.fields.find((field) => field.name === name);
    const wide = field?.fieldKind === "scalar" && typeof request.get(field) === "bigint";
    return `    ${name}=${wide ? value : pyValue(value)},\n`;
  });
  const secure = url.startsWith("https:");
  const channel = `grpc.${secure ? "secure" : "insecure"}_channel("${new URL(url).host}"${secure ? ", grpc.ssl_channel_credentials()" : ""})`;
  const metadata = tokens ? ', metadata=[("authorization", f"Bearer {token}")]' : "";
  const call = `service.${method.name}(request${metadata})`;
  return [
    "import grpc",
    `from ${folder} import ${module}_pb2 as pb, ${module}_pb2_grpc`,
    "",
    `service = ${module}_pb2_grpc.${service.name}Stub(${channel})`,
    `request = pb.${method.input.name}(${fields.length === 0 ? "" : `\n${fields.join("")}`})`,
    method.methodKind === "unary" ? `answer = ${call}` : `for answer in ${call}:\n    print(answer)`,
  ].join("\n");
}

/** JSON as Python writes it. */
function pyValue(value: unknown): string {
  if (typeof value === "boolean") {
    return value ? "True" : "False";
  }
  if (Array.isArray(value)) {
    return `[${value.map(pyValue).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pyValue(item)}`).join(", ")}}`;
  }
  return JSON.stringify(value);
}
