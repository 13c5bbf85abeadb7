// The schemas of Google's error details, out of the package's own files.

export * from "../node_modules/@gamekeeper/client/dist/gen/google/rpc/error_details_pb.js";
