import { copyFileSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { commandLine } from "@/lib/cli/testing/program";
import { eventsOf } from "@/lib/queries/client/event-answers";
import { adviceEvent, policiesEvent } from "@/lib/queries/contract/schemas";
import { counters } from "../base/counters";
import { ask, post, routeOf } from "../testing/routes";
import { idOf, servedSamples } from "../testing/serving";

const adviceRoute = routeOf("POST", "/api/insights/advice");
const policiesRoute = routeOf("POST", "/api/insights/policies");

const CLAUDE = ["claude-code-duplicate-shipments.jsonl", "claude-code-report-timezone.jsonl"] as const;
const { run } = commandLine();
const folder = servedSamples([...CLAUDE, "codex-sliding-window.jsonl"]);
const VARY = [{ key: "pctOverride", from: 30, to: 60, step: 15 }];
const ASKED = { policy: "claude-code", vary: VARY };

beforeAll(() => {
  copyFileSync(join(folder, CLAUDE[0]), join(folder, "copy.jsonl"));
  // Recently changed files are not cached.
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000);
});

type Body = Parameters<typeof post>[0];

/** The last event of an answer, and the number of sessions in its progress. */
async function lastEvent(route: typeof adviceRoute, body: Body, events: typeof adviceEvent | typeof policiesEvent) {
  const response = await ask(route, "/", {}, post(body));
  expect(response.status).toBe(202);
  let progress = 0;
  for await (const data of eventsOf(response.body ?? new ReadableStream())) {
    const event = events.parse(data);
    if (event.type === "progress") progress = event.of === "files" ? progress : Math.max(progress, event.done);
    else return { progress, event };
  }
  throw new Error("the answer ended before it was given");
}

async function advised(body: Body) {
  const { progress, event } = await lastEvent(adviceRoute, body, adviceEvent);
  return { progress, answer: adviceEvent.parse(event) };
}

it("an insights query waits until all matching files are read", async () => {
  const { progress, event } = await lastEvent(
    policiesRoute,
    { runs: [{ policy: "none" }, { policy: "custom" }] },
    policiesEvent,
  );
  expect(event).toMatchObject({ type: "answer", answer: { sessions: 3, asked: { matched: 3, unread: 0 } } });
  expect(progress).toBe(3);
});

it("the page and the command line give the same recommendation", async () => {
  const { answer } = await advised({ ...ASKED, seed: 7 });
  if (answer.type !== "answer") throw new Error(JSON.stringify(answer));
  const { found, asked, leftOut, settingToType } = answer.answer;
  const asked30to60 = ["--policy", "claude-code", "--vary", "pctOverride=30:60:15", "--seed", "7"];
  const { out } = await run(["recommend", folder, ...asked30to60, "--json"]);
  const {
    policy,
    preset,
    leftOut: _files,
    settingToType: typed,
    currentSettings: _now,
    unaffected: files,
    ...printed
  } = JSON.parse(out);
  const { unaffected, ...same } = found ?? { unaffected: [] };
  expect([same, settingToType]).toEqual([printed, typed]);
  expect([policy, preset, unaffected.length]).toEqual(["claude-code", null, files.length]);
  // The index knows the copy, so it is left out before the query; the command line detects it while reading.
  expect(leftOut.map(({ why }) => why)).toEqual(["other-agent"]);
  expect([asked.matched, asked.ids.length, found?.sessions]).toEqual([3, 3, 2]);
});

it("an insights query covers only matching sessions, and replays nothing when repeated", async () => {
  const body = { ...ASKED, where: ["agent=claude-code"], by: "tokens" };
  const first = await advised(body);
  const again = await advised(body);
  expect(again.answer).toEqual(first.answer);
  expect([first.progress, again.progress]).toEqual([2, 0]);
  const single = await advised({ ...body, sessions: [await idOf(CLAUDE[1])] });
  expect(single.answer).toMatchObject({ answer: { asked: { matched: 1 } } });
  expect(single.progress).toBe(1);
});

it("a second insights query about the same sessions reads no file", async () => {
  const runs = [{ policy: "codex" }, { policy: "gemini-cli" }, { policy: "qwen-code" }];
  const total = async (asked: typeof runs) => {
    const last = policiesEvent.parse((await lastEvent(policiesRoute, { runs: asked }, policiesEvent)).event);
    return last.type === "answer" ? last.answer.rows.map(({ cost }) => cost?.total) : last;
  };
  const first = await total(runs);
  const { filesParsed, filesCounted } = counters;
  expect(await total(runs.toReversed())).toEqual(Array.isArray(first) && first.toReversed());
  expect(counters).toMatchObject({ filesParsed, filesCounted });
});

it("a policy comparison compares each session with itself under the first policy", async () => {
  const runs = [{ policy: "claude-code" }, { policy: "none" }, { policy: "custom", settings: { triggerShare: 0.5 } }];
  const { event } = await lastEvent(policiesRoute, { runs }, policiesEvent);
  const last = policiesEvent.parse(event);
  if (last.type !== "answer") throw new Error(JSON.stringify(last));
  const { rows, sessions } = last.answer;
  expect([sessions, rows.map(({ policy }) => policy)]).toEqual([3, ["claude-code", "none", "custom"]]);
  const [first, none] = rows;
  expect([first?.cost?.saving, none?.compactions]).toEqual([null, 0]);
  const { estimate = 0, low = 1, high = -1 } = none?.tokens?.saving ?? {};
  expect(estimate).toBeCloseTo(1 - (none?.tokens?.total ?? 0) / (first?.tokens?.total ?? 1), 9);
  expect(low <= estimate && estimate <= high).toBe(true);
});

it("an insights query without sessions is rejected, and the error of a condition is named", async () => {
  const wrong = await ask(adviceRoute, "/", {}, post({ ...ASKED, vary: [{ key: "nope", from: 1, to: 2, step: 1 }] }));
  expect([wrong.status, (await wrong.json()).detail]).toEqual([400, expect.stringContaining("unknown setting nope")]);
  expect((await ask(policiesRoute, "/", {}, post({ runs: [{ policy: "none" }] }))).status).toBe(400);
  const { answer } = await advised({ ...ASKED, where: ["nothing"] });
  expect(answer).toMatchObject({ type: "failed", detail: expect.stringContaining("condition") });
  const none = await advised({ ...ASKED, where: ["agent=pi"] });
  expect(none.answer).toMatchObject({ answer: { found: null, asked: { matched: 0 } } });
});

it("an insights query stops if the client leaves", async () => {
  const left = new AbortController();
  const response = await ask(adviceRoute, "/", {}, post({ ...ASKED, seed: 99, by: "neededAgain" }, left.signal));
  left.abort();
  await response.body?.cancel();
  expect((await advised({ ...ASKED, by: "neededAgain", seed: 99 })).answer.type).toBe("answer");
});
