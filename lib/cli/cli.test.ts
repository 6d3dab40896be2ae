import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  boundaryAnswer,
  boundaryDetails,
  breakdown,
  comparedRun,
  contributors,
  difference,
  fidelityTable,
  replayResult,
  sessionSummary,
  sweepRow,
} from "@/lib/api/contract";
import { builtProgram } from "@/lib/server/testing/bundles";
import { assistantLine, put, temporaryFolder, userLine } from "@/lib/server/testing/files";

const root = builtProgram("cli-test");
const folder = temporaryFolder();
const temporary = join(folder, "tmp");
mkdirSync(temporary);
const good = put(
  folder,
  "good.jsonl",
  [userLine("One.", "u1"), "damaged", assistantLine("Two.", "a1", "u1"), userLine("Three\u001b[31m.", "u2", "a1")].join(
    "\n",
  ),
);
const bad = put(folder, "bad.jsonl", "nothing of ours\n");

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function run(args: readonly string[], input: string | Uint8Array = ""): Promise<Ran> {
  const child = spawn(process.execPath, [join(root, "dist", "cli.mjs"), ...args], {
    env: { ...process.env, TMPDIR: temporary, CONTEXT_REPLAY_DEBUG: "" },
  });
  const collected = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    collected.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    collected.err += chunk;
  });
  // A command that needs no input may be gone before it is written.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  await once(child, "close");
  return { code: child.exitCode, ...collected };
}

describe("the program", () => {
  it("says its version", async () => {
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync("package.json", "utf8")));
    expect(await run(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });
});

