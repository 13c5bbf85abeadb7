// gRPC-Web over fetch.

import type { Transport } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";

/** The calls of a server. The browser keeps its connections. */
export function transport(baseUrl: string): { wire: Transport; close: () => void } {
  return { wire: createGrpcWebTransport({ baseUrl }), close: () => {} };
}
