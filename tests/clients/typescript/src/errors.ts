// Why a call failed, and what to do about it.

import { Code, ConnectError } from "@connectrpc/connect";

import { type RefusalDetail, RefusalDetailSchema } from "../gen/gamekeeper/v1/messages_pb.js";
import { type ErrorInfo, ErrorInfoSchema } from "../gen/google/rpc/error_details_pb.js";

/**
 * The reason of a failed call, out of `grpc-status-details-bin`. Branch on `reason`, show the message
 * to people. Undefined: the service did not answer at all.
 */
export function reasonOf(error: unknown): ErrorInfo | undefined {
  return ConnectError.from(error).findDetails(ErrorInfoSchema)[0];
}

/** The typed values of a refusal, for reasons that have any: `detail.case` names the reason. */
export function detailOf(error: unknown): RefusalDetail["detail"] {
  return ConnectError.from(error).findDetails(RefusalDetailSchema)[0]?.detail ?? { case: undefined };
}

/**
 * Is it worth sending the same call again? Yes when the answer was lost on the way, when the store or
 * the server is away for a moment, and when others were faster.
 */
export function isPassing(error: unknown): boolean {
  const info = reasonOf(error);
  if (info === undefined) {
    return true;
  }
  const { code } = ConnectError.from(error);
  return code === Code.Unavailable || code === Code.DeadlineExceeded || info.reason === "CONTENDED";
}
