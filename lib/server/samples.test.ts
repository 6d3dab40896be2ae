import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { replaySession } from "@/lib/queries/answers/questions";
import { OpenedSession } from "./sessions/opened-session";
import { LocalRunner } from "./threads/local-runner";

const FOLDER = join("public", "samples");
const runner = new LocalRunner();

async function open(name: string): Promise<OpenedSession> {
  const path = join(FOLDER, name);
  return new OpenedSession(path, await runner.ingest({ path, name }), runner);
}

/** Features of each bundled session. */
const SAMPLES = {
  "claude-code-duplicate-shipments.jsonl": {
    agent: "claude-code",
    title: "Stop duplicate shipments after retried imports",
    requests: 64,
    messages: { user: 13, toolCalls: 130, toolResults: 130, orphanResults: 0, unansweredCalls: 0 },
    compactions: [{ line: 335, trigger: "auto", tokensBefore: 169_802, summaryLine: 336 }],
    sidechains: 0,
    // A line that was cut off, and a prompt that was typed again.
    problems: ["damaged-line", "left-behind-branch"],
  },
  "claude-code-report-timezone.jsonl": {
    agent: "claude-code",
    title: "修复日报差一天，并把导出改为增量",
    requests: 40,
    messages: { user: 9, toolCalls: 77, toolResults: 77, orphanResults: 0, unansweredCalls: 0 },
    compactions: [],
    sidechains: 1,
    problems: [],
  },
  "codex-duplicate-messages.jsonl": {
    agent: "codex",
    title: "排查优惠券重复发放：同一条消息被处理两次",
    requests: 26,
    messages: { user: 7, toolCalls: 51, toolResults: 51, orphanResults: 0, unansweredCalls: 0 },
    compactions: [],
    sidechains: 0,
    problems: [],
  },
  "codex-sliding-window.jsonl": {
    agent: "codex",
    title: "Rate limiter lets bursts through at the full second",
    requests: 37,
    messages: { user: 7, toolCalls: 77, toolResults: 77, orphanResults: 0, unansweredCalls: 0 },
    compactions: [{ line: 280, summaryLine: 280 }],
    sidechains: 0,
    // Codex writes a size of its own after a compaction.
    problems: ["pseudo-usage"],
  },
} as const;

it("the samples are the files of the folder, small enough for the package", () => {
  const names = readdirSync(FOLDER).sort();
  expect(names).toEqual(Object.keys(SAMPLES).sort());
  const sizes = names.map((name) => statSync(join(FOLDER, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(4_000_000);
});

describe.each(Object.entries(SAMPLES))("%s", async (name, { problems, ...expected }) => {
  const session = await open(name);

  it("is read correctly", () => {
    const { summary } = session;
    expect(summary).toMatchObject(expected);
    expect(summary.problems.map(({ code }) => code)).toEqual(problems);
    expect(summary.records.unknown).toEqual({});
  });

  it("is replayed as recorded, and under its agent's own policy", async () => {
    const recorded = await replaySession(session, { policy: "recorded" });
    expect(recorded.compactions).toHaveLength(expected.compactions.length);
    const own = await replaySession(session, { policy: expected.agent });
    for (const { series } of [recorded, own]) {
      expect(series.contextTokens).toHaveLength(expected.requests);
      expect(Math.min(...series.contextTokens)).toBeGreaterThan(0);
    }
  });
});
