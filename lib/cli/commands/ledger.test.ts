import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ledger, replayResult } from "@/lib/queries/contract/schemas";
import { commandLine, LONG } from "../testing/program";

const { run, good } = commandLine();

/** A sample with a recorded compaction. */
const COMPACTED = join("public", "samples", "claude-code-duplicate-shipments.jsonl");

async function answer(...args: string[]) {
  return ledger.parse(JSON.parse((await run(["ledger", ...args, "--json"])).out));
}

describe("ledger", () => {
  it("prints each re-fetch after a recorded compaction with its price and the places of both fetches", async () => {
    const { needs: refetches, predictor } = await answer(COMPACTED);
    const [boundary, ...more] = refetches ?? [];
    expect(more).toEqual([]);
    const of = (kind: string) => boundary?.needs.filter((refetch) => refetch.kind === kind && !refetch.runAgain) ?? [];
    expect(boundary).toMatchObject({ kind: "recorded", neededAgain: 13, N3: { count: 13 }, N4: { count: 0 } });
    expect(of("N3")).toHaveLength(13);
    expect(boundary?.N2?.count).toBe(of("N2").reduce((sum, { lines }) => sum + (lines ?? 0), 0));
    expect(boundary?.neededAgainTokens).toBe([...of("N3"), ...of("N4")].reduce((sum, { tokens }) => sum + tokens, 0));
    for (const refetch of boundary?.needs ?? []) {
      expect(refetch.dropped).toBeLessThan(refetch.needed);
      expect(refetch.request).toBe((boundary?.request ?? 0) + refetch.requestsLater);
      expect(refetch.usd).not.toBeNull();
    }
    expect(boundary?.summary?.paths.needed).toBe(13);
    expect(predictor?.bought).toBeGreaterThan(0);
  });

  it("prints as many re-fetches after a policy's compactions as replay counts", async () => {
    const policy = ["--policy", "custom", "--set", "triggerShare=0.3"];
    const { needs: refetches, predictor } = await answer(LONG, ...policy);
    const replayed = replayResult.parse(JSON.parse((await run(["replay", LONG, ...policy, "--json"])).out));
    expect(refetches?.map(({ request, neededAgain }) => [request, neededAgain])).toEqual(
      replayed.compactions.map(({ request, neededAgain }) => [request, neededAgain]),
    );
    const tokens = refetches?.reduce((sum, one) => sum + one.neededAgainTokens, 0);
    expect([tokens, replayed.totals.neededAgain]).toEqual([replayed.totals.neededAgainTokens, 9]);
    expect([refetches?.[0]?.N1, refetches?.[0]?.runAgain, refetches?.[0]?.summary, predictor]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it("prints sentences if --json is absent", async () => {
    const { out, code } = await run(["ledger", COMPACTED]);
    expect(code).toBe(0);
    expect(out).toContain("re-fetched 13, ");
    expect(out).toMatch(/the summary names \d+ of 13 re-fetched paths; \d+ of the \d+ that it names were used/);
  });

  it("lists no compaction for a session without one", async () => {
    expect((await answer(good)).needs).toEqual([]);
  });

  it("rejects an unknown policy, and names an unreadable file", async () => {
    expect((await run(["ledger", good, "--policy", "nobody"])).code).toBe(2);
    expect((await run(["ledger", "missing.jsonl", good, "--json"])).code).toBe(3);
  });
});
