package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"time"
)

var listens = regexp.MustCompile(`^Gamekeeper listens on (\S+)`)

// server is a gamekeeperd over one data directory. Each of its lives has another port; line stays.
type server struct {
	binary, folder string
	line           string

	mutex   sync.Mutex
	address string
	process *exec.Cmd
}

func startServer(t *testing.T, binary string) *server {
	t.Helper()
	s := &server{binary: binary, folder: t.TempDir()}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.line = listener.Addr().String()
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		listener.Close()
		s.kill()
	})
	go s.relay(listener)
	return s
}

func (s *server) start() error {
	process := exec.Command(s.binary, "--listen", "127.0.0.1:0", "--store", "embedded", "--data-dir", s.folder)
	log, err := process.StderrPipe()
	if err != nil {
		return err
	}
	if err := process.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if found := listens.FindStringSubmatch(lines.Text()); found != nil {
			s.mutex.Lock()
			defer s.mutex.Unlock()
			s.process, s.address = process, found[1]
			go func() { _, _ = io.Copy(io.Discard, log) }()
			return nil
		}
	}
	return fmt.Errorf("the server does not start: %w", process.Wait())
}

// kill gives the server no time to end anything.
func (s *server) kill() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

func (s *server) relay(listener net.Listener) {
	for {
		near, err := listener.Accept()
		if err != nil {
			return
		}
		s.mutex.Lock()
		address := s.address
		s.mutex.Unlock()
		far, err := net.DialTimeout("tcp", address, time.Second)
		if err != nil {
			near.Close()
			continue
		}
		go pump(near, far)
		go pump(far, near)
	}
}

// pump hands on what comes until one end closes, then closes both.
func pump(from, to net.Conn) {
	_, _ = io.Copy(to, from)
	from.Close()
	to.Close()
}
