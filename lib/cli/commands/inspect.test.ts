import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { sessionSummary } from "@/lib/queries/contract/schemas";
import { newOpencodeDatabase, putExport } from "@/lib/server/testing/agent-databases";
import { assistantLine, put, userLine } from "@/lib/server/testing/files";
import { commandLine } from "../testing/program";

const { run, folder, temporary, good, bad } = commandLine();

describe("inspect", () => {
  it("prints one summary per file, in order, as one JSON object per line", async () => {
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

  it("uses the singular for a count of one", async () => {
    const { out } = await run(["inspect", good]);
    expect(out).toContain("  1 request, 2 typed messages, 0 tool calls\n");
    expect(out).toContain("  0 compactions, 0 sidechains\n  3 records, 1 damaged line\n");
  });

  it("counts requests without usage as replay does, and states their number", async () => {
    const lines = readFileSync("lib/agents/mini-claude-code/fixtures/many-turns.jsonl");
    const path = put(folder, "no-usage.jsonl", lines);
    const { out } = await run(["inspect", path]);
    const replayed = await run(["replay", path, "--policy", "none", "--json"]);
    const { requests } = JSON.parse(replayed.out).totals;
    expect(requests).toBeGreaterThan(1);
    expect(out).toContain(`  ${requests} requests, none with usage, `);
    expect(JSON.parse((await run(["inspect", path, "--json"])).out)).toMatchObject({
      requests: 0,
      requestsWithoutUsage: requests,
    });
  });

  it("reads a session of an agent's database by path and id, and reports an unknown id", async () => {
    const database = join(folder, "opencode.db");
    const file = newOpencodeDatabase(database);
    const id = putExport(file, JSON.parse(readFileSync("lib/agents/opencode/fixtures/chinese.json", "utf8")));
    const { out, ...rest } = await run(["inspect", join(database, id), "--json"]);
    expect(rest).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toMatchObject({ file: id, format: "opencode", sessionId: id, title: "整理订单脚本" });
    const { code, err } = await run(["inspect", join(database, "none"), join(good, "none")]);
    expect([code, err.trim().split("\n")]).toEqual([
      3,
      ["context-replay: none is not in opencode.db.", "context-replay: none: there is no such file."],
    ]);
    file.close();
  });

  it("reads a compressed file, also from standard input", async () => {
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

  it("checks the agent's own policy if compactions are recorded, else its field is null", async () => {
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

  it("continues after an unreadable file, and exits with 3", async () => {
    const { code, out, err } = await run(["inspect", bad, join(folder, "absent.jsonl"), good, "--json"]);
    expect(out.trim().split("\n")).toHaveLength(1);
    expect(err.trim().split("\n")).toEqual([
      "context-replay: bad.jsonl is not a transcript: its one line is not a JSON object.",
      "context-replay: absent.jsonl: there is no such file.",
    ]);
    expect(code).toBe(3);
  });

  it("suggests formats for an unrecognised file, and reads it in the given format", async () => {
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

  it("lists the sessions of a file with several, and reads the selected one", async () => {
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

  it("compares the estimators with recorded usage, or states that there is none", async () => {
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

  it("reads standard input, and leaves no copy of it on disk", async () => {
    const { code, out } = await run(["inspect", "-", "--json"], userLine("One.", "u1"));
    expect([code, JSON.parse(out).file]).toEqual([0, "-"]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("replaces control characters of the file in its output", async () => {
    const { out } = await run(["inspect", put(folder, "odd.jsonl", userLine("\u001b]0;title\u0007One.", "u1"))]);
    expect(out).toContain("One.");
    expect(out.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });
});

it("inspect gives the same result for large files, which worker threads read", async () => {
  const line = `${assistantLine("y".repeat(1 << 20), "a1", "u1")}\n`;
  const large = put(folder, "large.jsonl", `${userLine("One.", "u1")}\n`);
  for (let times = 0; times < 25; times++) appendFileSync(large, line);
  const alone = await run(["inspect", large, "--json"]);
  const threads = await run(["inspect", large, large, bad, "--json"]);
  expect(threads.out).toBe(alone.out + alone.out);
  expect(threads.code).toBe(3);
});

it("states for a resume the sizes that the breakdown of the last request gives, with its response", async () => {
  const sample = join("public", "samples", "claude-code-duplicate-shipments.jsonl");
  const [inspected, divided] = await Promise.all([
    run(["inspect", sample, "--json"]),
    run(["breakdown", sample, "--at", "last", "--preset", "ours", "--json"]),
  ]);
  const { resume } = JSON.parse(inspected.out);
  const { categories, calibration } = JSON.parse(divided.out);
  const { tokens } = categories.find(({ id }: { readonly id: string }) => id === "messages");
  expect(calibration.factor).not.toBe(1);
  expect(resume.tokens).toBeGreaterThan(tokens);
  expect(resume.tokens).toBeLessThan(tokens * 1.05);
});
