import { copyFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ledgerOfSession } from "@/lib/queries/answers/questions";
import { counters } from "../../base/counters";
import { OpenedSession } from "../../sessions/opened-session";
import { assistantLine, fixtureFiles, put, temporaryFolder, userLine } from "../../testing/files";
import { LocalRunner } from "../../threads/local-runner";

const folder = temporaryFolder();

/** Index facts of a file, and the work to get them. */
async function learnt(path: string) {
  const before = { ...counters };
  const { facts } = await new LocalRunner().ingest({ path, summaryOnly: true, indexed: "prompts" });
  return { fidelity: facts?.fidelity, parsed: counters.filesParsed - before.filesParsed };
}

const compacted = fixtureFiles(/\.jsonl?$/).filter((path) => /compact/.test(path) && !/_skeleton/.test(path));

it.each(compacted)(
  "the index has how the agent's policy does at the compactions of %s, which is read once",
  async (path) => {
    const { summary } = await new LocalRunner().ingest({ path, fidelity: { recordedOnly: true } });
    const metrics = summary.fidelity?.reanchored;
    const checked = metrics === undefined ? 0 : metrics.hits + metrics.withinError + metrics.misses;
    const expected = metrics === undefined || checked === 0 ? null : { met: metrics.hits, checked };
    // A copy has been written to a moment ago, as if it might grow.
    const copy = join(folder, path.replaceAll("/", "-"));
    copyFileSync(path, copy);
    expect(await learnt(copy)).toEqual({ fidelity: expected, parsed: 1 });
  },
);

it.each(compacted)("the index has what the ledger of %s says was needed again", async (path) => {
  const read = await new LocalRunner().ingest({ path, summaryOnly: true, indexed: "prompts" });
  const session = new OpenedSession(path, await new LocalRunner().ingest({ path }), new LocalRunner());
  const { needs } = await ledgerOfSession(session, {});
  const counted = needs?.flatMap((boundary) => boundary.needs).filter(({ kind }) => kind === "N3" || kind === "N4");
  const tokens = counted?.reduce((sum, refetch) => sum + refetch.tokens, 0);
  expect(read.facts?.needed).toEqual(counted === undefined ? null : { count: counted.length, tokens });
});

it.each(compacted)("the texts of %s are gone through once for everything that the index asks of them", async (path) => {
  const copy = join(folder, `old-${path.replaceAll("/", "-")}`);
  copyFileSync(path, copy);
  // As nothing has been written to it for long, nothing is kept for when it grows.
  utimesSync(copy, 1_700_000_000, 1_700_000_000);
  const before = { ...counters };
  const old = await new LocalRunner().ingest({ path: copy, summaryOnly: true, indexed: "prompts" });
  expect(counters.filesCounted - before.filesCounted).toBeLessThanOrEqual(1);
  copyFileSync(path, copy);
  const growing = await new LocalRunner().ingest({ path: copy, summaryOnly: true, indexed: "prompts" });
  expect(old.facts).toEqual(growing.facts);
});

it("some of them can be checked", async () => {
  const all = await Promise.all(compacted.map(learnt));
  expect(all.filter(({ fidelity }) => fidelity != null).length).toBeGreaterThan(3);
});

it("texts of a session without a compaction are not counted for it", async () => {
  const before = counters.filesCounted;
  const path = put(folder, "none.jsonl", [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")].join("\n"));
  expect((await learnt(path)).fidelity).toBeNull();
  expect(counters.filesCounted).toBe(before);
});

it("commands of shell calls are known by program and subcommand, with the sizes of their results", async () => {
  const call = (id: string, command: string) => ({ type: "tool_use", id, name: "Bash", input: { command } });
  const record = (type: "assistant" | "user", uuid: string, parentUuid: string, content: object[]) => {
    const usage = { input_tokens: 100, output_tokens: 5 };
    const message =
      type === "user" ? { role: type, content } : { id: uuid, model: "claude-opus-4-6", role: type, content, usage };
    return JSON.stringify({ type, uuid, parentUuid, sessionId: "s", timestamp: "2026-02-01T10:00:00.000Z", message });
  };
  const result = (id: string, chars: number) => ({ type: "tool_result", tool_use_id: id, content: "x".repeat(chars) });
  const path = put(
    folder,
    "commands.jsonl",
    [
      userLine("One.", "u1"),
      record("assistant", "a1", "u1", [
        call("c1", "cd /shop && git diff HEAD~1"),
        call("c2", "npm run build -- --all"),
      ]),
      record("user", "r1", "a1", [result("c1", 400), result("c2", 80)]),
      record("assistant", "a2", "r1", [call("c3", "git -C /shop diff")]),
      record("user", "r2", "a2", [result("c3", 40)]),
      assistantLine("Two.", "a3", "r2"),
    ].join("\n"),
  );
  const { facts } = await new LocalRunner().ingest({ path, summaryOnly: true, indexed: "prompts" });
  expect(facts?.evidence?.commands.map(({ name, fetches }) => [name, fetches])).toEqual([
    ["git diff", 2],
    ["npm run build", 1],
  ]);
});
