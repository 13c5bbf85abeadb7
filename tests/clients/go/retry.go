package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
)

const (
	attemptTime = 10 * time.Second      // for one try of a call
	patience    = 30 * time.Second      // for all tries together
	firstPause  = 50 * time.Millisecond // doubled with each try
	longest     = 2 * time.Second       // pause, unless the service asks for more
)

// soon makes a connection try again soon when the server was away.
var soon = grpc.WithConnectParams(grpc.ConnectParams{
	Backoff: backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 500 * time.Millisecond},
})

// again sends a call until there is an answer. With a request id it takes effect once.
func again[Request, Response any](
	ctx context.Context,
	call func(context.Context, *Request, ...grpc.CallOption) (*Response, error),
	request *Request,
) (*Response, error) {
	pauses := newPauses()
	for {
		attempt, cancel := context.WithTimeout(ctx, attemptTime)
		response, err := call(attempt, request)
		cancel()
		if err == nil {
			return response, nil
		}
		if err := pauses.after(ctx, err); err != nil {
			return nil, err
		}
	}
}

// pauses waits before the next try: longer each time, and as long as the service asks.
type pauses struct {
	next time.Duration
	end  time.Time
}

func newPauses() *pauses {
	return &pauses{next: firstPause, end: time.Now().Add(patience)}
}

// after waits, or returns the error if another try is useless or too late.
func (p *pauses) after(ctx context.Context, err error) error {
	err = failure(err)
	var failed *Failure
	if ctx.Err() != nil || !errors.As(err, &failed) || !failed.Passing() {
		return err
	}
	wait := max(failed.Wait, p.next/2+rand.N(p.next/2))
	if time.Now().Add(wait).After(p.end) {
		return err
	}
	p.next = min(2*p.next, longest)
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return err
	}
}
