//go:build old_grpc

package main

import "google.golang.org/grpc"

// connect is for gRPC before 1.63, such as that of Debian's packages.
func connect(address string) (*grpc.ClientConn, error) {
	return grpc.Dial(address, grpc.WithInsecure(), soon)
}
