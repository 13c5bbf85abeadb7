package main

import (
	"errors"
	"fmt"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "example.com/gamekeeper/client/gen/gamekeeper/v1"
)

// Failure says why a call failed. Take it out of an error with errors.As.
type Failure struct {
	Code codes.Code
	// Reason is what to branch on. Empty: the service did not answer.
	Reason string
	// Metadata has the values of the reason as text, such as the id of the rule under "rule".
	Metadata map[string]string
	// Wait is how long to wait before the next try, if the service says so.
	Wait time.Duration
	// Refusal has the values of a refusal of the rules, typed; nil for reasons without values.
	Refusal *pb.RefusalDetail

	err error
}

func (f *Failure) Error() string {
	if f.Reason == "" {
		return f.err.Error()
	}
	return fmt.Sprintf("%s: %v", f.Reason, f.err)
}

func (f *Failure) Unwrap() error { return f.err }

// Passing tells whether it is worth sending the same call again.
func (f *Failure) Passing() bool {
	switch f.Reason {
	case "", "CONTENDED", "LIMIT_EXCEEDED":
		return true
	}
	return f.Code == codes.Unavailable || f.Code == codes.DeadlineExceeded
}

// Planned tells whether a stream ended as planned, by its age or with its server. That is no failure.
func (f *Failure) Planned() bool { return f.Reason == "GOING_AWAY" }

// failure reads what the service says about a failed call. Errors that do not come from a call stay as they are.
func failure(err error) error {
	var called interface{ GRPCStatus() *status.Status }
	if !errors.As(err, &called) {
		return err
	}
	answer := called.GRPCStatus()
	f := &Failure{Code: answer.Code(), err: err}
	for _, detail := range answer.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			f.Reason, f.Metadata = detail.GetReason(), detail.GetMetadata()
		case *errdetails.RetryInfo:
			f.Wait = detail.GetRetryDelay().AsDuration()
		case *pb.RefusalDetail:
			f.Refusal = detail
		}
	}
	return f
}
