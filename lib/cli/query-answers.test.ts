import { describe, expect, it } from "vitest";
import type { CompareAnswer, ReplayResult } from "@/lib/queries/contract/types";
import { SESSION_QUERIES } from "@/lib/queries/session-queries";
import { OpenedSession } from "@/lib/server/sessions/opened-session";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import { commandLine, LONG } from "./testing/program";

const { run } = commandLine();
const runner = new LocalRunner();
const session = new OpenedSession(
  LONG,
  await runner.ingest({ path: LONG, name: "codex-sliding-window.jsonl" }),
  runner,
);

/** A query's answer as the API sends it. */
async function answerOf(name: string, search: Readonly<Record<string, string>> = {}, body: unknown = undefined) {
  const query = SESSION_QUERIES.find(({ path }) => path === `/api/sessions/{id}/${name}`);
  const answer = await query?.ofSession(session, { search: new URLSearchParams(search), body });
  return JSON.parse(JSON.stringify(answer));
}

async function json(...args: readonly string[]) {
  return (await run([...args, "--json"])).out;
}

const policy = "custom";
const settings = { triggerShare: 0.3 };
const REPLAYED = [LONG, "--policy", policy, "--set", "triggerShare=0.3"];

/** Commands for every query that has one about a single file. */
const COMMANDS: Readonly<Record<string, () => Promise<readonly [string, unknown]>>> = {
  breakdown: async () => [await json("breakdown", LONG), await answerOf("breakdown")],
  contributors: async () => [
    await json("contributors", LONG, "--by", "file", "--limit", "9"),
    await answerOf("contributors", { by: "file", limit: "9" }),
  ],
  waste: async () => [await json("waste", LONG), await answerOf("waste")],
  cost: async () => [await json("cost", LONG), await answerOf("cost")],
  ledger: async () => [await json("ledger", LONG), await answerOf("ledger", {}, {})],
  replay: async () => [await json("replay", ...REPLAYED), await answerOf("replay", {}, { policy, settings })],
  boundary: async () => {
    const { compactions }: ReplayResult = await answerOf("replay", {}, { policy, settings });
    const at = compactions[0]?.request ?? -1;
    return [
      await json("replay", ...REPLAYED, "--at", String(at), "--texts"),
      await answerOf("boundary", {}, { policy, settings, at }),
    ];
  },
  compare: async () => {
    const { runs, ...rest }: CompareAnswer = await answerOf(
      "compare",
      {},
      { runs: [{ policy: "recorded" }, { policy }] },
    );
    // One line per run, then their common part.
    const lines = [...runs, rest].map((one) => JSON.stringify(one)).join(",");
    const out = await json("compare", LONG, "--policy", "recorded", "--policy", policy);
    return [`[${out.trim().replaceAll("\n", ",")}]`, JSON.parse(`[${lines}]`)];
  },
};
const WITHOUT_COMMAND = ["fidelity", "overhead"];

describe("--json prints the API's answer", () => {
  it.each(Object.entries(COMMANDS))("to the query %s", async (_name, answers) => {
    const [out, answer] = await answers();
    expect(JSON.parse(out)).toEqual(answer);
  });

  it("to every session query that has a command", () => {
    const names = SESSION_QUERIES.map(({ path }) => path.split("/").at(-1));
    expect(names.sort()).toEqual([...Object.keys(COMMANDS), ...WITHOUT_COMMAND].sort());
  });
});
