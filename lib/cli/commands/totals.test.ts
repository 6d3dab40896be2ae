import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  cost as costAnswer,
  type SessionFacets,
  sessionFacets,
  sessionRow,
  sessionSummary,
} from "@/lib/queries/contract/schemas";
import { put } from "@/lib/server/testing/files";
import { commandLine, jsonLines } from "../testing/program";

const { run, folder } = commandLine();
let places = 0;

/** The only listed folder, with some files. */
function listedFolder(files: Readonly<Record<string, readonly object[]>>) {
  const place = join(folder, `place-${places++}`);
  mkdirSync(place);
  for (const [name, records] of Object.entries(files)) {
    const path = name.split("/");
    if (path.length > 1) mkdirSync(join(place, ...path.slice(0, -1)), { recursive: true });
    put(place, name, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  }
  const env = { HOME: join(place, "home"), CONTEXT_REPLAY_DATA: join(place, "data"), TZ: "UTC" };
  return {
    place,
    ask: (args: readonly string[], more = {}) => run(args, "", { ...env, ...more }),
    stats: async (args: readonly string[], more = {}): Promise<SessionFacets> => {
      const { out } = await run(["stats", place, "--json", ...args], "", { ...env, ...more });
      return sessionFacets.parse(JSON.parse(out));
    },
    rows: async () =>
      jsonLines((await run(["sessions", place, "--json"], "", env)).out).map((row) => sessionRow.parse(row)),
  };
}

interface CodexRequest {
  readonly at: number;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

const CODEX_ID = (number: number) => `01970000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const record = (at: number, type: string, payload: object) => ({
  timestamp: new Date(at).toISOString(),
  type,
  payload,
});

/** A Codex rollout. Copies of the session that it was forked from are stamped with the time of the fork. */
function rollout(
  number: number,
  began: number,
  requests: readonly CodexRequest[],
  fork?: { readonly from: number; readonly copied: readonly CodexRequest[]; readonly asSubagent?: boolean },
  model = "gpt-5.2-codex",
) {
  const parentField = fork?.asSubagent ? "parent_thread_id" : "forked_from_id";
  const meta = (id: number, more = {}) => ({
    cwd: "/home/ada/shop",
    cli_version: "0.153.3",
    source: "cli",
    id: CODEX_ID(id),
    ...more,
  });
  const total = { input: 0, cached: 0, output: 0 };
  const asked = ({ input, cached, output }: CodexRequest, at: number) => {
    total.input += input;
    total.cached += cached;
    total.output += output;
    const usage = (of: typeof total) => ({
      ...{ input_tokens: of.input, cached_input_tokens: of.cached, output_tokens: of.output },
      ...{ reasoning_output_tokens: 0, total_tokens: of.input + of.output },
    });
    const text = (role: string, type: string) => ({
      type: "message",
      role,
      content: [{ type, text: `Text ${input}.` }],
    });
    return [
      record(at - 2, "response_item", text("user", "input_text")),
      record(at - 1, "response_item", text("assistant", "output_text")),
      record(at, "event_msg", {
        type: "token_count",
        info: { total_token_usage: usage(total), last_token_usage: usage({ input, cached, output }) },
      }),
    ];
  };
  return [
    record(began, "session_meta", meta(number, fork && { [parentField]: CODEX_ID(fork.from) })),
    ...(fork === undefined || fork.asSubagent ? [] : [record(began, "session_meta", meta(fork.from))]),
    record(began + 1, "turn_context", { model, cwd: "/home/ada/shop" }),
    ...(fork?.copied ?? []).flatMap((one, at) => asked(one, began + 10 * (at + 1))),
    ...requests.flatMap((one) => asked(one, one.at)),
  ];
}

const rolloutName = (number: number) => `rollout-2026-06-20T08-00-00-${CODEX_ID(number)}.jsonl`;
const HOUR = 3_600_000;
const BEGAN = Date.parse("2026-06-20T08:00:00Z");
const PARENT = [
  { at: BEGAN + 10_000, input: 10_000, cached: 0, output: 200 },
  { at: BEGAN + 310_000, input: 11_000, cached: 9984, output: 300 },
];
const SINGLE = { at: BEGAN + 10_000, input: 1000, cached: 0, output: 10 };
const FORKED = BEGAN + 5 * 24 * HOUR + 2 * HOUR;

it.each([false, true])(
  "a fork has the same own requests in all commands, even if listed alone (subagent: %s)",
  async (asSubagent) => {
    const next = { at: FORKED + 70_000, input: 12_000, cached: 10_880, output: 150 };
    const files = {
      [rolloutName(1)]: rollout(1, BEGAN, PARENT),
      [rolloutName(2)]: rollout(2, FORKED, [next], { from: 1, copied: PARENT, asSubagent }),
    };
    const own = async (listed: ReturnType<typeof listedFolder>) => {
      const file = join(listed.place, rolloutName(2));
      const alone = sessionSummary.parse(JSON.parse((await listed.ask(["inspect", file, "--json"])).out));
      const priced = costAnswer.parse(JSON.parse((await listed.ask(["cost", file, "--json"])).out));
      const row = (await listed.rows()).find(({ name }) => name === rolloutName(2));
      return [alone.bill, priced.bill, row?.bill].map((bill) => [bill?.own?.requests, bill?.inherited?.requests]);
    };
    const both = listedFolder(files);
    const [fork, policy] = [join(both.place, rolloutName(2)), ["--policy", "codex"]];
    for (const command of [
      ["replay", fork, ...policy],
      ["compare", fork, ...policy, ...policy],
    ])
      expect((await both.ask(command)).out).toContain("The metrics include 2 inherited requests; `cost` lists");
    const parent = ["replay", join(both.place, rolloutName(1)), ...policy];
    expect((await both.ask(parent)).out).not.toContain("inherited");
    expect((await both.stats([])).total).toMatchObject({ requests: 3, sent: 33_000, output: 650 });
    expect(await own(both)).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    // The row's tokens are those of the session's page; `sent` filters and sorts by the same number.
    const found = await both.ask(["sessions", both.place, "--where", "sent=33000", "--json"]);
    expect(jsonLines(found.out).map((row) => sessionRow.parse(row).name)).toEqual([rolloutName(2)]);
    expect((await both.ask(["sessions", both.place, "--where", "sent=12000", "--json"])).out).toBe("");
    const lone = listedFolder({ [rolloutName(2)]: files[rolloutName(2)] ?? [] });
    const { total, facets } = await lone.stats(["--by", "day"]);
    expect(total).toMatchObject({ requests: 1, sent: 12_000, output: 150, sessions: 1 });
    expect(facets.day?.map(({ value, requests }) => [value, requests])).toEqual([["2026-06-25", 1]]);
    expect(await own(lone)).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
  },
);

it("a total without a model's price names the model and the row that adds the price", async () => {
  const { stats, rows, ask, place } = listedFolder({
    [rolloutName(1)]: rollout(1, BEGAN, PARENT),
    [rolloutName(2)]: rollout(2, BEGAN + 48 * HOUR, [{ ...SINGLE, at: BEGAN + 48 * HOUR }], undefined, "house-9"),
    [rolloutName(3)]: rollout(3, BEGAN, [SINGLE, { ...SINGLE, at: BEGAN + 24 * HOUR }], undefined, "__proto__"),
  });
  const { total, facets } = await stats(["--by", "day"]);
  expect(total).toMatchObject({ costUsd: null, unpriced: 2, unpricedModels: ["__proto__", "house-9"] });
  expect(facets.day?.map(({ value, unpricedModels }) => [value, unpricedModels])).toEqual([
    ["2026-06-22", ["house-9"]],
    ["2026-06-21", ["__proto__"]],
    ["2026-06-20", ["__proto__"]],
  ]);
  const byModel = (await stats(["--by", "model"])).facets.model;
  expect(byModel?.map(({ value, unpricedModels }) => [value, unpricedModels])).toEqual([
    ["__proto__", ["__proto__"]],
    ["gpt-5.2-codex", undefined],
    ["house-9", ["house-9"]],
  ]);
  const house = (await rows()).find(({ name }) => name === rolloutName(2));
  expect([house?.bill?.own?.costUsd.unpricedModels, house?.summary?.costUsd?.unpricedModels]).toEqual([
    ["house-9"],
    ["house-9"],
  ]);
  const added =
    'No price is known for house-9. To add one, put a row {"model": "house-9", "input": …, "output": …} in ~/.config/context-replay/prices.json, or in a file passed with --prices FILE.';
  const policy = ["--policy", "codex"];
  const house9 = join(place, rolloutName(2));
  const vary = [...policy, "--vary", "summaryTokens=1000:2000:1000"];
  const commands = [
    ["inspect"],
    ["cost"],
    ["replay", ...policy],
    ["compare", ...policy, ...policy],
    ["sweep", ...vary],
  ];
  for (const [command = "", ...options] of commands)
    expect((await ask([command, house9, ...options])).out.split("\n").map((one) => one.trim())).toContain(added);
  for (const command of ["stats", "sessions"]) {
    const lines = (await ask([command, place])).out.split("\n");
    expect(lines).toContain(added.replace("house-9.", "__proto__.").replace('"house-9"', '"__proto__"'));
    expect(lines).toContain("No price is known for house-9 either: add a row for each.");
  }
  const replayed = await ask(["replay", house9, ...policy, "--json"]);
  expect(JSON.parse(replayed.out).totals).toMatchObject({ costUsd: null, unpricedModels: ["house-9"] });
  const [point] = jsonLines((await ask(["sweep", house9, ...vary, "--json"])).out);
  expect(point).toMatchObject({ totals: { costUsd: null, unpricedModels: ["house-9"] } });
  const priced = join(place, rolloutName(1));
  const advised = JSON.parse((await ask(["recommend", priced, house9, ...vary, "--json"])).out);
  expect(advised.leftOut).toEqual([{ file: house9, why: "no-figure", unpricedModels: ["house-9"] }]);
  expect((await ask(["recommend", priced, house9, ...vary])).out).toContain(added);
  expect((await ask(["recommend", house9, ...vary])).err).toContain(added);
  const inspected = await ask(["inspect", join(place, rolloutName(2)), "--json"]);
  expect(sessionSummary.parse(JSON.parse(inspected.out)).costUsd?.unpricedModels).toEqual(["house-9"]);
  expect((await ask(["inspect", join(place, rolloutName(1))])).out).not.toContain("No price is known");
  for (const files of [[2], [1, 2]]) {
    const paths = files.map((number) => join(place, rolloutName(number)));
    const report = await ask(["export", ...paths, "--to", "html"]);
    expect(report.out).toContain(
      "No price is known for house-9. To add one, put a row {&#34;model&#34;: &#34;house-9&#34;",
    );
  }
});

it("requests of a fork with new timestamps count once, each on its own day", async () => {
  const own = { at: FORKED + 70_000, input: 12_000, cached: 10_880, output: 150 };
  const { stats, rows, ask, place } = listedFolder({
    [rolloutName(1)]: rollout(1, BEGAN, PARENT),
    [rolloutName(2)]: rollout(2, FORKED, [own], { from: 1, copied: PARENT }),
  });
  const { total, facets } = await stats(["--by", "day"]);
  expect(total).toMatchObject({ sessions: 2, copies: 0, requests: 3, sent: 33_000, cacheRead: 20_864, output: 650 });
  expect(facets.day?.map(({ value, requests, sent }) => [value, requests, sent])).toEqual([
    ["2026-06-25", 1, 12_000],
    ["2026-06-20", 2, 21_000],
  ]);
  expect(total.costUsd).toBeCloseTo(0.033989, 6);
  const fork = (await rows()).find(({ name }) => name === rolloutName(2));
  expect(fork?.bill).toMatchObject({
    own: { requests: 1, usage: { input: 1120, cacheRead: 10_880, output: 150 } },
    inherited: { requests: 2, from: [CODEX_ID(1)] },
    subagents: null,
  });
  expect((await ask(["sessions", place, "--sort", "started"])).out).toMatch(/requests +inherited +compactions +cost/);
  const { out } = await ask(["inspect", join(place, rolloutName(2))]);
  expect(out).toContain(`3 requests (2 of them inherited from ${CODEX_ID(1)}), `);
  expect(out).toContain("Inherited, not in the sum: 2 requests, $0.0280.");
});

it("a fork without a user prompt counts no request", async () => {
  const { stats, rows, ask, place } = listedFolder({
    [rolloutName(1)]: rollout(1, BEGAN, PARENT),
    [rolloutName(2)]: rollout(2, FORKED, [], { from: 1, copied: PARENT }),
  });
  expect((await stats([])).total).toMatchObject({ sessions: 2, copies: 1, requests: 2, output: 500 });
  const { out } = await ask(["cost", join(place, rolloutName(2))]);
  expect(out).toContain("nothing of its own: 2 requests, all of them inherited");
  expect(out).not.toContain("\n\n\n");
  for (const command of ["cost", "inspect"]) {
    const answer = JSON.parse((await ask([command, join(place, rolloutName(2)), "--json"])).out);
    expect(answer.costUsd, command).toMatchObject({ total: 0, lowerBound: false });
  }
  const fork = (await rows()).find(({ name }) => name === rolloutName(2));
  expect(fork?.bill).toMatchObject({ own: null, inherited: { requests: 2 } });
});

it("distinct requests of a tree of forks count once, and those of independent sessions all count", async () => {
  const fork = fc.record({ parent: fc.nat(), copied: fc.nat(), own: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(fc.array(fork, { minLength: 2, maxLength: 5 }), async (drawn) => {
      const histories: CodexRequest[][] = [];
      const files: Record<string, readonly object[]> = {};
      let [at, input] = [BEGAN, 1000];
      const later = () => {
        at += HOUR;
        return at;
      };
      let distinct = 0;
      for (const [number, one] of drawn.entries()) {
        const parent = number === 0 ? undefined : one.parent % number;
        const history = parent === undefined ? [] : (histories[parent] ?? []);
        const copied = history.slice(0, one.copied % (history.length + 1));
        const began = later();
        const own = Array.from({ length: one.own }, () => ({
          at: later(),
          input: ++input,
          cached: 0,
          output: 10,
        }));
        distinct += own.length;
        histories.push([...copied, ...own]);
        files[rolloutName(number)] = rollout(
          number,
          began,
          own,
          parent === undefined ? undefined : { from: parent, copied },
        );
      }
      // Two independent sessions with equal counts.
      for (const number of [100, 101])
        files[rolloutName(number)] = rollout(number, later(), [{ at: later(), input: 5, cached: 0, output: 10 }]);
      const { stats } = listedFolder(files);
      const { total, facets } = await stats(["--by", "day"]);
      expect([total.requests, total.output]).toEqual([distinct + 2, 10 * (distinct + 2)]);
      expect(facets.day?.reduce((sum, { requests }) => sum + (requests ?? 0), 0)).toBe(distinct + 2);
    }),
    { numRuns: 4 },
  );
});

interface ClaudeRequest {
  readonly session: string;
  readonly at: string;
  readonly id: string;
  readonly parent?: string | undefined;
  readonly read: number;
  readonly write: number;
  readonly model?: string;
  readonly agentId?: string;
  /** The passes that the response lists. */
  readonly iterations?: readonly object[];
}

/** A prompt and a response of Claude Code. */
function exchange({
  session,
  at,
  id,
  parent,
  read,
  write,
  model = "claude-sonnet-4-5-20250929",
  agentId,
  iterations,
}: ClaudeRequest) {
  const time = (seconds: number) => new Date(Date.parse(at) + seconds * 1000).toISOString();
  const common = {
    isSidechain: agentId !== undefined,
    sessionId: session,
    version: "2.1.29",
    cwd: "/home/ada/shop",
    ...(agentId && { agentId }),
  };
  return [
    {
      ...common,
      parentUuid: parent ?? null,
      type: "user",
      uuid: `${id}-u`,
      timestamp: time(-5),
      message: { role: "user", content: `Say ${id}.` },
    },
    {
      ...common,
      ...{ parentUuid: `${id}-u`, type: "assistant", uuid: `${id}-a`, timestamp: time(0), requestId: `req_${id}` },
      message: {
        ...{ id: `msg_${id}`, type: "message", role: "assistant", model, stop_reason: "end_turn" },
        content: [{ type: "text", text: "Done." }],
        usage: {
          input_tokens: 3,
          cache_read_input_tokens: read,
          cache_creation_input_tokens: write,
          output_tokens: 100,
          ...(iterations && { iterations }),
        },
      },
    },
  ];
}

it("`stats` and `cost` count the passes of a session's responses alike", async () => {
  const usage = (read: number, write: number, output: number) => {
    return {
      input_tokens: 0,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: write,
      output_tokens: output,
    };
  };
  const iterations = [
    { type: "message", ...usage(0, 20_000, 40), input_tokens: 3 },
    { type: "message", ...usage(20_000, 900, 60) },
  ];
  const at = "2026-09-10T09:00:00.000Z";
  const { rows, ask, place } = listedFolder({
    "passes.jsonl": exchange({ session: "passes", at, id: "m1", read: 20_000, write: 20_900, iterations }),
  });
  const { out } = await ask(["cost", join(place, "passes.jsonl"), "--json"]);
  const [row] = await rows();
  expect(row?.bill?.passes).toMatchObject({ requests: 1 });
  expect(row?.bill?.passes).toEqual(JSON.parse(out).bill.passes);
});

it("sums of folders do not depend on folders listed earlier", async () => {
  const { place, ask } = listedFolder({
    [`one/${rolloutName(1)}`]: rollout(1, BEGAN, PARENT),
    [`two/${rolloutName(1)}`]: rollout(1, BEGAN, PARENT),
    [`two/${rolloutName(3)}`]: rollout(3, BEGAN + 1, [SINGLE], { from: 1, copied: [], asSubagent: true }),
  });
  const asked = async (...folders: string[]) => {
    const dirs = folders.map((name) => join(place, name));
    const { total } = sessionFacets.parse(JSON.parse((await ask(["stats", ...dirs, "--json"])).out));
    const rows = jsonLines((await ask(["sessions", ...dirs, "--json"])).out).map((row) => sessionRow.parse(row));
    return [total.requests, total.output, rows.map(({ bill }) => bill?.subagents?.requests ?? 0).sort()];
  };
  expect(await asked("one")).toEqual([2, 500, [0]]);
  expect(await asked("two")).toEqual([3, 510, [0, 1]]);
  expect(await asked("one", "two")).toEqual([3, 510, [0, 0, 1]]);
  expect(await asked("one")).toEqual([2, 500, [0]]);
  expect(await asked("two")).toEqual([3, 510, [0, 1]]);
  // A removed file leaves its requests to the copies, and its parent without a subagent.
  rmSync(join(place, "two", rolloutName(3)));
  expect(await asked("one", "two")).toEqual([2, 500, [0, 0]]);
  rmSync(join(place, "one", rolloutName(1)));
  expect(await asked("one", "two")).toEqual([2, 500, [0]]);
});

it("each request counts on its own day in the requested time zone", async () => {
  const at = ["2026-09-10T23:50:00.000Z", "2026-09-11T00:10:00.000Z"] as const;
  const { stats, ask, place } = listedFolder({
    "night.jsonl": [
      ...exchange({ session: "night", at: at[0], id: "m1", read: 0, write: 20_000 }),
      ...exchange({ session: "night", at: at[1], id: "m2", parent: "m1-a", read: 20_000, write: 1000 }),
    ],
  });
  const daysOf = async (args: readonly string[], more = {}) =>
    (await stats(["--by", "day", ...args], more)).facets.day?.map(({ value, sessions, requests }) => [
      value,
      sessions,
      requests,
    ]);
  const apart = [
    ["2026-09-11", 1, 1],
    ["2026-09-10", 1, 1],
  ];
  expect(await daysOf([])).toEqual(apart);
  expect(await daysOf(["--tz", "America/Los_Angeles"])).toEqual([["2026-09-10", 1, 2]]);
  expect(await daysOf([], { TZ: "America/Los_Angeles" })).toEqual([["2026-09-10", 1, 2]]);
  expect(await daysOf(["--tz", "Asia/Kolkata"])).toEqual([["2026-09-11", 1, 2]]);
  const { total, facets, timeZone } = await stats(["--by", "day"]);
  expect(timeZone).toBe("UTC");
  for (const name of ["requests", "sent", "output", "bytes", "pricedUsd"] as const)
    expect(facets.day?.reduce((sum, one) => sum + (one[name] ?? 0), 0)).toBeCloseTo(total[name] ?? 0, 9);
  // A selected day counts only its own requests.
  expect((await stats(["--where", "day=2026-09-11"])).total).toMatchObject({ sessions: 1, requests: 1, sent: 21_003 });
  expect((await stats(["--where", "day>2026-09-11"])).total).toMatchObject({ sessions: 0 });
  const { code, err } = await ask(["stats", place, "--tz", "Mars/Olympus"]);
  expect([code, err]).toEqual([2, expect.stringContaining("It must be a time zone, such as Europe/Berlin.")]);
});

it("requests without times belong to no day, whatever the time of their file", async () => {
  const lines = exchange({ session: "undated", at: "2026-09-10T23:50:00.000Z", id: "m1", read: 0, write: 20_000 });
  const undated = lines.map(({ timestamp: _, ...record }) => record);
  const { facets } = await listedFolder({ "undated.jsonl": undated }).stats(["--by", "day"]);
  expect(facets.day?.map(({ value, requests }) => [value, requests])).toEqual([[null, 1]]);
});

it("a session's cost is shown beside that of its subagents, and each is summed once", async () => {
  const haiku = "claude-haiku-4-5-20251001";
  const { stats, rows, ask, place } = listedFolder({
    "shop.jsonl": [
      ...exchange({ session: "shop", at: "2026-09-10T10:00:00.000Z", id: "m1", read: 0, write: 30_000 }),
      ...exchange({
        session: "shop",
        at: "2026-09-10T10:05:00.000Z",
        id: "m2",
        parent: "m1-a",
        read: 30_000,
        write: 500,
      }),
    ],
    "shop/subagents/agent-ag1.jsonl": exchange({
      ...{
        session: "shop",
        at: "2026-09-10T10:02:00.000Z",
        id: "s1",
        read: 0,
        write: 20_000,
        model: haiku,
        agentId: "ag1",
      },
    }),
  });
  const { total } = await stats([]);
  expect(total).toMatchObject({ sessions: 2, requests: 3, output: 300 });
  const all = await rows();
  const rowOf = (name: string) => all.find((row) => row.name.endsWith(name));
  const own = rowOf("shop.jsonl")?.bill;
  expect(own).toMatchObject({ own: { requests: 2 }, inherited: null, subagents: { requests: 1, files: 1 } });
  expect(own?.subagents?.costUsd).toEqual(rowOf("agent-ag1.jsonl")?.bill?.own?.costUsd);
  expect((own?.own?.costUsd.total ?? 0) + (own?.subagents?.costUsd.total ?? 0)).toBeCloseTo(total.costUsd ?? 0, 9);
  expect((await ask(["sessions", place])).out).toMatch(/cost +with subagents +title/);
  const asked = ["cost", join(place, "shop.jsonl")];
  const cost = costAnswer.parse(JSON.parse((await ask([...asked, "--json"])).out));
  expect(cost).toMatchObject({ requests: 2, bill: { subagents: { requests: 1, files: 1 } } });
  expect((cost.costUsd.total ?? 0) + (cost.bill.subagents?.costUsd.total ?? 0)).toBeCloseTo(total.costUsd ?? 0, 9);
  expect((await ask(asked)).out).toMatch(/1 request of subagents \(1 file beside this one\), .*; together /);
});

it("`cost` counts a subagent once whose requests are in its own file and in the session's, at the chosen model's price", async () => {
  const haiku = "claude-haiku-4-5-20251001";
  const first = { session: "shop", at: "2026-09-10T10:00:00.000Z", id: "m1", read: 0, write: 30_000 };
  const asked = { session: "shop", at: "2026-09-10T10:02:00.000Z", id: "s1", read: 0, write: 20_000, model: haiku };
  const own = exchange({ ...asked, agentId: "ag1" });
  const later = exchange({ ...asked, at: "2026-09-10T10:03:00.000Z", id: "s2", agentId: "ag2" });
  const { rows, ask, place } = listedFolder({
    "shop.jsonl": [...exchange(first), ...own, ...later],
    "shop/subagents/agent-ag1.jsonl": own,
  });
  const row = (await rows()).find(({ name }) => name.endsWith("shop.jsonl"));
  const costOf = async (...more: string[]) =>
    costAnswer.parse(JSON.parse((await ask(["cost", join(place, "shop.jsonl"), "--json", ...more])).out)).bill
      .subagents;
  const { each, ...sum } = (await costOf()) ?? {};
  expect(sum).toEqual(row?.bill?.subagents);
  expect(sum).toMatchObject({ requests: 2, files: 1 });
  expect(each).toHaveLength(1);
  // 3 plain, 20,000 written and 100 of output at 5, 6.25 and 25 dollars a million, twice.
  expect((await costOf("--on", "claude-opus-4-5"))?.costUsd.total).toBeCloseTo(2 * (0.000015 + 0.125 + 0.0025), 9);
});

it("a recorded summary call counts in the compacted session, and is not a session of its own", async () => {
  const session = "5e000000-0000-4000-8000-00000000000a";
  const first = { session, at: "2026-09-10T10:00:00.000Z", id: "m1", read: 0, write: 150_000 };
  const call = { session, at: "2026-09-10T10:02:00.000Z", id: "c1", parent: "m1-a", read: 150_000, write: 2000 };
  const boundary = {
    ...{ type: "system", subtype: "compact_boundary", uuid: "b1", parentUuid: null, logicalParentUuid: "m1-a" },
    ...{ timestamp: "2026-09-10T10:02:01.000Z", sessionId: session, isSidechain: false, version: "2.1.29" },
    compactMetadata: { trigger: "manual", preTokens: 150_103 },
  };
  const copied = exchange({ ...first, agentId: "acompact-1f2e3d" });
  // Copies by an older release have other times and request ids.
  const restamped = copied.map((one) => ({
    ...{ ...one, timestamp: "2026-09-10T10:01:59.000Z", uuid: `${one.uuid}-copy` },
    ...("requestId" in one && { requestId: "req_copy" }),
  }));
  const later = exchange({ session, at: "2026-09-10T10:03:00.000Z", id: "m2", parent: "b1", read: 0, write: 20_000 });
  const asked = exchange({ ...call, agentId: "acompact-1f2e3d" });
  const { stats, rows, ask, place } = listedFolder({
    [`${session}.jsonl`]: [...exchange(first), boundary, ...later],
    [`${session}/subagents/agent-acompact-1f2e3d.jsonl`]: [...copied, ...asked],
    [`${session}/subagents/agent-acompact-4a5b6c.jsonl`]: [...restamped, ...asked],
  });
  const { total } = await stats([]);
  expect(total).toMatchObject({ sessions: 1, requests: 3, compactions: 1, cacheRead: 150_000, cacheWrite: 172_000 });
  const [row, ...others] = await rows();
  expect(others).toEqual([]);
  expect(row?.bill).toMatchObject({ own: { requests: 2 }, compactions: { requests: 1 }, subagents: null });
  // 150,000 read, 2,000 written, 3 plain and 100 of output at 0.30, 3.75, 3 and 15 dollars a million.
  const price = 0.045 + 0.0075 + 0.000009 + 0.0015;
  expect(row?.bill?.compactions?.costUsd.total).toBeCloseTo(price, 9);
  const file = join(place, `${session}.jsonl`);
  const cost = costAnswer.parse(JSON.parse((await ask(["cost", file, "--json"])).out));
  expect(cost).toMatchObject({ requests: 2, bill: { compactions: { requests: 1 } } });
  expect(cost.costUsd.total).toBeCloseTo(total.costUsd ?? 0, 9);
  expect(cost.boundaries).toMatchObject([{ callIsRecorded: true, callUsd: expect.closeTo(price, 9) }]);
});

it("a session's summary call counts in none of its subagents", async () => {
  const session = "5e000000-0000-4000-8000-00000000000b";
  const first = { session, at: "2026-09-10T10:00:00.000Z", id: "m1", read: 0, write: 150_000 };
  const call = { session, at: "2026-09-10T10:02:00.000Z", id: "c1", parent: "m1-a", read: 150_000, write: 2000 };
  const explored = { session, at: "2026-09-10T10:01:00.000Z", id: "s1", read: 0, write: 9000 };
  const subagent = `${session}/subagents/agent-ag1.jsonl`;
  const { rows, ask, place } = listedFolder({
    [`${session}.jsonl`]: exchange(first),
    [subagent]: exchange({ ...explored, agentId: "ag1" }),
    [`${session}/subagents/agent-acompact-1f2e3d.jsonl`]: [
      ...exchange({ ...first, agentId: "acompact-1f2e3d" }),
      ...exchange({ ...call, agentId: "acompact-1f2e3d" }),
    ],
  });
  const { out } = await ask(["inspect", join(place, subagent), "--json"]);
  const [inspected, row] = [
    sessionSummary.parse(JSON.parse(out)),
    (await rows()).find(({ name }) => name.endsWith("ag1.jsonl")),
  ];
  for (const one of [inspected, row])
    expect(one?.bill).toMatchObject({ own: { requests: 1 }, inherited: null, compactions: null });
});

it("requests that a resumed session copied count once", async () => {
  const requests = (session: string) => [
    ...exchange({ session, at: "2026-09-10T10:00:00.000Z", id: "m1", read: 0, write: 30_000 }),
    ...exchange({ session, at: "2026-09-10T10:05:00.000Z", id: "m2", parent: "m1-a", read: 30_000, write: 500 }),
  ];
  const more = (session: string, id: string, at: string) =>
    exchange({ session, at, id, parent: "m2-a", read: 0, write: 31_000 });
  const { stats } = listedFolder({
    "one.jsonl": [...requests("one"), ...more("one", "m3", "2026-09-10T11:00:00.000Z")],
    "two.jsonl": [...requests("two"), ...more("two", "m4", "2026-09-10T12:00:00.000Z")],
  });
  expect((await stats([])).total).toMatchObject({
    requests: 4,
    input: 12,
    cacheRead: 30_000,
    cacheWrite: 92_500,
    output: 400,
  });
});

it("the session list marks a lower bound with ≥", async () => {
  const [prompt, answer] = exchange({ session: "s", at: "2026-09-10T10:00:00.000Z", id: "m1", read: 0, write: 30_000 });
  const { ask, place } = listedFolder({ "s.jsonl": [prompt ?? {}, answer ?? {}] });
  const { out } = await ask(["sessions", place]);
  const [{ summary } = { summary: null }] = jsonLines((await ask(["sessions", place, "--json"])).out).map((row) =>
    sessionRow.parse(row),
  );
  expect(summary?.costUsd?.lowerBound).not.toBeNull();
  expect(/≥ \$/.test(out)).toBe(summary?.costUsd?.lowerBound);
});
