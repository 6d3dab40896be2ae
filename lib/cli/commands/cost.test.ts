import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cost } from "@/lib/queries/contract/schemas";
import { assistantLine, put, userLine } from "@/lib/server/testing/files";
import { commandLine, jsonLines, LONG } from "../testing/program";

const { run, folder, good, bad } = commandLine();

/** The price of `good` on Opus 4.6: 3 input tokens, 5 cache-write tokens (five minutes), 100 cache-read and 7 output tokens. */
const GOOD = { read: 0.00005, write: 0.000031, plain: 0.000015, output: 0.000175, total: 0.000271, input: 0.000096 };

const unknown = put(
  folder,
  "unknown.jsonl",
  [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1").replace("claude-opus-4-6", "claude-opus-9")].join("\n"),
);
const silent = put(folder, "silent.jsonl", `${userLine("One.", "u1")}\n`);
const CODEX = join("public", "samples", "codex-duplicate-messages.jsonl");
const prices = put(folder, "prices.json", '{"rows": [{"model": "claude-opus-9", "input": 1, "output": 1}]}');

describe("cost", () => {
  it("prints one contract object per file, and names an unreadable file", async () => {
    const { code, out, err } = await run(["cost", good, bad, LONG, "--json"]);
    const answers = jsonLines(out).map((line) => cost.parse(line));
    expect(answers.map(({ file }) => file)).toEqual(["good.jsonl", "codex-sliding-window.jsonl"]);
    expect([code, err]).toEqual([3, expect.stringContaining("bad.jsonl")]);
  });

  it("prints a session's cost by model, and its cache misses", async () => {
    const [answer] = jsonLines((await run(["cost", good, "--json"])).out).map((line) => cost.parse(line));
    expect(answer).toMatchObject({
      sessionId: "s-1",
      requests: 1,
      costUsd: { ...GOOD, lowerBound: true },
      priced: 1,
      byModel: { "claude-opus-4-6": { requests: 1, total: GOOD.total } },
      breaksByCause: { first: { count: 1, tokens: 8, usd: 0 }, growth: { tokens: 0 } },
      cacheRule: { pairs: 0, exact: 0, within2: 0, costError: null },
      ownCost: null,
      undividedWrites: 1,
      on: null,
      withTtl: null,
    });
  });

  it("prints a table that marks lower bounds", async () => {
    const { out } = await run(["cost", good]);
    expect(out).toContain("good.jsonl: ≥ $0.000271 for 1 request, $0.000096 of it for input");
    expect(out).toContain("not what was paid, and none of it on a subscription");
  });

  it("includes requests of abandoned branches in the total", async () => {
    const lines = [
      userLine("One.", "u1"),
      assistantLine("Two.", "a1", "u1"),
      userLine("Left.", "u2", "a1"),
      assistantLine("Three.", "a3", "u2"),
    ];
    const rewound = [...lines, userLine("Right.", "u3", "a1"), assistantLine("Four.", "a4", "u3")];
    const { out } = await run(["cost", put(folder, "rewound.jsonl", rewound.join("\n"))]);
    expect(out).toContain(" for 3 requests, ");
    expect(out).toContain("on abandoned branches: 1 request, ");
  });

  it("marks the cost as a lower bound if the file has an invalid number", async () => {
    const text = readFileSync(CODEX, "utf8");
    const odd = put(folder, "odd.jsonl", text.replace(/"output_tokens":\d+/, '"output_tokens":-5'));
    expect((await run(["cost", CODEX])).out).toMatch(/^[\w-]+\.jsonl: \$/);
    const { out } = await run(["cost", odd]);
    expect(out).toMatch(/^odd\.jsonl: ≥ \$/);
    expect(out).toMatch(/^ +1 number in the file cannot be right, such as a negative count/m);
  });

  it("prints expensive requests with reasons, costs of compactions, and savings of other schedules", async () => {
    const { out } = await run(["cost", join("public", "samples", "claude-code-duplicate-shipments.jsonl")]);
    expect(out).toMatch(/^most expensive +cost +mostly$/m);
    expect(out).toContain(
      "$0.7736  cache miss, idle for too long: 121,573 uncached tokens for $0.6990 more than cache reads",
    );
    expect(out).toMatch(/^request 47 +\$0\.1270 +\$0\.1203 \(est\.\) +\$0\.2474 +4 requests$/m);
    expect(out).toContain("Compacting before every pause longer than the cache TTL (8 of 8, leaving 37,893 tokens)");
    expect(out).toContain("All writes for five minutes: $7.56, for an hour: $5.40; an hour is $2.16 cheaper");
  });

  it("never prints an unknown cost as zero", async () => {
    const { out } = await run(["cost", unknown, silent]);
    expect(out).toContain("unknown.jsonl: n/a, 0 % of 1 request has a price");
    expect(out).toMatch(
      /No price is known for \S+\. To add one, put a row \{"model": "\S+", "input": …, "output": …\} in \S+prices\.json/,
    );
    expect(out).toContain("silent.jsonl: n/a, no request records its usage");
    expect(out).not.toContain("$0.00\n");
    const [first, second] = jsonLines((await run(["cost", unknown, silent, "--json"])).out).map((line) =>
      cost.parse(line),
    );
    expect([first?.costUsd.total, first?.costUsd.lowerBound, first?.priced]).toEqual([null, null, 0]);
    expect([second?.costUsd.total, second?.priced, second?.cacheRule]).toEqual([null, null, null]);
  });

  it("uses the user's own prices", async () => {
    const [answer] = jsonLines((await run(["cost", unknown, "--prices", prices, "--json"])).out).map((line) =>
      cost.parse(line),
    );
    expect(answer?.costUsd.total).toBe(0.000115);
    expect(answer?.prices).toEqual([
      { model: "claude-opus-9", source: "your own list of prices", seen: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    ]);
  });

  it("prices requests as another model's, or with another cache TTL", async () => {
    const args = ["cost", good, "--on", "gpt-5.5", "--ttl", "1h"];
    const [answer] = jsonLines((await run([...args, "--json"])).out).map((line) => cost.parse(line));
    expect(answer).toMatchObject({ on: "gpt-5.5", withTtl: { ttl: "1h" }, costUsd: { plain: 0.000015 } });
    expect((await run(args)).out).toContain("Priced as gpt-5.5; another model's tokenizer");
  });

  it.each([
    [["--on", "nobody-1"], "There is no price of a model nobody-1."],
    [["--ttl", "2h"], "Allowed choices are 5m, 1h, recorded."],
    [["--prices", join(folder, "broken.json")], "broken.json: line 2: rows[0].input: "],
  ])("rejects %j with one sentence", async (args, sentence) => {
    put(folder, "broken.json", '{"rows": [\n{"model": "m", "input": "1", "output": 1}]}');
    const { code, out, err } = await run(["cost", good, ...args]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
  });

  it("inspect shows the cost, too", async () => {
    const [summary] = jsonLines((await run(["inspect", good, "--json"])).out);
    expect(summary).toMatchObject({ costUsd: { ...GOOD, lowerBound: true } });
    expect((await run(["inspect", good])).out).toContain("≥ $0.000271 by list prices");
  });
});
