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

it("sessions prints one row per matching session, equal to the API's", async () => {
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

it("stats prints the findings that the API answers, one line each", async () => {
  const { out } = await listed("stats", mounted, "--json");
  const { findings } = JSON.parse(out);
  expect(insightsAnswer.shape.findings.parse(findings).map(({ id }) => id)).toEqual(["threshold"]);
  expect((await listed("stats", mounted)).out).toContain(
    "\n\nfindings\nNo threshold is shown to be better: 0 of 1 session of Claude Code are large enough to try one " +
      "(no evidence: at least 8 are needed)\n",
  );
});

it("stats sums matching sessions", async () => {
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

it("sessions names a missing folder and lists the others", async () => {
  const absent = join(folder, "absent");
  const file = join(mounted, "one.jsonl");
  for (const command of ["sessions", "stats"]) {
    const { code, out, err } = await listed(command, absent, mounted, file, "--json");
    expect([code, err]).toEqual([
      3,
      `context-replay: ${absent} is no folder that can be read.\ncontext-replay: ${file} is no folder that can be read.\n`,
    ]);
    expect(out).toBe((await listed(command, mounted, "--json")).out);
  }
});

it("sessions reports a folder without sessions, and does not list samples instead", async () => {
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

it("sessions lists the sessions of an agent's database in a given folder", async () => {
  const kept = join(folder, "kept");
  mkdirSync(kept);
  const file = newOpencodeDatabase(join(kept, "opencode.db"));
  const id = putExport(file, JSON.parse(readFileSync("lib/agents/opencode/fixtures/calls-and-results.json", "utf8")));
  file.close();
  const { out, code } = await listed("sessions", kept, "--json");
  expect([code, jsonLines(out).map((row) => sessionRow.parse(row).name)]).toEqual([0, [id]]);
});
