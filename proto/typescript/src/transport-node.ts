// gRPC over HTTP/2.

import type { Transport } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";

/** The server is asked whether it is still there when it has been silent for this long. */
const PING = 60_000;

/** The calls of a server, and what ends its connection. */
export function transport(baseUrl: string): { wire: Transport; close: () => void } {
  const sessionManager = new Http2SessionManager(baseUrl, { pingIntervalMs: PING });
  return { wire: createGrpcTransport({ baseUrl, sessionManager }), close: () => sessionManager.abort() };
}
