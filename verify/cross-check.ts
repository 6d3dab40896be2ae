/** Compares the two layers of every policy on every agent's fixtures and on all recordings: boundaries, kept items and token counts. */

import { markdownTable } from "@/bench/support/table";
import { type AllowedDifference, type CrossCheck, type CrossCheckRun, metIn } from "./support/cross-check";
import { formatOfSource } from "./support/loaded-recording";
import { fixtureSources, type RecordingSource, recordingSources } from "./support/recording-sources";
import { DEFAULT_SAMPLING, type Sampling } from "./support/varied-settings";

/** Each agent's driver. A new one takes one line. */
const DRIVERS: Readonly<Record<string, () => Promise<CrossCheck>>> = {
  "claude-code": async () => (await import("@/verify/agents/claude-code/cross-check")).crossCheck,
  clawdcode: async () => (await import("@/verify/agents/clawdcode/cross-check")).crossCheck,
  codex: async () => (await import("@/verify/agents/codex/cross-check")).crossCheck,
  "counted in every mode": async () => (await import("./support/counting-check")).crossCheck,
  custom: async () => (await import("./support/custom-cross-check")).crossCheck,
  "gemini-cli": async () => (await import("@/verify/agents/gemini-cli/cross-check")).crossCheck,
  "mini-claude-code": async () => (await import("@/verify/agents/mini-claude-code/cross-check")).crossCheck,
  openclaw: async () => (await import("@/verify/agents/openclaw/cross-check")).crossCheck,
  opencode: async () => (await import("@/verify/agents/opencode/cross-check")).crossCheck,
  pi: async () => (await import("@/verify/agents/pi/cross-check")).crossCheck,
  "qwen-code": async () => (await import("@/verify/agents/qwen-code/cross-check")).crossCheck,
};

/** Result of one driver over the sources of one format. */
interface Cell {
  files: number;
  runs: number;
  compactions: number;
  differences: number;
}

/** Result of one driver over all sources. */
interface Account {
  readonly cells: Map<string, Cell>;
  readonly differing: string[];
  readonly allowed: Map<string, AllowedDifference>;
  /** The situations that occurred, with their numbers. */
  readonly met: Map<string, number>;
}

/**
 * `npm run verify cross-check [AGENT…] [draws=N] [seed=N] [file=PART]`: checks the policies of all agents, or of those named. `draws` tries
 * more random settings than the default, `seed` chooses them, and `file` limits the check to fixtures and recordings whose `FOLDER/FILE`
 * contains PART.
 */
export async function main(args: readonly string[]): Promise<void> {
  const agents = args.filter((arg) => !arg.includes("="));
  const given = (key: string) => args.find((arg) => arg.startsWith(`${key}=`))?.slice(key.length + 1);
  const number = (key: "draws" | "seed") => Number(given(key));
  const sampling = { cases: number("draws") || DEFAULT_SAMPLING.cases, seed: number("seed") || DEFAULT_SAMPLING.seed };
  const unknown = agents.filter((agent) => !Object.hasOwn(DRIVERS, agent));
  if (unknown.length > 0)
    throw new Error(`no driver of ${unknown.join(", ")}; there are ${Object.keys(DRIVERS).join(", ")}`);
  const chosen = agents.length === 0 ? Object.keys(DRIVERS) : agents;
  const drivers = await Promise.all(chosen.map(async (agent) => [agent, await DRIVERS[agent]?.()] as const));
  const accounts = new Map(chosen.map((agent) => [agent, emptyAccount()]));
  const part = given("file") ?? "";
  const isChosen = ({ name }: RecordingSource) => name.includes(part);
  const fixtures = fixtureSources().filter(isChosen);
  const recordings = recordingSources().filter(isChosen);
  const sources = [...fixtures, ...recordings];
  for (const [at, source] of sources.entries()) {
    if (at % 20 === 0) console.log(`${at} of ${sources.length} files …`);
    for (const [agent, crossCheck] of drivers) {
      const account = accounts.get(agent);
      if (crossCheck !== undefined && account !== undefined) await check(crossCheck, source, sampling, account);
    }
  }
  console.log(`${fixtures.length} fixtures of all formats, ${recordings.length} recordings.\n`);
  print(accounts);
  if ([...accounts.values()].some(({ differing }) => differing.length > 0)) process.exitCode = 1;
}

