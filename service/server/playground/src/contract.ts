// The contract as the server serves it: the page knows no ruleset by name.

import {
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

/** A field of a message in a descriptor, as JSON. */
function field(name: string, number: number, repeated?: string): JsonObject {
  return repeated === undefined
    ? { name, number, label: "LABEL_OPTIONAL", type: "TYPE_STRING" }
    : { name, number, label: "LABEL_REPEATED", type: "TYPE_MESSAGE", typeName: `.google.rpc.${repeated}` };
}

/** The details that come with failed calls and are not in the contract. */
const ERROR_DETAILS = fromJson(FileDescriptorProtoSchema, {
  name: "google/rpc/error_details.proto",
  package: "google.rpc",
  syntax: "proto3",
  messageType: [
    {
      name: "ErrorInfo",
      field: [field("reason", 1), field("domain", 2), field("metadata", 3, "ErrorInfo.MetadataEntry")],
      nestedType: [{ name: "MetadataEntry", options: { mapEntry: true }, field: [field("key", 1), field("value", 2)] }],
    },
    {
      name: "BadRequest",
      field: [field("field_violations", 1, "BadRequest.FieldViolation")],
      nestedType: [{ name: "FieldViolation", field: [field("field", 1), field("description", 2)] }],
    },
  ],
});

/** The contract as the server describes it: types and comments. */
export class Contract {
  readonly #comments = new Map<unknown, string>();

  private constructor(private readonly registry: FileRegistry) {
    for (const file of registry.files) {
      this.#readComments(file.proto);
    }
  }

  /** The contract of the server that serves this page. */
  static async load(url: string): Promise<Contract> {
    const answer = await fetch(url);
    const set = fromBinary(FileDescriptorSetSchema, new Uint8Array(await answer.arrayBuffer()));
    set.file.push(ERROR_DETAILS);
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

/** Returns the declaration to which a path of numbers in the source information leads. */
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
