import { describe, expect, it } from "vitest";
import { contributors, replayResult } from "@/lib/queries/contract/schemas";
import { assistantLine, put, userLine } from "@/lib/server/testing/files";
import { commandLine, LONG } from "../testing/program";

const { run, folder, good } = commandLine();

describe("contributors", () => {
  const replayed = ["--policy", "custom", "--set", "triggerShare=0.3"];

  it.each([
    ["recorded", ["--by", "tool"]],
    ["at a request", ["--by", "file", "--at", "20"]],
    ["simulated", ["--by", "turn", ...replayed]],
  ])("%s: results match the contract, and sum to the context and the tokens sent", async (_what, args) => {
    const { code, out } = await run(["contributors", LONG, ...args, "--json"]);
    const answer = contributors.parse(JSON.parse(out));
    const sum = (pick: (row: (typeof answer.contributors)[number]) => number) =>
      answer.contributors.reduce((total, row) => total + pick(row), 0);
    expect(sum(({ tokens }) => tokens)).toBe(answer.context);
    expect(sum(({ residency }) => residency)).toBeCloseTo(answer.sent, 3);
    expect(answer.inputUsd).toBeGreaterThan(0.2);
    expect(sum(({ usd }) => usd ?? Number.NaN)).toBeCloseTo(answer.inputUsd ?? 0, 6);
    expect([code, answer.unusedTools]).toEqual([0, null]);
  });

  it("gives the same context as replay under a policy", async () => {
    const answer = contributors.parse(JSON.parse((await run(["contributors", LONG, ...replayed, "--json"])).out));
    const { totals } = replayResult.parse(JSON.parse((await run(["replay", LONG, ...replayed, "--json"])).out));
    expect([answer.context, answer.sent]).toEqual([totals.final, totals.tokensSent]);
  });

  describe("contributors of a session with more messages than table rows", () => {
    const many = put(
      folder,
      "many.jsonl",
      Array.from({ length: 1200 }, (_, index) =>
        index % 2 === 0
          ? userLine(`Question ${index}.`, `m${index}`, index === 0 ? undefined : `m${index - 1}`)
          : assistantLine("Always the same answer.", `m${index}`, `m${index - 1}`),
      ).join("\n"),
    );

    it("lists all messages in JSON, and they sum to the context", async () => {
      const { out } = await run(["contributors", many, "--by", "message", "--json"]);
      const answer = contributors.parse(JSON.parse(out));
      expect(answer.contributors.length).toBeGreaterThanOrEqual(1200);
      expect([answer.contributors.length, answer.leftOut]).toEqual([answer.total, { contributors: 0, repeated: 0 }]);
      expect(answer.contributors.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(answer.context);
    });

    it("JSON states how many rows a limit hides", async () => {
      const { out } = await run(["contributors", many, "--by", "message", "--json", "--limit", "3"]);
      const { contributors: rows, total, leftOut } = contributors.parse(JSON.parse(out));
      expect([rows.length, leftOut.contributors]).toEqual([3, total - 3]);
    });

    it("the text states hidden rows, too", async () => {
      const { out } = await run(["contributors", many, "--by", "message"]);
      expect(out).toMatch(/^… \d,?\d{3} more, not shown; --limit N shows more$/m);
    });
  });

  it("states how many repeated tokens are not shown", async () => {
    const ask = async (...args: readonly string[]) => (await run(["contributors", LONG, ...args])).out;
    const { repeated, leftOut } = contributors.parse(JSON.parse(await ask("--json")));
    expect([repeated.length > 1, leftOut.repeated]).toEqual([true, 0]);
    const one = contributors.parse(JSON.parse(await ask("--json", "--limit", "1")));
    expect([one.repeated.length, one.leftOut.repeated]).toEqual([1, repeated.length - 1]);
    expect(await ask("--limit", "1")).toContain(`… ${repeated.length - 1} more, not shown; --limit N shows more`);
  });

  it("prints a short text without control characters", async () => {
    const { out } = await run(["contributors", good, "--by", "message", "--limit", "1"]);
    expect(out).toMatch(
      /^request 0, recorded, anchored \(recorded usage\): \d+ tokens in the context, \d+ sent until here, for \$0\.000096 by list prices\n/,
    );
    expect(out).toMatch(/window never 95 % full/);
    expect(out).not.toContain("\u001b");
  });
});
