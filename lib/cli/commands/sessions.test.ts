import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { insightsAnswer, sessionFacets, sessionRow } from "@/lib/queries/contract/schemas";
import { newOpencodeDatabase, putExport } from "@/lib/server/testing/agent-databases";
import { assistantLine, put, userLine } from "@/lib/server/testing/files";
import { commandLine, jsonLines } from "../testing/program";

const { run, folder } = commandLine();
const mounted = join(folder, "mounted");
mkdirSync(mounted);
put(mounted, "one.jsonl", [userLine("Why is it slow?", "u1"), assistantLine("Two.", "a1", "u1")].join("\n"));
put(mounted, "two.jsonl", `${userLine("请重构数据库", "u2")}\n`);

const own = { HOME: join(folder, "home"), CONTEXT_REPLAY_DATA: join(folder, "data") };
const listed = (...args: string[]) => run(args, "", own);

it("sessions prints a row per matching session, equal to the API's row", async () => {
  const { code, out } = await listed("sessions", mounted, "--json", "--sort", "title");
  expect(code).toBe(0);
  const rows = jsonLines(out).map((row) => sessionRow.parse(row));
  expect(rows.map(({ name }) => name)).toEqual(["one.jsonl", "two.jsonl"]);
  const names = async (...args: string[]) =>
    (await listed("sessions", mounted, "--json", ...args)).out
      .split("\n")
      .filter(Boolean)
      .map((row) => JSON.parse(row).name);
  expect(await names("--where", "requests>=1")).toEqual(["one.jsonl"]);
  expect(await names("--search", "数据库")).toEqual(["two.jsonl"]);
  expect(await names("--limit", "1", "--sort", "-title")).toEqual(["two.jsonl"]);
  const text = (await listed("sessions", mounted)).out;
  // Claude Code under-reports output tokens.
  expect(text).toMatch(/ ≥ \$\d\S* +Why is it slow\?$/m);
});

it("stats prints the findings of the API, one per line", async () => {
  const { out } = await listed("stats", mounted, "--json");
  const { findings } = JSON.parse(out);
  expect(insightsAnswer.shape.findings.parse(findings).map(({ id }) => id)).toEqual(["threshold"]);
  expect((await listed("stats", mounted)).out).toContain(
    "\n\nfindings\nNo evidence for another trigger yet: 0 of 1 session of Claude Code are large enough to try one " +
      "(too few sessions: at least 8 are needed)\n",
  );
});

it("stats sums the matching sessions", async () => {
  const { code, out } = await listed("stats", mounted, "--by", "model", "--json");
  expect(code).toBe(0);
  const { total, facets } = sessionFacets.parse(JSON.parse(out));
  expect(total).toMatchObject({ sessions: 2, requests: 1, sent: 108, output: 7 });
  expect(facets.model?.map(({ value }) => value)).toEqual(["claude-opus-4-6"]);
  const text = await listed("stats", mounted, "--by", "day");
  expect(text.out).toMatch(/^day +sessions/);
  expect(text.out).toContain("2026-02-01");
  // Claude Code under-reports output tokens.
  expect(text.out).toMatch(/^all .*≥ \$/m);
});

it("stats splits a session by branch, worktree and subagent", async () => {
  const places = join(folder, "places");
  mkdirSync(places);
  const claude = (id: string, parent: string | null, input: number, more: object) => ({
    ...{ type: "assistant", uuid: id, parentUuid: parent, sessionId: "s-1", version: "2.1.87", isSidechain: false },
    ...{
      userType: "external",
      cwd: "/home/ada/cli",
      gitBranch: "main",
      timestamp: `2026-02-01T09:00:0${id.at(-1)}.000Z`,
    },
    message: {
      ...{ id: `msg_${id}`, model: "claude-opus-4-6", role: "assistant", stop_reason: "end_turn" },
      content: [{ type: "text", text: "Done." }],
      usage: { input_tokens: input, output_tokens: 1 },
    },
    ...more,
  });
  const prompt = { ...claude("u0", null, 0, {}), type: "user", message: { role: "user", content: "Fix it." } };
  put(
    places,
    "claude.jsonl",
    [
      prompt,
      claude("a1", "u0", 1000, {}),
      claude("a2", "a1", 200, { gitBranch: "fix", cwd: "/home/ada/cli/.claude/worktrees/fix/src" }),
      claude("x3", null, 30, { isSidechain: true, agentId: "ag1" }),
    ]
      .map((record) => JSON.stringify(record))
      .join("\n"),
  );
  const codex = (type: string, payload: object, second: number) =>
    JSON.stringify({ timestamp: `2026-03-02T09:00:0${second}.000Z`, type, payload });
  const header = (branch: string, second: number) =>
    codex("session_meta", { id: "019c-1", cwd: "/home/ada/app", cli_version: "0.142.2", git: { branch } }, second);
  const turn = (text: string, total: number, last: number, second: number) => [
    codex("turn_context", { cwd: "/home/ada/app", model: "gpt-5" }, second),
    codex("response_item", { type: "message", role: "user", content: [{ type: "input_text", text }] }, second),
    codex("response_item", { type: "message", role: "assistant", content: [{ type: "output_text", text }] }, second),
    codex(
      "event_msg",
      {
        type: "token_count",
        info: {
          total_token_usage: { input_tokens: total, output_tokens: 2, total_tokens: total + 2 },
          last_token_usage: { input_tokens: last, output_tokens: 1, total_tokens: last + 1 },
        },
      },
      second,
    ),
  ];
  put(
    places,
    "codex.jsonl",
    [header("main", 1), ...turn("One", 5000, 5000, 2), header("fix", 3), ...turn("Two", 11_000, 6000, 4)].join("\n"),
  );
  const by = async (facet: string, ...more: string[]) => {
    const { facets } = sessionFacets.parse(
      JSON.parse((await listed("stats", places, "--by", facet, "--json", ...more)).out),
    );
    const groups = facets[facet as "branch"] ?? [];
    return Object.fromEntries(groups.map(({ value, requests, sent, sessions }) => [value, [requests, sent, sessions]]));
  };
  expect(await by("branch")).toEqual({ main: [3, 6030, 2], fix: [2, 6200, 2] });
  expect(await by("worktree")).toEqual({
    "/home/ada/cli": [2, 1030, 1],
    "/home/ada/cli/.claude/worktrees/fix": [1, 200, 1],
    "/home/ada/app": [2, 11_000, 1],
  });
  expect(await by("subagent")).toEqual({ null: [4, 12_200, 2], "s-1/ag1": [1, 30, 1] });
  expect(await by("branch", "--where", "worktree=/home/ada/cli/.claude/worktrees/fix")).toEqual({
    main: [2, 1030, 1],
    fix: [1, 200, 1],
  });
  expect((await listed("stats", places, "--by", "subagent")).out).toMatch(/^main chain +2 /m);
});

