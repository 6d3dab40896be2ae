import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { statusline } from "./statusline";

/** The work of the code under test: bytes read from files, loaded parsers, and names of models that were simplified. */
const work = vi.hoisted(() => ({ bytes: 0, parsers: [] as string[], names: 0 }));

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const readSync = (...given: Parameters<typeof fs.readSync>) => {
    const read = fs.readSync(...given);
    work.bytes += read;
    return read;
  };
  return { ...fs, readSync };
});

vi.mock("jsonc-parser", (original) => {
  work.parsers.push("jsonc-parser");
  return original();
});

vi.mock("smol-toml", (original) => {
  work.parsers.push("smol-toml");
  return original();
});

vi.mock("@/lib/core/prices/model-id", async (original) => {
  const names = await original<typeof import("@/lib/core/prices/model-id")>();
  const spellingsOf = (model: string) => {
    work.names++;
    return names.spellingsOf(model);
  };
  return { ...names, spellingsOf };
});

const folder = mkdtempSync(join(tmpdir(), "context-replay-statusline-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROMPT = { type: "user", uuid: "u1", parentUuid: null, message: { role: "user", content: "Hello." } };

function response(usage: object, model = "claude-opus-4-6", uuid = "a1", parentUuid = "u1") {
  return { type: "assistant", uuid, parentUuid, timestamp: "2026-10-01T10:00:00.000Z", message: { model, usage } };
}

const USAGE = {
  input_tokens: 1000,
  cache_read_input_tokens: 90_000,
  cache_creation_input_tokens: 2000,
  output_tokens: 400,
};

/** The status line of a session with these records. */
function lineOf(
  records: readonly object[],
  status: object = {},
  environment: Record<string, string> = {},
  now?: number,
): Promise<string> {
  const transcript = join(folder, "session.jsonl");
  writeFileSync(transcript, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return statusline(JSON.stringify({ transcript_path: transcript, ...status }), environment, now);
}

describe("the status line", () => {
  test("shows context, distance to compaction and cost", async () => {
    const status = { context_window: { context_window_size: 200_000 }, cost: { total_cost_usd: 4.21 } };
    // 1,000 at $5, 90,000 read at $0.50, 2,000 written at $6.25, 400 out at $25 a million
    expect(await lineOf([PROMPT, response(USAGE)], status)).toBe(
      "93.4k of 200k (47 %) · compacts in 73.6k · last request $0.0725 · session $4.21",
    );
  });

  test("takes the window from the model if Claude Code states none", async () => {
    expect(await lineOf([PROMPT, response(USAGE)])).toMatch(/^93\.4k of 200k /);
    expect(await lineOf([PROMPT, response(USAGE)], { model: { id: "claude-opus-4-6[1m]" } })).toMatch(
      /^93\.4k of 1M \(9 %\)/,
    );
    const large = { ...USAGE, cache_read_input_tokens: 400_000 };
    expect(await lineOf([PROMPT, response(large)])).toMatch(/^403\.4k of 1M \(40 %\)/);
    // A lower bound of the window is not a limit.
    expect(await lineOf([PROMPT, response(large, "claude-haiku-4-5")])).toMatch(
      /^403\.4k, window unknown · last request/,
    );
  });

  test("follows the variables that determine when Claude Code compacts", async () => {
    const records = [PROMPT, response(USAGE)];
    expect(await lineOf(records, {}, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "60" })).toContain("compacts in 14.6k");
    expect(await lineOf(records, {}, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "50" })).toContain("compacts next");
    expect(await lineOf(records, {}, { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "150000" })).toContain("compacts in 23.6k");
    expect(await lineOf(records, {}, { CLAUDE_CODE_MAX_OUTPUT_TOKENS: "8000" })).toContain("compacts in 85.6k");
    expect(await lineOf(records, {}, { DISABLE_AUTO_COMPACT: "1" })).toContain("does not compact");
    expect(await lineOf(records, {}, { DISABLE_AUTO_COMPACT: "0" })).toContain("compacts in 73.6k");
    expect(await lineOf(records, {}, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "most" })).toContain("compacts in 73.6k");
  });

  test("reports a compaction that just happened, with its size if the file has one", async () => {
    const boundary = { type: "system", subtype: "compact_boundary", uuid: "b1", logicalParentUuid: "a1" };
    const records = [PROMPT, response(USAGE), boundary];
    expect(await lineOf(records)).toMatch(/^just compacted · last request/);
    const compacted = [PROMPT, response(USAGE), { ...boundary, compactMetadata: { postTokens: 20_000 } }];
    expect(await lineOf(compacted)).toMatch(/^just compacted: 20k of 200k \(10 %\) · compacts in 147k/);
  });

  const now = Date.parse("2026-10-01T10:56:00Z");

  test("counts down to the expiry of the cache, then shows the price of the next prompt", async () => {
    // 93,400 tokens at $6.25 (5 min) or $10 (1 h) a million instead of $0.50
    const cache = (prompt_cache: object) => lineOf([PROMPT, response(USAGE)], { prompt_cache }, {}, now);
    expect(await cache({ warm: true, ttl: "1h", expires_at: now / 1000 + 240 })).toContain(
      " · cache cold in 4 min, then the next prompt costs $0.8873 more · ",
    );
    expect(await cache({ ttl: "5m", expires_at: "2026-10-01T10:57:30Z" })).toContain(
      "cache cold in 2 min, then the next prompt costs $0.5371 more",
    );
    // The end follows from the TTL and the last response, at 10:00.
    expect(await cache({ warm: true, ttl: "1h" })).toContain("cache cold in 4 min");
    expect(await cache({ warm: false, recache_tokens_if_cold: 100_000 })).toContain(
      "cache cold: the next prompt costs $0.5750 more",
    );
    for (const odd of [{}, { ttl: 5, expires_at: "soon" }, { ttl: "__proto__" }, { expires_at: {} }])
      expect(await cache(odd)).not.toContain("cache");
  });

  test("leaves out the cache clock after a compaction, and its price if unknown", async () => {
    expect(await lineOf([PROMPT, response(USAGE)], {}, {}, now)).not.toContain("cache");
    const boundary = { type: "system", subtype: "compact_boundary", uuid: "b1", logicalParentUuid: "a1" };
    const prompt_cache = { warm: true, expires_at: now / 1000 + 60 };
    expect(await lineOf([PROMPT, response(USAGE), boundary], { prompt_cache }, {}, now)).not.toContain("cache");
    expect(await lineOf([PROMPT, response(USAGE, "someone's-model")], { prompt_cache }, {}, now)).toContain(
      "cache cold in 1 min · ",
    );
  });

  test("shows the limits of the plan, and when a nearly exhausted one is reset", async () => {
    const limits = (rate_limits: unknown) => lineOf([PROMPT], { rate_limits }, {}, now);
    const resets_at = now / 1000 + 4800;
    expect(
      await limits({ five_hour: { used_percentage: 23.5, resets_at }, seven_day: { used_percentage: 41.2 } }),
    ).toBe("5 h limit 24 % · 7 d limit 41 %");
    expect(await limits({ five_hour: { used_percentage: 92, resets_at } })).toBe(
      "5 h limit 92 %, resets in 1 h 20 min",
    );
    expect(await limits({ seven_day: { used_percentage: 100, resets_at: "2026-10-03T13:56:00Z" } })).toBe(
      "7 d limit 100 %, resets in 2 d 3 h",
    );
    for (const odd of [
      null,
      [],
      { five_hour: 5 },
      { five_hour: { used_percentage: "9" } },
      { seven_day: { used_percentage: -1 } },
    ])
      expect(await limits(odd)).toBe("no response yet");
  });

  test("never shows an unknown price as zero", async () => {
    expect(await lineOf([PROMPT, response(USAGE, "someone's-model")])).toMatch(/last request n\/a$/);
    expect(await lineOf([PROMPT, response({ ...USAGE, speed: "ludicrous" })])).toMatch(/last request n\/a$/);
  });

  test("reads further back if a long result follows the last response", async () => {
    const result = { type: "user", uuid: "u2", parentUuid: "a1", message: { content: "x".repeat(1 << 20) } };
    expect(await lineOf([PROMPT, response(USAGE), result])).toMatch(/^93\.4k of 200k/);
    const endless = { ...result, message: { content: "x".repeat(5 << 20) } };
    expect(await lineOf([PROMPT, response(USAGE), endless], { cost: { total_cost_usd: 1 } })).toBe("session $1.00");
  });

  test("reads only the end of a long transcript", async () => {
    const long = { ...PROMPT, message: { role: "user", content: "x".repeat(8 << 20) } };
    const records = [PROMPT, long, response(USAGE)];
    const before = work.bytes;
    expect(await lineOf(records)).toMatch(/^93\.4k of 200k/);
    expect(work.bytes - before).toBeLessThanOrEqual(1 << 16);
  });

  test("loads a settings parser only for an existing file, and looks up the price of one model", async () => {
    const home = mkdtempSync(join(folder, "home-"));
    vi.stubEnv("HOME", home);
    const project = join(home, ".claude", "projects", "p");
    mkdirSync(project, { recursive: true });
    const transcript = join(project, "session.jsonl");
    writeFileSync(transcript, `${JSON.stringify(PROMPT)}\n${JSON.stringify(response(USAGE))}\n`);
    const status = { transcript_path: transcript, context_window: { context_window_size: 200_000 } };
    work.names = 0;
    expect(await statusline(JSON.stringify(status), {})).toContain("compacts in 73.6k · last request $0.0725");
    expect(work.parsers).toEqual([]);
    // The list of prices has a thousand, and so has the list of windows, which counts if Claude Code names none.
    expect(work.names).toBeLessThan(10);
    work.names = 0;
    // As in a new process, which has collected nothing yet.
    vi.resetModules();
    const { statusline: first } = await import("./statusline");
    expect(await first(JSON.stringify({ transcript_path: transcript }), {})).toContain("compacts in 73.6k");
    expect(work.names).toBeLessThan(10);
    writeFileSync(join(home, ".claude", "settings.json"), '{"autoCompactWindow": 150000}');
    expect(await statusline(JSON.stringify(status), {})).toContain("compacts in 23.6k (from settings.json line 1)");
    expect(work.parsers).toEqual(["jsonc-parser"]);
    vi.unstubAllEnvs();
  });

  test("does not wait for pipes or devices, and hides impossible numbers", async () => {
    const pipe = join(folder, "pipe.jsonl");
    if (spawnSync("mkfifo", [pipe]).status === 0) {
      expect(await statusline(JSON.stringify({ transcript_path: pipe }), {})).toBe("no response yet");
    }
    expect(await statusline(JSON.stringify({ transcript_path: "/dev/zero" }), {})).toBe("no response yet");
    const absurd = { cost: { total_cost_usd: 1e300 }, context_window: { context_window_size: 1e300 } };
    expect(await lineOf([PROMPT, response(USAGE)], absurd)).toMatch(/^93\.4k of 200k.*last request \$[\d.]+$/);
    expect(await lineOf([PROMPT, response(USAGE)], { cost: { total_cost_usd: -5 } })).not.toContain("session");
  });

  test("states that there is no data yet", async () => {
    expect(await lineOf([PROMPT])).toBe("no response yet");
    expect(await statusline(JSON.stringify({ transcript_path: join(folder, "not-there.jsonl") }), {})).toBe(
      "no response yet",
    );
    expect(await statusline("{}", {})).toBe("no response yet");
    for (const input of ["", "nothing", "[]", "5"])
      expect(await statusline(input, {})).toBe("context-replay: standard input is not a status of Claude Code");
  });
});
