import { describe, expect, it } from "vitest";
import { toRowView } from "./row-view";
import { aRow, aSummary } from "./testing/rows";

const AGENTS: Record<string, { mark: string; label: string }> = { codex: { mark: "Cx", label: "Codex" } };
const view = (row: Parameters<typeof aRow>[0]) => toRowView(aRow(row), (id) => AGENTS[id]);

describe("toRowView", () => {
  it("shows a session that has been read", () => {
    const row = view({
      id: "a/b",
      summary: aSummary({
        agent: "codex",
        title: "Split the reader",
        project: "api",
        endedAt: "2026-01-02T03:04:05.000Z",
        models: ["gpt-5", "gpt-5-mini"],
        requests: 12,
        contextWindow: { tokens: 200_000, source: "recorded" },
        peakContext: { tokens: 170_000, request: 3 },
        usage: { input: 1000, output: 50, cacheRead: 20_000, cacheWrite: null, reasoning: null },
      }),
    });
    expect(row).toMatchObject({
      href: "/sessions/a%2Fb",
      title: "Split the reader",
      file: "run.jsonl",
      agent: { mark: "Cx", label: "Codex" },
      project: "api",
      models: ["gpt-5", "gpt-5-mini"],
      at: Date.UTC(2026, 0, 2, 3, 4, 5),
      requests: 12,
      peak: 0.85,
      compactions: 0,
      sent: 21_000,
      notRead: 0,
      state: "ready",
    });
  });

  it("states how many sessions a file has, if several", () => {
    const held = { total: 12, chosen: null, sessions: [] };
    expect(view({ summary: aSummary({ fileSessions: held }) }).holds).toBe(12);
    expect(view({ summary: aSummary({ fileSessions: null }) }).holds).toBeNull();
    expect(view({ summary: null }).holds).toBeNull();
  });

  it("has no metrics before the file has been read", () => {
    expect(view({ summary: null, agent: "codex", modifiedAt: "2026-01-01T00:00:00Z" })).toMatchObject({
      title: "run.jsonl",
      file: null,
      agent: { mark: "Cx" },
      at: Date.UTC(2026, 0, 1),
      requests: null,
      peak: null,
      compactions: null,
      sent: null,
      notRead: null,
      state: "indexing",
    });
  });

  it("has a title and the state of the file before it has been read", () => {
    const row = view({ title: "Fix the parser", variant: "archived" });
    expect(row).toMatchObject({ title: "Fix the parser", file: "run.jsonl", variant: "archived", state: "indexing" });
  });

  it("does not show an unrecorded value as 0", () => {
    const row = view({ summary: aSummary({ requests: 0, peakContext: null }) });
    expect(row).toMatchObject({ requests: null, peak: null, sent: null, state: "no-usage" });
  });

  it("states that a file could not be read", () => {
    expect(view({ summary: null, error: "The file is empty." })).toMatchObject({
      state: "failed",
      error: "The file is empty.",
    });
  });

  it("shows that a title was truncated", () => {
    expect(view({ title: "x".repeat(80) }).title).toBe(`${"x".repeat(80)}…`);
    expect(view({ title: "x".repeat(79) }).title).toBe("x".repeat(79));
  });

  it("shows a prompt on one line as title, else the file's name", () => {
    expect(view({ summary: aSummary({ title: "\n \n  Fix\tthe   parser: \n# now" }) }).title).toBe(
      "Fix the parser: # now",
    );
    expect(view({ summary: aSummary({ title: "   \n " }) }).title).toBe("run.jsonl");
    expect(view({ summary: aSummary({ title: "x".repeat(5000) }) }).title).toHaveLength(300);
  });

  it.each([
    ["/home/me/api-server", "api-server"],
    ["C:\\work\\web\\", "web"],
    ["api", "api"],
    ["/", "/"],
    ["/home/me/cli/.worktrees/3", "cli/.worktrees/3"],
    ["/home/me/cli/.claude/worktrees/fix-login", "cli/.claude/worktrees/fix-login"],
    ["/home/me/.codex/worktrees/ab12/cli", "cli"],
    ["/home/me/cli/.worktrees", ".worktrees"],
    ["/worktrees/cli", "cli"],
  ])("names the project %s %s", (project, name) => {
    expect(view({ project })).toMatchObject({ project, projectName: name });
  });

  it("leaves out the file's name at the start of the reason", () => {
    expect(view({ error: "run.jsonl is not a transcript." }).error).toBe("is not a transcript.");
    expect(view({ error: "run.jsonlx is empty." }).error).toBe("run.jsonlx is empty.");
  });

  it("marks an unknown agent with the first two letters of its id", () => {
    expect(view({ agent: "zed-agent" }).agent).toEqual({ mark: "ze", label: "zed-agent" });
    expect(view({ agent: null }).agent).toBeNull();
  });

  it("treats an invalid time as absent", () => {
    expect(view({ modifiedAt: "yesterday" }).at).toBeNull();
  });

  it("counts unread lines and other oddities separately", () => {
    const summary = aSummary({
      records: { total: 9, byType: {}, unknown: {}, damaged: [], damagedTotal: 3 },
      problems: [
        { code: "orphan-result", line: 4, detail: null, count: 2 },
        { code: "unknown-record", line: null, detail: "x", count: 5 },
      ],
    });
    expect(view({ summary })).toMatchObject({ notRead: 3, oddities: 7 });
  });
});

it("the list counts inherited requests in requests and tokens sent, but not in cost", () => {
  const usage = (input: number) => ({ input, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: null });
  const costUsd = { read: 0, write: 0, plain: 2, output: 1, total: 3, input: 2, lowerBound: false };
  const bill = {
    own: { requests: 1, usage: usage(320), costUsd },
    inherited: { requests: 3, usage: usage(168), costUsd, from: ["p"] },
    ...{ branches: null, compactions: null, subagents: null, passes: null },
  };
  const summary = aSummary({ requests: 4, tokensSent: 488, estimatedSent: 20 });
  expect(view({ summary, bill })).toMatchObject({ requests: 4, sent: 488, estimatedSent: 20, inherited: 3, cost: 3 });
});

describe("the cost of a row", () => {
  const parts = { read: 1, write: 0, plain: 0, output: 0.5 };

  it("is the summary's total, marked if it is a lower bound", () => {
    const summary = aSummary({ costUsd: { ...parts, total: 1.5, input: 1, lowerBound: true } });
    expect(toRowView(aRow({ summary }), () => undefined)).toMatchObject({ cost: 1.5, costIsLeast: true });
  });

  it("is a lower bound together with subagents if theirs is one", () => {
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: null };
    const own = { ...parts, total: 1.5, input: 1, lowerBound: false };
    const bill = {
      own: { requests: 1, usage, costUsd: own },
      subagents: { requests: 2, usage, costUsd: { ...own, lowerBound: true }, files: 1 },
      ...{ branches: null, compactions: null, inherited: null, passes: null },
    };
    expect(view({ summary: aSummary({ costUsd: own }), bill })).toMatchObject({
      costIsLeast: false,
      subagents: { count: 1, cost: 3, costIsLeast: true },
    });
  });

  it("is absent, not 0, if it is unknown or was not computed", () => {
    const unknown = { read: null, write: null, plain: null, output: null, total: null, input: null, lowerBound: null };
    for (const summary of [aSummary({ costUsd: unknown }), aSummary(), null]) {
      expect(toRowView(aRow({ summary }), () => undefined)).toMatchObject({ cost: null, costIsLeast: false });
    }
  });
});