function emptyAccount(): Account {
  return { cells: new Map(), differing: [], allowed: new Map(), met: new Map() };
}

async function check(
  crossCheck: CrossCheck,
  source: RecordingSource,
  sampling: Sampling,
  account: Account,
): Promise<void> {
  const runs = await crossCheck(source, sampling);
  const format = formatOfSource(source);
  const cell = account.cells.get(format) ?? { files: 0, runs: 0, compactions: 0, differences: 0 };
  account.cells.set(format, cell);
  cell.files += 1;
  for (const run of runs) add(run, source, cell, account);
  for (const [what, times] of metIn(runs)) account.met.set(what, times + (account.met.get(what) ?? 0));
}

function add(run: CrossCheckRun, source: RecordingSource, cell: Cell, { differing, allowed }: Account): void {
  cell.runs += 1;
  cell.compactions += run.compactions;
  cell.differences += run.differences.length;
  for (const text of run.differences) differing.push(`${source.name}, ${run.preset}, ${run.label}: ${text}`);
  for (const { reason, places, most } of run.allowed ?? []) {
    const known = allowed.get(reason);
    allowed.set(reason, { reason, places: places + (known?.places ?? 0), most: Math.max(most, known?.most ?? 0) });
  }
}

function print(accounts: ReadonlyMap<string, Account>): void {
  const rows = [...accounts].flatMap(([agent, { cells }]) =>
    [...cells].map(([format, cell]) => [agent, format, ...counts(cell)]),
  );
  const totals = [...accounts].map(([agent, { cells }]) => [agent, ...counts(total([...cells.values()]))]);
  const head = ["files", "runs", "compactions compared", "differences"];
  console.log(markdownTable(["policy", ...head], totals));
  console.log("\n### By the format of the files\n");
  console.log(markdownTable(["policy", "files of", ...head], rows));
  console.log("\n### Cases that occurred\n");
  const met = [...accounts].flatMap(([agent, account]) =>
    [...account.met].sort().map(([what, times]) => [agent, what, count(times)]),
  );
  console.log(markdownTable(["policy", "what", "times"], met));
  console.log("\n### Allowed differences that occurred\n");
  const allowed = [...accounts].flatMap(([agent, account]) =>
    [...account.allowed.values()].map(({ reason, places, most }) => [agent, reason, count(places), count(most)]),
  );
  console.log(markdownTable(["policy", "reason", "figures", "most, tokens"], allowed));
  console.log("\n### Differences\n");
  const differing = [...accounts].flatMap(([agent, account]) => account.differing.map((text) => `- ${agent}: ${text}`));
  console.log(differing.length === 0 ? "Nothing." : differing.join("\n"));
  console.log(
    "\n`claude-code`, whose source is closed, and `custom` have no exact layer: each is compared with its described rule, written out over a list of items. Their random settings use any estimator, and count by the estimate or calibrated; those of the agents count by the estimate. `counted in every mode` checks every policy except `recorded`: the numbers that it receives before each request, and the tokens that are sent, against a ledger over a plain list of items. Its random settings use any estimator and any counting mode.",
  );
}

function counts({ files, runs, compactions, differences }: Cell): readonly string[] {
  return [files, runs, compactions, differences].map(count);
}

function count(value: number): string {
  return Math.ceil(value).toLocaleString("en");
}

function total(cells: readonly Cell[]): Cell {
  const sum = (pick: (cell: Cell) => number) => cells.reduce((all, cell) => all + pick(cell), 0);
  return {
    files: sum(({ files }) => files),
    runs: sum(({ runs }) => runs),
    compactions: sum(({ compactions }) => compactions),
    differences: sum(({ differences }) => differences),
  };
}