describe("inspect", () => {
  it("prints a summary a file, in their order, one JSON object a line", async () => {
    const other = put(folder, "other.jsonl", userLine("Other.", "u1"));
    const { code, out, err } = await run(["inspect", good, other, "--json"]);
    const summaries = out
      .trim()
      .split("\n")
      .map((line) => sessionSummary.parse(JSON.parse(line)));
    expect(summaries.map((summary) => summary.file)).toEqual(["good.jsonl", "other.jsonl"]);
    expect(summaries[0]).toMatchObject({ format: "claude-code", requests: 1, records: { total: 3, damagedTotal: 1 } });
    expect([code, err]).toEqual([0, ""]);
  });

  it("reads a packed file as its content, also from standard input", async () => {
    const packed = gzipSync(readFileSync(good));
    const path = put(folder, "good.jsonl.gz", packed);
    const [plain, fromFile, fromInput] = await Promise.all([
      run(["inspect", good, "--json"]),
      run(["inspect", path, "--json"]),
      run(["inspect", "-", "--json"], packed),
    ]);
    const summary = JSON.parse(plain.out);
    expect(JSON.parse(fromFile.out)).toEqual({ ...summary, file: "good.jsonl.gz" });
    expect(JSON.parse(fromInput.out)).toEqual({ ...summary, file: "-" });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("checks the agent's own policy where compactions are recorded, and says null where none are", async () => {
    const compacted = join("lib", "agents", "claude-code", "fixtures", "compaction.jsonl");
    const { out } = await run(["inspect", compacted, good, "--json"]);
    const [checked, other] = out
      .trim()
      .split("\n")
      .map((line) => sessionSummary.parse(JSON.parse(line)).fidelity);
    expect(checked).toMatchObject({ policy: "claude-code", threshold: 167_000, recorded: 3, manual: 1 });
    expect(checked?.boundaries).toHaveLength(3);
    expect(other).toBeNull();
  });

  it("goes on behind a file that it cannot read, and ends with 3", async () => {
    const { code, out, err } = await run(["inspect", bad, join(folder, "absent.jsonl"), good, "--json"]);
    expect(out.trim().split("\n")).toHaveLength(1);
    expect(err.trim().split("\n")).toEqual([
      "context-replay: bad.jsonl is not a transcript: its one line is not a JSON object.",
      "context-replay: absent.jsonl: there is no such file.",
    ]);
    expect(code).toBe(3);
  });

  it("names the formats to try where none is recognised, and reads the file as the one that is chosen", async () => {
    const lines = [{ kind: "head" }, { role: "user", content: "One." }, { role: "assistant", content: "Two." }];
    const file = put(folder, "unknown.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
    const refused = await run(["inspect", file]);
    expect(refused.code).toBe(3);
    expect(refused.err).toContain("first keys: kind, role, content. Try --format with one of: chat (2 messages");
    const read = await run(["inspect", file, "--format", "chat", "--json"]);
    expect(JSON.parse(read.out)).toMatchObject({ format: "chat", agent: null, messages: { user: 1, assistant: 1 } });
    const filled = await run(["breakdown", file, "--format", "chat", "--estimator", "o200k", "--json"]);
    expect(JSON.parse(filled.out).request).toBe(0);
    expect((await run(["inspect", file, "--format", "nobodys"])).code).toBe(2);
  });

  it("lists the sessions of a file that holds several, and reads the one that is chosen", async () => {
    const file = "lib/agents/codex/fixtures/two-sessions.jsonl";
    const whole = await run(["inspect", file]);
    expect(whole.out).toContain("holds 2 sessions; --session takes one of:");
    expect(whole.out).toContain("0c-second: line 5, 6 records, 2026-03-06T09:10:00.000Z, Copied from the origin.");
    const read = await run(["inspect", file, "--session", "0c-second", "--json"]);
    expect(JSON.parse(read.out)).toMatchObject({ requests: 1, sessionId: "0c-second", messages: { user: 2 } });
    const replayed = await run(["replay", file, "--session", "0c-second", "--policy", "none", "--json"]);
    expect(JSON.parse(replayed.out).totals.peak).toBe(5200);
    const refused = await run(["breakdown", file, "--session", "elsewhere"]);
    expect(refused).toMatchObject({ code: 3, out: "" });
    expect(refused.err).toContain("two-sessions.jsonl holds no such session; it holds 0b-first, 0c-second.");
  });

  it("says how the estimators compare with the usage, or that nothing can be compared", async () => {
    const usage = (input: number) => ({
      ...JSON.parse(assistantLine("Text of a response.", `a${input}`, `u${input}`)),
      input,
    });
    const grown = [100, 150].flatMap((input) => {
      const line = usage(input);
      line.message.usage = { input_tokens: input, output_tokens: 1 };
      return [userLine("Text of a question.", `u${input}`, input === 100 ? null : "a100"), JSON.stringify(line)];
    });
    const file = put(folder, "grown.jsonl", grown.join("\n"));
    const { out } = await run(["inspect", file, good, "--json", "--accuracy", "own"]);
    const [first, second] = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(first.accuracy.map((row: { estimator: string }) => row.estimator)).toEqual([
      "bytes-4",
      "chars-4",
      "claude-code",
    ]);
    expect(first.accuracy[0]).toMatchObject({ pairs: 1, bias: 10 / 50 - 1, calibration: null });
    expect(second.accuracy).toBeNull();
    expect(await run(["inspect", file, "--accuracy", "nope"])).toMatchObject({ code: 2, out: "" });
  });

  it("reads standard input and leaves no copy of it", async () => {
    const { code, out } = await run(["inspect", "-", "--json"], userLine("One.", "u1"));
    expect([code, JSON.parse(out).file]).toEqual([0, "-"]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("sends no control character of the file to the terminal", async () => {
    const { out } = await run(["inspect", put(folder, "odd.jsonl", userLine("\u001b]0;title\u0007One.", "u1"))]);
    expect(out).toContain("One.");
    expect(out.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });
});

describe("count", () => {
  it.each([
    ["bytes-4", "会话", "2\n"],
    ["chars-4", "会话", "1\n"],
    ["bytes-4", "abc\n", "1\n"],
    ["bytes-4", "", "0\n"],
    ["o200k", "hello world", "2\n"],
    ["cl100k", "<|endoftext|>", "7\n"],
  ])("%s of %j is %s", async (estimator, input, out) => {
    expect(await run(["count", "--estimator", estimator], input)).toEqual({ code: 0, out, err: "" });
  });

  it("counts messages in the rule's own shape", async () => {
    const item = { type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] };
    const codex = await run(
      ["count", "--estimator", "codex", "--jsonl"],
      `${JSON.stringify({ message: item })}\n"four"\n`,
    );
    expect(codex.out).toBe(`{"tokens": ${Math.ceil(JSON.stringify(item).length / 4)}}\n{"tokens": 1}\n`);
    const message = {
      role: "user",
      content: [
        { type: "text", text: "12345" },
        { type: "image", source: { data: "AAAA" } },
      ],
    };
    const claude = await run(["count", "--estimator", "claude-code", "--jsonl"], JSON.stringify({ message }));
    expect(claude.out).toBe('{"tokens": 1602}\n');
    const none = await run(["count", "--estimator", "o200k", "--jsonl"], '{"message": {}}');
    expect(none).toMatchObject({ code: 3, out: "" });
  });

  it("counts every line of JSON strings", async () => {
    const lines = '"abc"\n"a\\nb\\nc"\r\n\n"会话"';
    const { out } = await run(["count", "--estimator", "bytes-4", "--jsonl"], lines);
    expect(out).toBe('{"tokens": 1}\n{"tokens": 2}\n{"tokens": 2}\n');
  });

  it("names the line that it cannot read", async () => {
    const { code, err } = await run(["count", "--estimator", "bytes-4", "--jsonl"], '"a"\n{"b":\n');
    expect([code, err]).toEqual([3, "context-replay: line 2 of standard input is not JSON.\n"]);
  });
});

describe("replay and breakdown", () => {
  it("print results of the contract", async () => {
    const args = ["--policy", "custom", "--set", "triggerShare=0.5", "--window", "5000", "--estimator", "o200k"];
    const replayed = await run(["replay", good, ...args, "--json"]);
    expect(replayResult.parse(JSON.parse(replayed.out))).toMatchObject({
      estimator: "o200k",
      window: { tokens: 5000 },
    });
    const broken = await run(["breakdown", good, "--at", "0", "--threshold", "0.8", "--json"]);
    const { window, categories } = breakdown.parse(JSON.parse(broken.out));
    expect(categories.reduce((sum, category) => sum + category.tokens, 0)).toBe(window.tokens);
    expect([replayed.code, broken.code]).toEqual([0, 0]);
  });

  it("print a few lines for a person", async () => {
    expect((await run(["replay", good, "--policy", "none"])).out).toContain("compactions 0");
    expect((await run(["breakdown", good])).out).toMatch(/^Context Usage\n {2}claude-opus-4-6 · 108\/200\.0k tokens/);
    expect((await run(["breakdown", good, "--preset", "ours"])).out).toMatch(/^request 0, window .*our categories\n/);
  });
});

const long = join(process.cwd(), "public", "samples", "codex-sliding-window.jsonl");

describe("what-if on inputs", () => {
  const totalsOf = async (...set: readonly string[]) => {
    const args = ["replay", long, "--policy", "none", ...set.flatMap((one) => ["--set", one]), "--json"];
    return replayResult.parse(JSON.parse((await run(args)).out));
  };

  it("are settings of every policy, and show in what is sent", async () => {
    const plain = await totalsOf();
    // What every policy takes, and what `none` does nothing with.
    expect(Object.keys(plain.settings)).toEqual(["summaryTokens", "failSummary", "entryTruncation"]);
    for (const set of [
      "inputTruncateTokens=250",
      "inputClearAfter=3",
      "inputWithout=tool:exec_command",
      "inputReferences=true",
    ]) {
      const changed = await totalsOf(set);
      expect(Object.keys(changed.settings)).toEqual([...Object.keys(plain.settings), set.split("=")[0]]);
      expect(changed.totals.tokensSent, set).toBeLessThan(plain.totals.tokensSent);
    }
  });

  it("refuse a tool that the session does not have", async () => {
    const { code, err } = await run(["replay", long, "--policy", "none", "--set", "inputWithout=tool:nope"]);
    expect([code, err]).toEqual([2, expect.stringContaining("inputWithout must be one of none")]);
  });
});

describe("contributors", () => {
  const replayed = ["--policy", "custom", "--set", "triggerShare=0.3"];

  it.each([
    ["recorded", ["--by", "tool"]],
    ["at a request", ["--by", "file", "--at", "20"]],
    ["simulated", ["--by", "turn", ...replayed]],
  ])("%s: prints results of the contract that sum to the context and to what was sent", async (_what, args) => {
    const { code, out } = await run(["contributors", long, ...args, "--json"]);
    const answer = contributors.parse(JSON.parse(out));
    const sum = (pick: (row: (typeof answer.contributors)[number]) => number) =>
      answer.contributors.reduce((total, row) => total + pick(row), 0);
    expect(sum(({ tokens }) => tokens)).toBe(answer.context);
    expect(sum(({ residency }) => residency)).toBeCloseTo(answer.sent, 3);
    expect([code, answer.unusedTools]).toEqual([0, null]);
  });

  it("of a replay are of the context that the replay prints", async () => {
    const answer = contributors.parse(JSON.parse((await run(["contributors", long, ...replayed, "--json"])).out));
    const { totals } = replayResult.parse(JSON.parse((await run(["replay", long, ...replayed, "--json"])).out));
    expect([answer.context, answer.sent]).toEqual([totals.final, totals.tokensSent]);
  });

  it("print a few lines for a person, without steering the terminal", async () => {
    const { out } = await run(["contributors", good, "--by", "message", "--limit", "1"]);
    expect(out).toMatch(/^request 0, recorded: \d+ tokens in the context, \d+ sent until here\n/);
    expect(out).toMatch(/window never 95 % full/);
    expect(out).not.toContain("\u001b");
  });
});

const objects = (out: string): unknown[] =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("compare", () => {
  const args = ["--policy", "custom", "--set", "triggerShare=0.3", "--policy", "codex@current", "--policy", "none"];

  it("prints a run a line, each with its own settings as replay gives it, then the difference", async () => {
    const { code, out, err } = await run(["compare", long, ...args, "--window", "150000", "--json"]);
    expect([code, err]).toEqual([0, ""]);
    const printed = objects(out);
    const runs = printed.slice(0, -1).map((one) => comparedRun.parse(one));
    expect(runs.map(({ policy, preset }) => `${policy}@${preset}`)).toEqual([
      "custom@default",
      "codex@current",
      "none@default",
    ]);
    const alone = await run(["replay", long, ...args.slice(0, 4), "--window", "150000", "--json"]);
    const { series: _series, band: _band, ...custom } = replayResult.parse(JSON.parse(alone.out));
    expect(runs[0]).toEqual(custom);
    expect(runs[0]?.compactions.length).toBeGreaterThan(0);
    const rows = z.object({ difference: z.array(difference) }).parse(printed.at(-1)).difference;
    expect(rows.find(({ metric }) => metric === "compactions")).toEqual({
      metric: "compactions",
      values: runs.map(({ compactions }) => compactions.length),
      best: expect.any(Number),
    });
  });

  it("counts with a context profile what the file does not hold, as replay and sweep do", async () => {
    const plain = put(folder, "plain.jsonl", userLine("One.", "u1"));
    const profile = put(folder, "profile.json", JSON.stringify({ systemPrompt: 5000 }));
    const given = ["--overhead", profile, "--json"];
    const compared = await run(["compare", plain, "--policy", "none", "--policy", "custom", ...given]);
    const replayed = await run(["replay", plain, "--policy", "none", ...given]);
    const swept = await run(["sweep", plain, "--policy", "custom", "--vary", "triggerShare=0.5:0.5:1", ...given]);
    const { peak } = replayResult.parse(JSON.parse(replayed.out)).totals;
    expect(peak).toBeGreaterThan(5000);
    expect(comparedRun.parse(objects(compared.out)[0]).totals.peak).toBe(peak);
    expect(sweepRow.parse(JSON.parse(swept.out)).totals.peak).toBe(peak);
  });

  it("prints a table for a person", async () => {
    const { out } = await run(["compare", long, ...args]);
    expect(out).toMatch(/custom@default +codex@current +none@default/);
    expect(out).toMatch(/tokensSent +[\d,]*,\d{3} \* +[\d,]+ +[\d,]+/);
    const same = await run(["compare", long, "--policy", "none", "--policy", "none"]);
    expect(same.out).toMatch(/\npeak +[\d,]+ +[\d,]+\n/);
  });
});

describe("sweep", () => {
  const args = ["--policy", "custom", "--vary", "triggerShare=0.2:0.4:0.1", "--set", "summaryTokens=800"];
  const both = [...args, "--vary", "keepRecentTokens=5000:10000:5000"];

  it("prints a row a point, file after file, the same every time and as replay alone", async () => {
    const first = await run(["sweep", long, good, ...both, "--json"]);
    const again = await run(["sweep", long, good, ...both, "--json"]);
    expect([first.code, first.err, first.out]).toEqual([0, "", again.out]);
    const rows = objects(first.out).map((one) => sweepRow.parse(one));
    expect(rows.map(({ file }) => file)).toEqual([
      ...Array(6).fill("codex-sliding-window.jsonl"),
      ...Array(6).fill("good.jsonl"),
    ]);
    expect(rows.slice(0, 3).map(({ set }) => set)).toEqual([
      { triggerShare: 0.2, keepRecentTokens: 5000 },
      { triggerShare: 0.2, keepRecentTokens: 10_000 },
      { triggerShare: 0.3, keepRecentTokens: 5000 },
    ]);
    const settings = ["triggerShare=0.3", "keepRecentTokens=5000", "summaryTokens=800"];
    const set = settings.flatMap((setting) => ["--set", setting]);
    const alone = await run(["replay", long, "--policy", "custom", ...set, "--json"]);
    const { totals, compactions } = replayResult.parse(JSON.parse(alone.out));
    expect([rows[2]?.totals, rows[2]?.compactions]).toEqual([totals, compactions.length]);
  });

  it("marks the front, on which the point that sends least always is", async () => {
    const { out } = await run(["sweep", long, ...both, "--json"]);
    const rows = objects(out).map((one) => sweepRow.parse(one));
    const least = rows.reduce((best, row) => (row.totals.tokensSent < best.totals.tokensSent ? row : best));
    expect(least.pareto).toBe(true);
    expect(rows.some(({ pareto }) => !pareto)).toBe(true);
  });

  it("reads standard input, and goes on behind a file that it cannot read", async () => {
    const text = readFileSync(long, "utf8");
    const piped = await run(["sweep", "-", ...args, "--estimator", "o200k", "--json"], text);
    expect([piped.code, objects(piped.out).length, readdirSync(temporary)]).toEqual([0, 3, []]);
    const { code, out, err } = await run(["sweep", bad, long, ...args]);
    expect([code, err]).toEqual([
      3,
      "context-replay: bad.jsonl is not a transcript: its one line is not a JSON object.\n",
    ]);
    expect(out).toMatch(/^codex-sliding-window.jsonl: \d of 3 points on the front/);
  });
});

describe("breakdown with a context profile", () => {
  const profile = (value: unknown) => put(folder, "profile.json", JSON.stringify(value));

  it("shows the overhead that the file does not hold, category by category", async () => {
    const tools = [
      { name: "Read", schema: { name: "Read" } },
      { name: "query", server: "db", schema: 9 },
    ];
    const given = profile({ systemPrompt: 40, tools, memoryFiles: [{ path: "CLAUDE.md", content: "1234" }] });
    const { code, out } = await run(["breakdown", good, "--overhead", given, "--preset", "ours", "--json"]);
    const { categories, preset, total } = breakdown.parse(JSON.parse(out));
    expect([code, preset, total]).toEqual([0, "ours", { tokens: 108, kind: "recorded" }]);
    expect(categories.slice(0, 5).map(({ id, tokens, items }) => [id, tokens, items])).toEqual([
      ["systemPrompt", 40, undefined],
      ["builtinTools", 4, [{ name: "Read", tokens: 4 }]],
      ["mcpTools", 9, [{ name: "db__query", tokens: 9 }]],
      ["memoryFiles", 1, [{ name: "CLAUDE.md", tokens: 1 }]],
      ["overheadInferred", 53, undefined],
    ]);
    const replayed = await run(["replay", good, "--policy", "none", "--overhead", given, "--json"]);
    expect(replayResult.parse(JSON.parse(replayed.out)).series.byCategory.mcpTools).toEqual([9]);
    expect((await run(["breakdown", good, "--overhead", given, "--preset", "ours", "--view", "detail"])).out).toContain(
      "└ db__query",
    );
  });

  it("takes the overhead that another recording holds: an API request log's prompt and tools", async () => {
    const tools = [
      { name: "Read", input_schema: {} },
      { name: "mcp__db__query", input_schema: {} },
    ];
    const body = {
      model: "claude-opus-4-6",
      max_tokens: 9,
      system: "x".repeat(40),
      tools,
      messages: [{ role: "user", content: "Hi." }],
    };
    const answer = {
      id: "m",
      type: "message",
      role: "assistant",
      model: "claude-opus-4-6",
      content: [{ type: "text", text: "Hello." }],
      usage: { input_tokens: 50, output_tokens: 3 },
    };
    const log = put(folder, "log.jsonl", JSON.stringify({ request: body, response: answer }));
    const { code, out } = await run(["breakdown", good, "--overhead", log, "--preset", "ours", "--json"]);
    const { categories } = breakdown.parse(JSON.parse(out));
    expect([code, categories.find(({ id }) => id === "systemPrompt")?.tokens]).toEqual([0, 10]);
    expect(categories.find(({ id }) => id === "mcpTools")?.items?.map(({ name }) => name)).toEqual(["db__query"]);
  });

  it("names every field that is wrong, and a file that is not there", async () => {
    const wrong = profile({ systemPrompt: true, tools: [{ schema: 1 }], other: 1 });
    const refused = await run(["breakdown", good, "--overhead", wrong]);
    expect([refused.code, refused.out]).toEqual([2, ""]);
    expect(refused.err).toMatch(/systemPrompt: must be a text or a whole number of tokens; tools\[0\]\.name: .*other/);
    expect((await run(["breakdown", good, "--overhead", join(folder, "absent.json")])).code).toBe(3);
    expect((await run(["breakdown", good, "--overhead", bad])).code).toBe(2);
    expect((await run(["breakdown", good, "--preset", "codex"])).code).toBe(2);
  });
});

describe("wrong arguments end with 2 and one line", () => {
  it.each([
    [["nope"]],
    [["inspect"]],
    [["inspect", "-", "-"]],
    [["count"]],
    [["count", "--estimator", "nope"]],
    [["replay", good, "--policy", "nope"]],
    [["replay", good, "--policy", "custom@nope"]],
    [["replay", good, "--policy", "custom", "--set", "nope=1"]],
    [["replay", good, "--policy", "custom", "--set", "triggerShare=7"]],
    [["replay", good, "--policy", "custom", "--set", "triggerShare"]],
    [["replay", good, "--policy", "custom", "--counting", "nope"]],
    [["replay", good, "--policy", "custom", "--window", "0"]],
    [["compare", good, "--policy", "custom"]],
    [["compare", good, ...Array(7).fill(["--policy", "custom"]).flat()]],
    [["compare", good, "--set", "triggerShare=0.5", "--policy", "custom", "--policy", "none"]],
    [["compare", good, "--policy", "custom", "--policy", "none", "--set", "triggerShare=0.5"]],
    [["sweep", good, "--policy", "custom"]],
    [["sweep", good, "--policy", "custom", "--vary", "triggerShare=0.1:0.5"]],
    [["sweep", good, "--policy", "custom", "--vary", "triggerShare=0.5:0.1:0.1"]],
    [["sweep", good, "--policy", "custom", "--vary", "triggerShare=0.5:2:0.1"]],
    [["sweep", good, good, "--policy", "custom", "--vary", "nope=1:2:1"]],
    [["breakdown", good, "--at", "99"]],
    [["serve", "--port", "70000"]],
  ])("%j", async (args) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err.trim().split("\n")).toHaveLength(1);
  });
});

it("reads large files in threads, with the same result", async () => {
  const line = `${assistantLine("y".repeat(1 << 20), "a1", "u1")}\n`;
  const large = put(folder, "large.jsonl", `${userLine("One.", "u1")}\n`);
  for (let times = 0; times < 25; times++) appendFileSync(large, line);
  const alone = await run(["inspect", large, "--json"]);
  const threads = await run(["inspect", large, large, bad, "--json"]);
  expect(threads.out).toBe(alone.out + alone.out);
  expect(threads.code).toBe(3);
});

it("a policy without a preset is the first of its row, whatever version wrote the file", async () => {
  const sample = join("public", "samples", "codex-sliding-window.jsonl");
  const headOf = async (policy: string) => (await run(["replay", sample, "--policy", policy])).out.split(",")[0];
  expect([await headOf("codex"), await headOf("codex@current")]).toEqual(["codex@as-documented", "codex@current"]);
  const { out } = await run(["inspect", sample, "--json"]);
  expect(sessionSummary.parse(JSON.parse(out)).agentVersion).toBe("0.142.5");
});

describe("replay --at", () => {
  const sample = join("public", "samples", "claude-code-duplicate-shipments.jsonl");
  const simulated = ["replay", sample, "--policy", "codex", "--window", "128000"];

  it("lists what a simulated compaction did with every item", async () => {
    const { code, out } = await run([...simulated, "--at", "45", "--json"]);
    const { items, states, tokensBefore, tokensAfter, overheadTokens, kind } = boundaryDetails.parse(JSON.parse(out));
    const total = (side: "before" | "after") => items.reduce((sum, item) => sum + item[side], overheadTokens);
    expect([code, kind]).toEqual([0, "simulated"]);
    expect([total("before"), total("after")]).toEqual([tokensBefore, tokensAfter]);
    expect(states.kept.items + states.dropped.items + states.added.items).toBe(items.length);
  });

  it("lists what a recorded compaction did", async () => {
    const { out } = await run(["replay", sample, "--policy", "recorded", "--at", "47", "--json"]);
    const { items, kind } = boundaryDetails.parse(JSON.parse(out));
    expect(kind).toBe("recorded");
    expect(items.filter(({ state }) => state === "added")).toMatchObject([{ category: "summaries", line: 336 }]);
  });

  it("adds the texts where they are asked for", async () => {
    const args = ["replay", sample, "--policy", "mini-claude-code", "--window", "128000", "--at", "46", "--texts"];
    const { out } = await run(args);
    expect(out).toMatch(/\n--- prompt of the summary call ---\n\[user\]\nSince the weekend/);
    expect(out).toMatch(/\n--- user, simulated ---\n\[summary in the system prompt, 1420 tokens\]\n/);
    const { messages } = boundaryAnswer.parse(JSON.parse((await run([...args, "--json"])).out));
    expect(messages).toHaveLength(2);
  });

  it("prints a line an item for a person, and says where compactions are", async () => {
    const { out } = await run([...simulated, "--at", "45"]);
    expect(out).toMatch(
      /^codex@as-documented, before request 45: 124,466 → 23,688 \(threshold, summary\), limit 115,200\n/,
    );
    expect(out).toMatch(/\ndropped +1,222 +9 {2}toolResults Read /);
    const { code, err } = await run([...simulated, "--at", "44"]);
    expect([code, err]).toEqual([2, "context-replay: no compaction before request 44; known: 45\n"]);
  });
});

describe("fidelity", () => {
  const fixtures = join("lib", "agents", "claude-code", "fixtures");

  it("checks the recordings of a folder, and passes over what is none", async () => {
    const { code, out, err } = await run(["fidelity", fixtures, "--json"]);
    const { rows, boundaries } = fidelityTable.parse(JSON.parse(out));
    expect(rows.map(({ preset }) => preset)).toEqual(["reported", "reported-2025"]);
    expect(boundaries.filter(({ file }) => file === "compaction.jsonl")).toHaveLength(3);
    expect([code, err]).toEqual([0, ""]);
  });

  it("takes a setting for the policies that have it", async () => {
    const file = join(fixtures, "compaction.jsonl");
    const limits = await Promise.all(
      [[], ["--set", "autoBuffer=25000"]].map(async (args) => {
        const { out } = await run(["fidelity", file, "--json", ...args]);
        return fidelityTable.parse(JSON.parse(out)).boundaries[0]?.threshold;
      }),
    );
    expect(limits).toEqual([167_000, 155_000]);
  });

  it("is a line of inspect, where compactions are recorded", async () => {
    const { out } = await run(["inspect", join(fixtures, "compaction.jsonl"), good]);
    expect(out.match(/^ {2}own policy .*$/gm)).toEqual([
      "  own policy (reported, limit 167,000): re-anchored 1 of 2 met, 0 false alarms; free-running 2 of 2 met, 2 false alarms",
    ]);
  });

  it("prints a table for a person", async () => {
    const { out } = await run(["fidelity", join(fixtures, "compaction.jsonl")]);
    expect(out).toMatch(/^preset +sessions +recorded/);
    expect(out).toMatch(/claude-code@reported +1 +3 +1 +re-anchored/);
  });

  it.each([
    [["fidelity", fixtures, "--set", "nope=1"], 2],
    [["fidelity", join(fixtures, "compaction.jsonl"), "--set", "autoBuffer=-1"], 2],
    [["fidelity", join(folder, "absent")], 3],
    [["fidelity", bad], 3],
  ])("%j ends with %d", async (args, expected) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([expected, ""]);
    expect(err).toMatch(/^context-replay: .+\n$/);
  });
});

describe("conformance", () => {
  it("runs what it has an adapter for, lists the rest as skipped, and fails on a wrong case", async () => {
    const cases = join(folder, "golden");
    const file = (system: string, name: string, list: readonly object[]) => {
      mkdirSync(join(cases, system, "reported"), { recursive: true });
      const golden = { system, preset: "reported", function: name, cases: list };
      put(join(cases, system, "reported"), `${name}.json`, JSON.stringify(golden));
    };
    file("claude-code", "project-slug", [{ id: "a", input: "/a b", expected: "-a-b" }]);
    file("another", "anything", [{ id: "b", input: 1, expected: 2 }]);
    expect(await run(["conformance", cases])).toMatchObject({
      code: 0,
      out: [
        "another@reported anything: 1 skipped, not implemented",
        "claude-code@reported project-slug: 1 passed, 0 failed",
        "1 passed, 0 failed, 1 skipped\n",
      ].join("\n"),
    });
    file("claude-code", "project-slug", [{ id: "a", input: "/a b", expected: "wrong" }]);
    const failed = await run(["conformance", cases]);
    expect([failed.code, failed.out.includes("  a: answer: got")]).toEqual([1, true]);
  });

  it("says where nothing is", async () => {
    expect(await run(["conformance", "/nowhere/at/all"])).toMatchObject({ code: 3, out: "" });
    const empty = join(folder, "no-cases");
    mkdirSync(empty);
    expect(await run(["conformance", empty])).toMatchObject({ code: 3, out: "" });
  });

  it("names a file that holds no cases", async () => {
    const cases = join(folder, "no-golden");
    mkdirSync(cases);
    put(cases, "list.json", '[{"role":"user"}]');
    const sentence = "context-replay: list.json holds no golden cases.\n";
    expect(await run(["conformance", cases])).toMatchObject({ code: 3, out: "", err: sentence });
    put(cases, "cut.json", '{"system":');
    expect((await run(["conformance", cases])).err).toContain("cut.json holds no golden cases");
  });
});
