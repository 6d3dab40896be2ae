import type { Random } from "../random";

/** A package of the invented gateway. */
export interface GoPackage {
  readonly name: string;
  /** Its central type. */
  readonly type: string;
  readonly purpose: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly methods: readonly string[];
}

export function goProject(module: string, packages: readonly GoPackage[], random: Random): Map<string, string> {
  const files = new Map<string, string>();
  for (const one of packages) {
    files.set(`internal/${one.name}/${one.name}.go`, implementation(module, one, random));
    files.set(`internal/${one.name}/store.go`, store(one, random));
    files.set(`internal/${one.name}/config.go`, config(one, random));
    files.set(`internal/${one.name}/${one.name}_test.go`, test(one, random));
  }
  return files;
}

const CAUSES = [
  "the peer is gone",
  "the bucket is cold",
  "the key is empty",
  "the node is draining",
  "the clock went back",
];

function implementation(module: string, { name, type, purpose, fields, methods }: GoPackage, random: Random): string {
  return `// Package ${name} ${purpose}.
package ${name}

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"${module}/internal/clock"
	"${module}/internal/metrics"
)

// Err${type}Closed is returned after Close.
var Err${type}Closed = errors.New("${name}: closed")

// ${type} ${purpose}. It is safe for concurrent use.
type ${type} struct {
	mu     sync.Mutex
	cfg    Config
	store  Store
	clock  clock.Clock
	meter  *metrics.Meter
	closed bool
${fields.map(([field, kind]) => `	${field.padEnd(6)} ${kind}`).join("\n")}
}

// New returns a ${type} that reads its limits from cfg and keeps its state in store.
func New(cfg Config, store Store, c clock.Clock, m *metrics.Meter) (*${type}, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("${name}: %w", err)
	}
	if c == nil {
		c = clock.System{}
	}
	return &${type}{cfg: cfg, store: store, clock: c, meter: m}, nil
}
${methods
  .map(
    (method) => `
// ${method} handles one key. It fails when ${random.pick(CAUSES)}, and then leaves the state as it was.
func (x *${type}) ${method}(ctx context.Context, key string, n int64) (Decision, error) {
	if key == "" {
		return Decision{}, fmt.Errorf("${name}: ${method}: empty key")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return Decision{}, Err${type}Closed
	}
	now := x.clock.Now()
	state, err := x.store.Load(ctx, key)
	switch {
	case errors.Is(err, ErrNoState):
		state = State{Since: now}
	case err != nil:
		x.meter.Count("${name}_load_errors_total", 1)
		return Decision{}, fmt.Errorf("${name}: ${method} %q: %w", key, err)
	}
	elapsed := now.Sub(state.Since)
	if elapsed < 0 {
		elapsed = 0
	}
	budget := x.cfg.Burst + int64(elapsed/x.cfg.Every)
	if state.Used+n > budget {
		x.meter.Count("${name}_refused_total", 1)
		return Decision{Allowed: false, Retry: x.cfg.Every * time.Duration(state.Used+n-budget)}, nil
	}
	state.Used += n
	if err := x.store.Save(ctx, key, state, x.cfg.TTL); err != nil {
		return Decision{}, fmt.Errorf("${name}: ${method} %q: %w", key, err)
	}
	x.meter.Count("${name}_allowed_total", n)
	return Decision{Allowed: true, Left: budget - state.Used}, nil
}`,
  )
  .join("\n")}

// Close releases the store. Further calls fail with Err${type}Closed.
func (x *${type}) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return nil
	}
	x.closed = true
	return x.store.Close()
}
`;
}

