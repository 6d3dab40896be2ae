import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { commandLine } from "@/lib/cli/testing/program";
import { outcomeAnswer } from "@/lib/queries/contract/schemas";
import { addApplied, readApplied } from "../agent-settings/applied-settings";
import { configFrom } from "../base/config";
import { ask, routeOf } from "../testing/routes";
import { servedFolder } from "../testing/serving";

const { run } = commandLine();
const { base, mounted } = servedFolder();
const route = routeOf("GET", "/api/insights/outcome");
const SAMPLE = readFileSync("public/samples/claude-code-duplicate-shipments.jsonl", "utf8");
const YEAR = /"(?:timestamp)":"(\d{4})/.exec(SAMPLE)?.[1] ?? "2026";

/** Sessions of their own: every id of the sample gets a number, and its times the given year. */
function write(from: number, count: number, year: string): void {
  for (let at = from; at < from + count; at++) {
    const own = SAMPLE.replaceAll(/"(sessionId|requestId|id|uuid|parentUuid)":"([^"]+)"/g, `"$1":"$2-${at}"`);
    writeFileSync(join(mounted, `${at}.jsonl`), own.replaceAll(`"timestamp":"${YEAR}`, `"timestamp":"${year}`));
  }
}

function note(at: string): void {
  addApplied(configFrom(process.env).dataDir, {
    ...{
      kind: "applied",
      at,
      agent: "claude-code",
      policy: "claude-code",
      preset: "reported",
      path: "/x/settings.json",
    },
    settings: [{ key: "pctOverride", named: "env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", from: null, to: 45 }],
    ...{ by: "tokens", predicted: { estimate: 0.1, low: 0.05, high: 0.2 }, sessions: 9, projects: 1 },
  });
}

async function answered(query = "") {
  const response = await ask(route, query, {}, { method: "GET" });
  expect(response.status).toBe(200);
  return outcomeAnswer.parse(await response.json());
}

let empty = "";
beforeAll(() => {
  empty = mkdtempSync(join(tmpdir(), "context-replay-outcome-"));
  mkdirSync(join(base, "home"), { recursive: true });
});
afterAll(() => rmSync(empty, { recursive: true, force: true }));

it("the outcome states that no setting was applied yet", async () => {
  expect(await answered()).toMatchObject({ changes: [], damagedLines: [] });
  const { code, out, err } = await run(["outcome", "--no-agent-settings"], "", {
    HOME: empty,
    CONTEXT_REPLAY_DATA: empty,
  });
  expect([code, out]).toEqual([0, ""]);
  expect(err).toContain("no setting was applied; recommend --apply applies one and notes its prediction.");
});

it("page and command line give the same outcome, before and after there are enough sessions", async () => {
  const { dataDir } = configFrom(process.env);
  write(0, 9, YEAR);
  note("2095-01-01T00:00:00.000Z");
  write(20, 3, "2096");
  const outcome = async (...more: string[]) => (await run(["outcome", mounted, ...more])).out;
  expect(await outcome()).toContain("realised:  not enough sessions yet (3 of 8)");
  write(30, 6, "2096");
  const found = JSON.parse(await outcome("--json"));
  // The server reads the new files in the background.
  await vi.waitFor(async () => expect(await answered()).toEqual(found), { timeout: 60_000, interval: 200 });
  const { before, after, saving, unmatched } = found.changes[0];
  expect([before.sessions, after.sessions, unmatched, saving]).toEqual([9, 9, 0, { estimate: 0, low: 0, high: 0 }]);
  expect(before.perRequest).toBeCloseTo(after.perRequest, 9);
  // A later change ends the time of the first one.
  note("2095-06-01T00:00:00.000Z");
  appendFileSync(join(dataDir, "applied-settings.jsonl"), '{"kind":"applied"}\nnot JSON\n');
  const [last, first] = (await answered()).changes;
  expect([first?.after.sessions, first?.unmatched, last?.before.sessions, last?.after.sessions]).toEqual([0, 9, 0, 0]);
  const { err } = await run(["outcome", mounted]);
  expect(err).toContain("2 lines of");
  expect(err).toContain("cannot be read: 3, 4.");
});

it("a setting recorded after an incomplete line is read", () => {
  const { dataDir } = configFrom(process.env);
  appendFileSync(join(dataDir, "applied-settings.jsonl"), '{"kind":"appl');
  note("2097-01-01T00:00:00.000Z");
  const { applied, damagedLines } = readApplied(dataDir);
  expect([applied.at(-1)?.at, damagedLines]).toEqual(["2097-01-01T00:00:00.000Z", [3, 4, 5]]);
});
