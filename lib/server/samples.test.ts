import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { replaySession } from "@/lib/queries/answers/session-answers";
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
  "clawdcode-oversell.jsonl": {
    agent: "clawdcode",
    title: "促销时有超卖：S-104 预留了 41 件，库存只有 40 件。先查原因。",
    requests: 45,
    messages: { user: 5, toolCalls: 40, toolResults: 40, orphanResults: 0, unansweredCalls: 0 },
    compactions: [{ line: 110, trigger: "auto", tokensBefore: 109_256 }],
    sidechains: 0,
    problems: [],
  },
  "mini-claude-code-port-tests.jsonl": {
    agent: "mini-claude-code",
    title: "Port our unit tests from mocha, chai and sinon to vitest. Keep every test's name",
    // Without usage a response is not a counted request.
    requests: 0,
    points: 64,
    messages: { user: 2, toolCalls: 62, toolResults: 62, orphanResults: 0, unansweredCalls: 0 },
    // The agent never records its history, so no compaction is recorded.
    compactions: [],
    sidechains: 0,
    problems: [],
  },
  "openclaw-nightly-backup.jsonl": {
    agent: "openclaw",
    title: "Backups on attic",
    requests: 45,
    messages: { user: 6, toolCalls: 39, toolResults: 39, orphanResults: 0, unansweredCalls: 0 },
    compactions: [{ tokensBefore: 116_724 }],
    sidechains: 0,
    problems: [],
  },
  "qwen-code-export-timeout.jsonl": {
    agent: "qwen-code",
    title: expect.stringMatching(/^运营反馈：每天早上导出前一天的订单/),
    requests: 56,
    messages: { user: 5, toolCalls: 51, toolResults: 51, orphanResults: 0, unansweredCalls: 0 },
    compactions: [{ tokensBefore: 93_898 }],
    sidechains: 0,
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

it("the listed samples are the files of the folder, and small enough for the package", () => {
  const names = readdirSync(FOLDER).sort();
  // OpenClaw keeps what it knows of a session's prompt beside the transcripts.
  expect(names).toEqual([...Object.keys(SAMPLES), "sessions.json"].sort());
  const sizes = names.map((name) => statSync(join(FOLDER, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(4_500_000);
});

describe.each(Object.entries(SAMPLES))("sample %s", async (name, { problems, ...features }) => {
  const { points, ...expected } = { points: features.requests, ...features };
  const session = await open(name);

  it("is read correctly", () => {
    const { summary } = session;
    expect(summary).toMatchObject(expected);
    expect(summary.problems.map(({ code }) => code)).toEqual(problems);
    expect(summary.records.unknown).toEqual({});
  });

  it("is replayed as recorded and under its agent's own policy", async () => {
    const recorded = await replaySession(session, { policy: "recorded" });
    expect(recorded.compactions).toHaveLength(expected.compactions.length);
    const own = await replaySession(session, { policy: expected.agent });
    for (const { series } of [recorded, own]) {
      expect(series.contextTokens).toHaveLength(points);
      expect(Math.min(...series.contextTokens)).toBeGreaterThan(0);
    }
  });
});
