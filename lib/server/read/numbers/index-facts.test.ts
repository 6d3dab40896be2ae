import { copyFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ledgerOfSession, wasteOfSession } from "@/lib/queries/answers/session-answers";
import { counters } from "../../base/counters";
import { OpenedSession } from "../../sessions/opened-session";
import { assistantLine, fixtureFiles, put, temporaryFolder, userLine } from "../../testing/files";
import { LocalRunner } from "../../threads/local-runner";

const folder = temporaryFolder();

/** Index facts of a file, and the work to get them. */
async function readResult(path: string) {
  const before = { ...counters };
  const { facts } = await new LocalRunner().ingest({ path, summaryOnly: true, indexed: "prompts" });
  return { fidelity: facts?.fidelity, parsed: counters.filesParsed - before.filesParsed };
}

const compacted = fixtureFiles(/\.jsonl?$/).filter((path) => /compact/.test(path) && !/_skeleton/.test(path));

it.each(compacted)(
  "the index has the fidelity of the agent's policy at the compactions of %s, and reads it once",
  async (path) => {
    const { summary } = await new LocalRunner().ingest({ path, fidelity: { recordedOnly: true } });
    const metrics = summary.fidelity?.reanchored;
    const checked = metrics === undefined ? 0 : metrics.hits + metrics.withinError + metrics.misses;
    const expected = metrics === undefined || checked === 0 ? null : { met: metrics.hits, checked };
    // A copy was just written, so it may still grow.
    const copy = join(folder, path.replaceAll("/", "-"));
    copyFileSync(path, copy);
    expect(await readResult(copy)).toEqual({ fidelity: expected, parsed: 1 });
  },
);

it.each(compacted)("the index counts the same re-fetches as the report of %s", async (path) => {
  const read = await new LocalRunner().ingest({ path, summaryOnly: true, indexed: "prompts" });
  const session = new OpenedSession(path, await new LocalRunner().ingest({ path }), new LocalRunner());
  const { needs } = await ledgerOfSession(session, {});
  const counted = needs?.flatMap((boundary) => boundary.needs).filter(({ kind }) => kind === "N3" || kind === "N4");
  const tokens = counted?.reduce((sum, refetch) => sum + refetch.tokens, 0);
  expect(read.facts?.needed).toEqual(counted === undefined ? null : { count: counted.length, tokens });
});

it.each(compacted)("the texts of %s are read once for all facts of the index", async (path) => {
  const copy = join(folder, `old-${path.replaceAll("/", "-")}`);
  copyFileSync(path, copy);
  // An old file is not expected to grow, so no state is kept to continue it.
  utimesSync(copy, 1_700_000_000, 1_700_000_000);
  const before = { ...counters };
  const old = await new LocalRunner().ingest({ path: copy, summaryOnly: true, indexed: "prompts" });
  expect(counters.filesCounted - before.filesCounted).toBeLessThanOrEqual(1);
  copyFileSync(path, copy);
  const growing = await new LocalRunner().ingest({ path: copy, summaryOnly: true, indexed: "prompts" });
  expect(old.facts).toEqual(growing.facts);
});

it("the agent's policy can be checked at more than three of these recordings", async () => {
  const all = await Promise.all(compacted.map(readResult));
  expect(all.filter(({ fidelity }) => fidelity != null).length).toBeGreaterThan(3);
});

it("texts of a session without a compaction are not counted for the index", async () => {
  const before = counters.filesCounted;
  const path = put(folder, "none.jsonl", [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")].join("\n"));
  expect((await readResult(path)).fidelity).toBeNull();
  expect(counters.filesCounted).toBe(before);
});

/** A record of Claude Code with content blocks. */
function record(type: "assistant" | "user", uuid: string, parentUuid: string, content: object[]): string {
  const usage = { input_tokens: 100, output_tokens: 5 };
  const message =
    type === "user" ? { role: type, content } : { id: uuid, model: "claude-opus-4-6", role: type, content, usage };
  return JSON.stringify({ type, uuid, parentUuid, sessionId: "s", timestamp: "2026-02-01T10:00:00.000Z", message });
}

it("shell commands are indexed by program and subcommand, with the sizes of their results", async () => {
  const call = (id: string, command: string) => ({ type: "tool_use", id, name: "Bash", input: { command } });
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

it("the index has the repeated files and unused outputs of the waste report, outputs by command", async () => {
  const read = (id: string) => ({ type: "tool_use", id, name: "Read", input: { file_path: "/shop/cart.ts" } });
  const result = (id: string, content: string) => ({ type: "tool_result", tool_use_id: id, content });
  const output = Array.from({ length: 600 }, (_, at) => `${String.fromCharCode(97 + (at % 26))}passing${at}xyz`).join(
    " ",
  );
  const path = put(
    folder,
    "waste.jsonl",
    [
      userLine("One.", "u1"),
      record("assistant", "a1", "u1", [read("c1")]),
      record("user", "r1", "a1", [result("c1", "const sum = 1; ".repeat(80))]),
      record("assistant", "a2", "r1", [read("c2")]),
      record("user", "r2", "a2", [result("c2", "const sum = 1; ".repeat(80))]),
      record("assistant", "a3", "r2", [{ type: "tool_use", id: "c3", name: "Bash", input: { command: "npm test" } }]),
      record("user", "r3", "a3", [result("c3", output)]),
      ...Array.from({ length: 5 }, (_, at) => [
        assistantLine("Fine.", `b${at}`, at === 0 ? "r3" : `v${at - 1}`),
        userLine("Go on.", `v${at}`, `b${at}`),
      ]).flat(),
    ].join("\n"),
  );
  const { facts } = await new LocalRunner().ingest({ path, summaryOnly: true, indexed: "prompts" });
  const session = new OpenedSession(path, await new LocalRunner().ingest({ path }), new LocalRunner());
  const { findings } = await wasteOfSession(session, { estimator: "bytes-4" });
  const rows = findings.flatMap(({ kind, rows }) => rows.map((row) => ({ ...row, kind })));
  expect(rows.map(({ kind, name }) => [kind, name]).sort()).toEqual([
    ["read-again", "/shop/cart.ts"],
    ["unused-outputs", "Bash"],
  ]);
  const kept = facts?.evidence?.kept ?? [];
  expect(kept.map(({ kind, name }) => [kind, name])).toEqual([
    ["read-again", "/shop/cart.ts"],
    ["unused-outputs", "npm test"],
  ]);
  for (const { kind, sent, usd } of kept) {
    const row = rows.find((one) => one.kind === kind);
    expect([sent, usd]).toEqual([Math.round(row?.tokens ?? 0), expect.closeTo(row?.usd ?? 0, 5)]);
  }
});
