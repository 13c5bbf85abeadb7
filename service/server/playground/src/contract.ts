// The contract as the server serves it: the page knows no ruleset by name.

import {
  create,
  createFileRegistry,
  type DescMessage,
  type DescService,
  type FileRegistry,
  fromBinary,
  fromJson,
  type JsonObject,
  type Message,
} from "@bufbuild/protobuf";
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";

/** `google.rpc.ErrorInfo`, which comes with every failed call and is not in the contract. */
const ERROR_INFO = create(FileDescriptorProtoSchema, {
  name: "google/rpc/error_details.proto",
  package: "google.rpc",
  syntax: "proto3",
  messageType: [
    fromMessage("ErrorInfo", [
      { name: "reason", number: 1, label: "LABEL_OPTIONAL", type: "TYPE_STRING" },
      { name: "domain", number: 2, label: "LABEL_OPTIONAL", type: "TYPE_STRING" },
      {
        name: "metadata",
        number: 3,
        label: "LABEL_REPEATED",
        type: "TYPE_MESSAGE",
        typeName: ".google.rpc.ErrorInfo.MetadataEntry",
      },
    ]),
  ],
});

function fromMessage(name: string, field: JsonObject[]) {
  const entry = {
    name: "MetadataEntry",
    options: { mapEntry: true },
    field: [
      { name: "key", number: 1, label: "LABEL_OPTIONAL", type: "TYPE_STRING" },
      { name: "value", number: 2, label: "LABEL_OPTIONAL", type: "TYPE_STRING" },
    ],
  };
  const file = fromJson(FileDescriptorProtoSchema, { messageType: [{ name, field, nestedType: [entry] }] });
  return file.messageType[0]!;
}

/** What the page knows of the contract. */
export class Contract {
  readonly #comments = new Map<unknown, string>();

  private constructor(readonly registry: FileRegistry) {
    for (const file of registry.files) {
      this.#readComments(file.proto);
    }
  }

  /** The contract of the server that serves this page. */
  static async load(url: string): Promise<Contract> {
    const answer = await fetch(url);
    const set = fromBinary(FileDescriptorSetSchema, new Uint8Array(await answer.arrayBuffer()));
    set.file.push(ERROR_INFO);
    return new Contract(createFileRegistry(set));
  }

  service(name: string): DescService {
    return this.registry.getService(name) ?? missing(name);
  }

  message(name: string): DescMessage {
    return this.registry.getMessage(name) ?? missing(name);
  }

  /** The comment of a message, a field, an enum or one of its values. */
  comment(desc: { proto: Message }): string {
    return this.#comments.get(desc.proto) ?? "";
  }

  #readComments(file: FileDescriptorProto): void {
    for (const { path, leadingComments } of file.sourceCodeInfo?.location ?? []) {
      const described = at(file, path);
      if (leadingComments && described !== undefined) {
        this.#comments.set(described, leadingComments.trim().replaceAll(/\s*\n\s*/g, " "));
      }
    }
  }
}

/** The names of the repeated fields in which descriptors hold descriptors, by number. */
const INSIDE: Record<string, Record<number, string>> = {
  file: { 4: "messageType", 5: "enumType", 6: "service" },
  messageType: { 2: "field", 3: "nestedType", 4: "enumType", 8: "oneofDecl" },
  nestedType: { 2: "field", 3: "nestedType", 4: "enumType", 8: "oneofDecl" },
  enumType: { 2: "value" },
  service: { 2: "method" },
};

/** What a path of numbers in the source information leads to. */
function at(file: FileDescriptorProto, path: number[]): unknown {
  let [kind, found]: [string, any] = ["file", file];
  for (let step = 0; step + 1 < path.length; step += 2) {
    kind = INSIDE[kind]?.[path[step]!] ?? "";
    found = found?.[kind]?.[path[step + 1]!];
  }
  return path.length % 2 === 0 ? found : undefined;
}

function missing(name: string): never {
  throw new Error(`the contract has no ${name}`);
}
