import { describe, expect, it } from "vitest";
import { contributors, replayResult } from "@/lib/api/contract";
import { commandLine, LONG } from "./testing/program";

const { run, good } = commandLine("contributors");

describe("contributors", () => {
  const replayed = ["--policy", "custom", "--set", "triggerShare=0.3"];

  it.each([
    ["recorded", ["--by", "tool"]],
    ["at a request", ["--by", "file", "--at", "20"]],
    ["simulated", ["--by", "turn", ...replayed]],
  ])("%s: prints results of the contract that sum to the context and to what was sent", async (_what, args) => {
    const { code, out } = await run(["contributors", LONG, ...args, "--json"]);
    const answer = contributors.parse(JSON.parse(out));
    const sum = (pick: (row: (typeof answer.contributors)[number]) => number) =>
      answer.contributors.reduce((total, row) => total + pick(row), 0);
    expect(sum(({ tokens }) => tokens)).toBe(answer.context);
    expect(sum(({ residency }) => residency)).toBeCloseTo(answer.sent, 3);
    expect([code, answer.unusedTools]).toEqual([0, null]);
  });

  it("of a replay are of the context that the replay prints", async () => {
    const answer = contributors.parse(JSON.parse((await run(["contributors", LONG, ...replayed, "--json"])).out));
    const { totals } = replayResult.parse(JSON.parse((await run(["replay", LONG, ...replayed, "--json"])).out));
    expect([answer.context, answer.sent]).toEqual([totals.final, totals.tokensSent]);
  });

  it("print a few lines for a person, without steering the terminal", async () => {
    const { out } = await run(["contributors", good, "--by", "message", "--limit", "1"]);
    expect(out).toMatch(/^request 0, recorded: \d+ tokens in the context, \d+ sent until here\n/);
    expect(out).toMatch(/window never 95 % full/);
    expect(out).not.toContain("\u001b");
  });
});
