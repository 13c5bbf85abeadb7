// What a caller asks for cannot be done.

import { HTTPException } from "hono/http-exception";

/** Refuses the request unless the condition holds: the status of HTTP, and why. */
export function need(condition: unknown, status: 400 | 401 | 403 | 404 | 409 | 413, message: string): asserts condition {
  if (!condition) {
    throw new HTTPException(status, { message });
  }
}
