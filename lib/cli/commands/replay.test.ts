import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  boundaryAnswer,
  boundaryDetails,
  breakdown,
  replayResult,
  sessionSummary,
} from "@/lib/queries/contract/schemas";
import { commandLine, LONG } from "../testing/program";

const { run, good } = commandLine();

describe("replay and breakdown", () => {
  it("print results that match the contract", async () => {
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

  it("print a few lines if --json is absent", async () => {
    expect((await run(["replay", good, "--policy", "none"])).out).toContain("compactions 0");
    expect((await run(["breakdown", good])).out).toMatch(/^Context Usage\n {2}claude-opus-4-6 · 108\/200\.0k tokens/);
    expect((await run(["breakdown", good, "--preset", "ours"])).out).toMatch(/^request 0, window .*our categories\n/);
  });
});

describe("what-if settings of inputs", () => {
  const totalsOf = async (...set: readonly string[]) => {
    const args = ["replay", LONG, "--policy", "none", ...set.flatMap((one) => ["--set", one]), "--json"];
    return replayResult.parse(JSON.parse((await run(args)).out));
  };

  it("apply to every policy, and reduce the tokens sent", async () => {
    const plain = await totalsOf();
    // Every policy takes these settings, and `none` ignores them.
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

  it("reject a tool that the session does not have", async () => {
    const { code, err } = await run(["replay", LONG, "--policy", "none", "--set", "inputWithout=tool:nope"]);
    expect([code, err]).toEqual([2, expect.stringContaining("inputWithout must be one of none")]);
  });
});

it("replay uses a policy's first preset unless one is named, whatever version wrote the file", async () => {
  const sample = join("public", "samples", "codex-sliding-window.jsonl");
  const headOf = async (policy: string) => (await run(["replay", sample, "--policy", policy])).out.split(",")[0];
  expect([await headOf("codex"), await headOf("codex@current")]).toEqual(["codex@as-documented", "codex@current"]);
  const { out } = await run(["inspect", sample, "--json"]);
  expect(sessionSummary.parse(JSON.parse(out)).agentVersion).toBe("0.142.5");
});

it("replay reports that there is too little usage for the requested calibration", async () => {
  const replayed = (file: string, counting: string, ...more: readonly string[]) =>
    run(["replay", file, "--policy", "custom", "--counting", counting, ...more]);
  const estimate = replayResult.parse(JSON.parse((await replayed(good, "estimate", "--json")).out));
  const { code, out, err } = await replayed(good, "calibrated", "--json");
  expect([code, err]).toEqual([0, expect.stringMatching(/^context-replay: not calibrated: fewer than 8 pairs .*\n$/)]);
  const result = replayResult.parse(JSON.parse(out));
  expect(result).toEqual({ ...estimate, counting: "calibrated" });
  expect((await replayed(good, "calibrated")).out).toContain(", calibrated (not calibrated)\n");
  // No message if the estimate was calibrated, nor if no calibration was requested.
  const fitted = await replayed(LONG, "calibrated", "--json");
  expect([replayResult.parse(JSON.parse(fitted.out)).calibration, fitted.err]).toEqual([expect.anything(), ""]);
  expect((await replayed(good, "estimate")).err).toBe("");
});

describe("replay --at", () => {
  const sample = join("public", "samples", "claude-code-duplicate-shipments.jsonl");
  // Counted by the estimate alone, compactions do not depend on the sample's recorded usage.
  const estimate = ["--window", "128000", "--counting", "estimate"];
  const simulated = ["replay", sample, "--policy", "codex", ...estimate];

  it("lists the fate of each item at a simulated compaction", async () => {
    const { code, out } = await run([...simulated, "--at", "45", "--json"]);
    const { items, states, tokensBefore, tokensAfter, overheadTokens, kind } = boundaryDetails.parse(JSON.parse(out));
    const total = (side: "before" | "after") => items.reduce((sum, item) => sum + item[side], overheadTokens);
    expect([code, kind]).toEqual([0, "simulated"]);
    expect([total("before"), total("after")]).toEqual([tokensBefore, tokensAfter]);
    expect(states.kept.items + states.dropped.items + states.added.items).toBe(items.length);
  });

  it("lists the fate of each item at a recorded compaction", async () => {
    const { out } = await run(["replay", sample, "--policy", "recorded", "--at", "47", "--json"]);
    const { items, kind } = boundaryDetails.parse(JSON.parse(out));
    expect(kind).toBe("recorded");
    expect(items.filter(({ state }) => state === "added")).toMatchObject([{ category: "summaries", line: 336 }]);
  });

  it("adds the texts with --texts", async () => {
    const args = ["replay", sample, "--policy", "mini-claude-code", ...estimate, "--at", "46", "--texts"];
    const { out } = await run(args);
    expect(out).toMatch(/\n--- prompt of the summary call ---\n\[user\]\nSince the weekend/);
    expect(out).toMatch(/\n--- system, simulated ---\n\[summary in the system prompt, 1420 tokens\]\n/);
    const { messages } = boundaryAnswer.parse(JSON.parse((await run([...args, "--json"])).out));
    expect(messages).toHaveLength(2);
  });

  it("lists a compaction in the pause after the last request", async () => {
    const idle = ["--set", "idleMinutes=5", "--set", "idleTokens=10000"];
    const { out } = await run(["replay", sample, "--policy", "claude-code", ...estimate, ...idle]);
    expect(out).toMatch(/\n {2}before request 6: .*\(idle, summary\)/);
    expect(out).toMatch(/\n {2}after the last request: .*\(idle, summary\)/);
  });

  it("prints one line per item, or names the requests with a compaction if this one has none", async () => {
    const { out } = await run([...simulated, "--at", "45"]);
    expect(out).toMatch(
      /^codex@as-documented, before request 45: 124,466 → 23,688 \(threshold, summary\), limit 115,200\n/,
    );
    expect(out).toMatch(/\ndropped +1,222 +9 {2}toolResults Read /);
    const { code, err } = await run([...simulated, "--at", "44"]);
    expect([code, err]).toEqual([2, "context-replay: no compaction before request 44; known: 45\n"]);
  });
});