it("stats sums the recorded durations of compactions, and prints null if none is recorded", async () => {
  const idle = join(folder, "idle");
  mkdirSync(idle);
  put(idle, "idle.jsonl", readFileSync("lib/agents/claude-code/fixtures/idle-compactions.jsonl", "utf8"));
  const { total } = sessionFacets.parse(JSON.parse((await listed("stats", idle, "--json")).out));
  expect([total.compactions, total.compactingMs]).toEqual([3, 68_000]);
  expect(sessionFacets.parse(JSON.parse((await listed("stats", mounted, "--json")).out)).total.compactingMs).toBeNull();
});

it("sessions names a missing folder, and lists the other folders", async () => {
  const absent = join(folder, "absent");
  const file = join(mounted, "one.jsonl");
  for (const command of ["sessions", "stats"]) {
    const { code, out, err } = await listed(command, absent, mounted, file, "--json");
    expect([code, err]).toEqual([
      3,
      `context-replay: ${absent} is not a readable folder.\ncontext-replay: ${file} is not a readable folder.\n`,
    ]);
    expect(out).toBe((await listed(command, mounted, "--json")).out);
  }
});

it("sessions states that a folder has no sessions, and does not list samples instead", async () => {
  const empty = join(folder, "empty");
  mkdirSync(empty);
  put(empty, "notes.txt", "not a session\n");
  const sentence = `context-replay: There are no sessions in ${empty}.\n`;
  for (const command of ["sessions", "stats"]) {
    const nobody = { HOME: join(folder, "nobody"), CONTEXT_REPLAY_DATA: join(folder, `data-of-${command}`) };
    const { code, out, err } = await run([command, empty], "", nobody);
    expect([code, out, err]).toEqual([0, "", sentence]);
    const beside = await listed(command, empty, mounted, "--json");
    expect([beside.code, beside.err]).toEqual([0, sentence]);
    expect(beside.out).toBe((await listed(command, mounted, "--json")).out);
    const nowhere = await run([command], "", nobody);
    expect([nowhere.code, nowhere.out, nowhere.err]).toEqual([0, "", "context-replay: There are no sessions.\n"]);
  }
  const { out } = await run(["stats", empty, "--json"], "", { ...own, HOME: join(folder, "nobody") });
  expect(sessionFacets.parse(JSON.parse(out)).total).toMatchObject({ sessions: 0, requests: null });
});

it("sessions rejects an invalid condition with one sentence", async () => {
  const { code, out, err } = await listed("sessions", mounted, "--where", "colour=red");
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("A condition is a key");
});

it.each(["", "copies", "copies/2026/laptop"])(
  "commands find an agent's database in a given folder: %j",
  async (below) => {
    const kept = join(folder, `kept-${below.replaceAll("/", "-")}`);
    mkdirSync(join(kept, below), { recursive: true });
    const file = newOpencodeDatabase(join(kept, below, "opencode.db"));
    const id = putExport(file, JSON.parse(readFileSync("lib/agents/opencode/fixtures/calls-and-results.json", "utf8")));
    file.close();
    const { out, code, err } = await listed("sessions", kept, "--json");
    expect([code, err, jsonLines(out).map((row) => sessionRow.parse(row).name)]).toEqual([0, "", [id]]);
    const { total } = sessionFacets.parse(JSON.parse((await listed("stats", kept, "--json")).out));
    expect([total.sessions, total.requests]).toEqual([1, 3]);
    const waste = await listed("waste", kept, "--json");
    expect([waste.code, waste.err, jsonLines(waste.out).length]).toEqual([0, "", 1]);
  },
);
