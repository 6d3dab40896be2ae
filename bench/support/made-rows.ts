import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withShortLists } from "@/lib/queries/boundaries/summarise";
import { choicesOf, choicesQuery } from "@/lib/server/list/choices";
import { facetsOf, facetsQuery } from "@/lib/server/list/facets";
import { IndexColumns } from "@/lib/server/list/index/index-columns";
import { matching } from "@/lib/server/list/list-filter";
import { countOf, listQuery, pageOf } from "@/lib/server/list/list-query";
import type { IndexDatabase } from "@/lib/server/store/database/database";
import { openIndex } from "@/lib/server/store/database/open";
import { type MadeRow, writesOf } from "@/lib/server/testing/listed-rows";
import { hasPostgres, startPostgres } from "@/lib/server/testing/postgres";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import { SAMPLES, SAMPLES_BY_AGENT } from "./inputs";
import { quantile } from "./table";

const LISTED = { sources: ["s"] };
const PROJECTS = 400;
/** Rows of one transaction. */
const AT_ONCE = 200;
const QUERY_COUNT = 100;
const HOUR_MS = 3_600_000;
const WORDS = "test file src error index query shop parse branch cache retry table wren heron 会话 压缩".split(" ");

interface Index {
  readonly database: IndexDatabase;
  readonly columns: IndexColumns;
}

/** The page's queries, each time with another condition. */
const QUERIES: Readonly<Record<string, (index: Index, number: number) => Promise<unknown>>> = {
  list: async (index, number) => {
    const sort = ["-modified", "-cost", "title", "-peak"][number % 4] ?? "";
    return answered(index, { sort, where: [`bytes>${number}`] });
  },
  search: (index, number) =>
    answered(index, { q: ["test", "error", "heron", "会话压"][number % 4], where: [`bytes>${number}`] }),
  "search, a word for the first time": (index, number) => answered(index, { q: `row-${number * 7}` }),
  "search, two characters": (index, number) => answered(index, { q: "ts", where: [`bytes>${number}`] }),
  facets: ({ columns }, number) => facetsOf(columns, LISTED, facetsQuery.parse({ where: [`bytes>${number}`] })),
  choices: ({ columns }, number) => choicesOf(columns, LISTED, choicesQuery.parse({ where: [`bytes>${number}`] })),
};

/** Makes rows of sessions as a team may have them, in each available database, and measures the time of queries. */
export async function madeRows(count: number): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-rows-"));
  const postgres = hasPostgres() ? await startPostgres() : undefined;
  try {
    const rows = await measured("SQLite", count, { dataDir: folder });
    if (postgres === undefined) return [...rows, ["PostgreSQL", "not installed"]];
    const address = await postgres.newDatabase();
    return [...rows, ...(await measured("PostgreSQL", count, { dataDir: folder, address }))];
  } finally {
    postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(
  name: string,
  count: number,
  place: { readonly dataDir: string; readonly address?: string },
): Promise<string[][]> {
  const { database, close } = await openIndex({ root: process.cwd(), ...place });
  const began = performance.now();
  await fill(database, count);
  const rows = [[`${name}: ${count} rows written in, s`, ((performance.now() - began) / 1000).toFixed(1)]];
  const index = { database, columns: new IndexColumns(database) };
  const loaded = performance.now();
  await index.columns.refresh();
  rows.push([`${name}: first question of a start, ms`, (performance.now() - loaded).toFixed(0)]);
  for (const [kind, ask] of Object.entries(QUERIES)) {
    const times: number[] = [];
    for (let number = 0; number < QUERY_COUNT; number++) {
      const asked = performance.now();
      await ask(index, number);
      times.push(performance.now() - asked);
    }
    const [half, most] = [0.5, 0.95].map((share) => quantile(times, share).toFixed(0));
    rows.push([`${name}: ${kind}, p50 and p95 of ${QUERY_COUNT}, ms`, `${half}; ${most}`]);
  }
  await close();
  return rows;
}

/** A page of the list, with the number of all matches, as the API answers. */
async function answered({ database, columns }: Index, parameters: object): Promise<unknown> {
  const query = listQuery.parse({ limit: 50, ...parameters });
  const places = await matching(columns, LISTED, query);
  return [countOf(columns, places), await pageOf(database, columns, places, query)];
}

/** Rows of the samples' sessions, each with a time, a project, words, metrics and models of its own. */
async function fill(database: IndexDatabase, count: number): Promise<void> {
  const runner = new LocalRunner();
  const read = await Promise.all(
    SAMPLES_BY_AGENT.map(({ sample }) =>
      runner.ingest({ path: join(SAMPLES, sample), summaryOnly: true, indexed: "prompts" }),
    ),
  );
  for (let at = 0; at < count; at += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, step) => at + step);
    await database.write(numbers.flatMap((number) => writesOf(database, rowOf(number, read))));
  }
}

function rowOf(number: number, read: readonly Awaited<ReturnType<LocalRunner["ingest"]>>[]): MadeRow {
  const { summary, sparkline, facts } = read[number % read.length] ?? {};
  if (summary === undefined || sparkline === undefined || facts === undefined) throw new Error("there are no samples");
  const time = new Date(1_700_000_000_000 + number * HOUR_MS).toISOString();
  const words = Array.from({ length: 60 }, (_, word) => WORDS[(number * 7 + word * word) % WORDS.length]).join(" ");
  const project = `/home/ada/project-${(number * 31) % PROJECTS}`;
  const share = 1 + (number % 997) / 100;
  const costUsd = summary.costUsd && { ...summary.costUsd, total: (summary.costUsd.total ?? 1) * share };
  return {
    id: `row-${number}`,
    name: `row-${number}.jsonl`,
    agent: summary.agent,
    project,
    title: words.slice(0, 60),
    startedAt: time,
    modifiedAt: time,
    bytes: 1000 + ((number * 7919) % 1_000_000),
    sparkline,
    summary: withShortLists({
      ...summary,
      project,
      startedAt: time,
      endedAt: time,
      requests: summary.requests + (number % 50),
      models: [...summary.models, `model-${number % 12}`],
      ...(costUsd === undefined ? {} : { costUsd }),
    }),
    text: `${words}\n${facts.text}`,
    facts,
  };
}
