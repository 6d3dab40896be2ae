import { describe, expect, it } from "vitest";
import { estimatorOf, offeredEstimators, ruleOf } from "./estimators";

describe("the estimators on the page", () => {
  const session = { agent: "codex", agentVersion: "0.142.5", formatVersion: null, endedAt: null };

  it("are named as on the command line; an unknown name selects the recording's own", () => {
    const run = { policy: "custom" };
    for (const name of ["o200k", "codex", "codex@release-2026-01", "pi@v0.51.0"])
      expect(estimatorOf(name, session, run)).toBe(name);
    for (const name of [null, "", "codex@nope", "claude-code@reported", "constructor"]) {
      expect(estimatorOf(name, session, run)).toBe("codex@current");
    }
    expect(estimatorOf(null, session, { policy: "codex", preset: "as-documented" })).toBe("codex");
    expect(estimatorOf(null, { ...session, agent: null }, run)).toBe("bytes-4");
  });

  it("are offered once per agent, and for the recording's agent in its preset", () => {
    const offered = offeredEstimators(session, "bytes-4");
    expect(offered.filter((name) => name.startsWith("codex"))).toEqual(["codex@current"]);
    expect(offered.filter((name) => name.startsWith("pi"))).toEqual(["pi"]);
    expect(
      offeredEstimators({ agent: "pi", agentVersion: null, formatVersion: null, endedAt: null }, "bytes-4"),
    ).toContain("codex");
    expect(offeredEstimators(session, "codex@release-2026-01").at(-1)).toBe("codex@release-2026-01");
  });
});

it.each([
  ["claude-code", { agent: "Claude Code", variant: "" }],
  ["qwen-code-content", { agent: "Qwen Code", variant: "content" }],
  ["clawdcode-fast", { agent: "ClawdCode", variant: "fast" }],
  ["mini-claude-code", { agent: "mini-claude-code", variant: "" }],
  ["pi", { agent: "pi", variant: "" }],
  ["codex@current", { agent: "Codex", variant: "current" }],
  ["pi@v0.51.0", { agent: "pi", variant: "v0.51.0" }],
  ["o200k", undefined],
])("%s gives its agent and variant, or nothing if it belongs to no agent", (estimator, rule) => {
  expect(ruleOf(estimator)).toEqual(rule);
});