function store({ name, type }: GoPackage, random: Random): string {
  return `package ${name}

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrNoState says that a key has no state yet.
var ErrNoState = errors.New("no state")

// State is what is kept for one key.
type State struct {
	Since time.Time
	Used  int64
}

// Store keeps the state of a ${type}.
type Store interface {
	Load(ctx context.Context, key string) (State, error)
	Save(ctx context.Context, key string, s State, ttl time.Duration) error
	Close() error
}

const shards = ${random.pick([16, 32, 64])}

type memory struct {
	parts [shards]struct {
		sync.RWMutex
		items map[string]entry
	}
}

type entry struct {
	state   State
	expires time.Time
}

// Memory returns a Store that forgets everything on exit.
func Memory() Store {
	m := &memory{}
	for i := range m.parts {
		m.parts[i].items = make(map[string]entry, ${random.pick([256, 512, 1024])})
	}
	return m
}

func (m *memory) part(key string) int {
	var h uint32 = 2166136261
	for i := 0; i < len(key); i++ {
		h = (h ^ uint32(key[i])) * 16777619
	}
	return int(h % shards)
}

func (m *memory) Load(_ context.Context, key string) (State, error) {
	p := &m.parts[m.part(key)]
	p.RLock()
	defer p.RUnlock()
	e, ok := p.items[key]
	if !ok || time.Now().After(e.expires) {
		return State{}, ErrNoState
	}
	return e.state, nil
}

func (m *memory) Save(_ context.Context, key string, s State, ttl time.Duration) error {
	p := &m.parts[m.part(key)]
	p.Lock()
	defer p.Unlock()
	p.items[key] = entry{state: s, expires: time.Now().Add(ttl)}
	return nil
}

func (m *memory) Close() error { return nil }

func (s State) encode() []byte {
	b := make([]byte, 16)
	binary.BigEndian.PutUint64(b, uint64(s.Since.UnixNano()))
	binary.BigEndian.PutUint64(b[8:], uint64(s.Used))
	return b
}

func decode(b []byte) (State, error) {
	if len(b) != 16 {
		return State{}, fmt.Errorf("${name}: state of %d bytes", len(b))
	}
	return State{
		Since: time.Unix(0, int64(binary.BigEndian.Uint64(b))),
		Used:  int64(binary.BigEndian.Uint64(b[8:])),
	}, nil
}
`;
}

function config({ name }: GoPackage, random: Random): string {
  return `package ${name}

import (
	"fmt"
	"time"
)

// Config holds the limits. The zero value is not valid: see Default.
type Config struct {
	Every time.Duration \`yaml:"every"\`
	Burst int64         \`yaml:"burst"\`
	TTL   time.Duration \`yaml:"ttl"\`
	Names []string      \`yaml:"names"\`
}

// Default is what production runs with.
func Default() Config {
	return Config{Every: ${random.int(5, 50)} * time.Millisecond, Burst: ${random.int(2, 20) * 10}, TTL: ${random.int(2, 15)} * time.Minute}
}

// Validate says what is wrong with c.
func (c Config) Validate() error {
	switch {
	case c.Every <= 0:
		return fmt.Errorf("every is %s, must be above zero", c.Every)
	case c.Burst < 1:
		return fmt.Errorf("burst is %d, must be at least 1", c.Burst)
	case c.TTL < c.Every:
		return fmt.Errorf("ttl %s is shorter than every %s", c.TTL, c.Every)
	}
	return nil
}

// Decision is the answer for one request.
type Decision struct {
	Allowed bool
	Left    int64
	Retry   time.Duration
}
`;
}

function test({ name, type, methods }: GoPackage, random: Random): string {
  return `package ${name}

import (
	"context"
	"errors"
	"testing"
	"time"
)

type fixedClock struct{ now time.Time }

func (c *fixedClock) Now() time.Time          { return c.now }
func (c *fixedClock) advance(d time.Duration) { c.now = c.now.Add(d) }

func fresh(t *testing.T, cfg Config) (*${type}, *fixedClock) {
	t.Helper()
	c := &fixedClock{now: time.Unix(${random.int(1_760_000_000, 1_769_000_000)}, 0)}
	x, err := New(cfg, Memory(), c, nil)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x, c
}
${methods
  .map(
    (method) => `
func Test${method}(t *testing.T) {
	cfg := Config{Every: 10 * time.Millisecond, Burst: ${random.int(3, 9)}, TTL: time.Minute}
	tests := map[string]struct {
		spend   []int64
		advance time.Duration
		want    bool
	}{
		"first request":       {spend: []int64{1}, want: true},
		"burst is used up":    {spend: []int64{${random.int(3, 9)}, ${random.int(4, 9)}}, want: false},
		"refills with time":   {spend: []int64{3}, advance: time.Second, want: true},
		"more than the burst": {spend: []int64{${random.int(20, 99)}}, want: false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			x, c := fresh(t, cfg)
			var got Decision
			for _, n := range tt.spend {
				c.advance(tt.advance)
				var err error
				if got, err = x.${method}(context.Background(), "client-${random.int(1, 99)}", n); err != nil {
					t.Fatalf("${method}: %v", err)
				}
			}
			if got.Allowed != tt.want {
				t.Errorf("${method}(%v) allowed = %v, want %v", tt.spend, got.Allowed, tt.want)
			}
		})
	}
}

func Test${method}Closed(t *testing.T) {
	x, _ := fresh(t, Default())
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := x.${method}(context.Background(), "k", 1); !errors.Is(err, Err${type}Closed) {
		t.Fatalf("err = %v, want Err${type}Closed", err)
	}
}`,
  )
  .join("\n")}
`;
}
