import { ITEM_CATEGORIES } from "@/lib/core/base/categories";
import { type CellValue, csvText } from "@/lib/core/base/csv";
import {
  BOUNDARY_KINDS,
  KINDS,
  ORIGINS,
  type RequestColumns,
  ROLES,
  type SessionColumns,
  TRIGGERS,
} from "@/lib/core/columns/columns";
import { NEVER } from "@/lib/core/columns/membership";
import { pointCount } from "@/lib/core/columns/points";
import { raggedRow } from "@/lib/core/columns/ragged";
import { recordedSeries } from "@/lib/core/context/recorded";
import { ownEstimator } from "@/lib/queries/accuracy/own-estimator";
import { recordingAsSent } from "@/lib/queries/answers/session-answers";
import { instant } from "@/lib/queries/wire/instant";
import type { OpenedSession } from "../sessions/opened-session";
import { maskedItems } from "./texts";

/** The tables of a session: the context at every request, the recorded boundaries, the items. */
const TABLES = ["requests", "boundaries", "items"] as const;
export type TableName = (typeof TABLES)[number];

/** A table of numbers: no cell holds a text of the session. */
interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly CellValue[])[];
}

export async function* csvOf(session: OpenedSession, table: TableName): AsyncGenerator<string> {
  const { heads, rows } = await TABLE[table](session);
  yield csvText(heads, rows);
}

/** All tables as one JSON value, one object per row; with texts, the items' texts, likely secrets masked. */
export async function* jsonOf(session: OpenedSession, withText: boolean): AsyncGenerator<string> {
  const { file, format, agent, agentVersion, startedAt, endedAt, contextWindow } = session.summary;
  const estimator = ownEstimator(session.summary);
  yield JSON.stringify({ file, format, agent, agentVersion, startedAt, endedAt, contextWindow, estimator }).slice(
    0,
    -1,
  );
  for (const name of TABLES) {
    const { heads, rows } = await TABLE[name](session);
    const objects = rows.map((row) => Object.fromEntries(heads.map((head, at) => [head, row[at] ?? null])));
    yield `,${JSON.stringify(name)}:${JSON.stringify(objects)}`;
  }
  if (withText) {
    yield ',"texts":[';
    let before = "";
    for await (const { index, role, kind, text } of maskedItems(session)) {
      yield before + JSON.stringify({ item: index, role, kind, text });
      before = ",";
    }
    yield "]";
  }
  yield "}\n";
}

const TABLE: Readonly<Record<TableName, (session: OpenedSession) => Promise<Table>>> = {
  requests: requestTable,
  boundaries: async ({ columns }) => boundaryTable(columns),
  items: itemTable,
};

/** A number of a column; `null` if it has none. */
function known(value: number | undefined): number | null {
  return value === undefined || value < 0 || value === NEVER || Number.isNaN(value) ? null : value;
}

const USAGE = [
  "input",
  "cacheRead",
  "cacheWrite",
  "cacheWrite1h",
  "output",
  "reasoning",
] as const satisfies readonly (keyof RequestColumns)[];

async function requestTable(session: OpenedSession): Promise<Table> {
  const { columns } = session;
  const { context, estimated, byCategory, unattributed } = recordedSeries(await recordingAsSent(session));
  const { requests, tables } = columns;
  return {
    heads: ["request", "line", "at", "model", "context", "estimated", ...ITEM_CATEGORIES, "unattributed", ...USAGE],
    rows: Array.from({ length: pointCount(columns) }, (_, at) => [
      ...[at, known(requests.line[at]), instant(requests.at[at]), tables.models[requests.model[at] ?? -1] ?? null],
      ...[context[at] ?? null, estimated[at] === 1],
      ...ITEM_CATEGORIES.map((_id, code) => byCategory[code]?.[at] ?? null),
      unattributed[at] ?? null,
      ...USAGE.map((name) => known(requests[name][at])),
    ]),
  };
}

function boundaryTable({ boundaries }: SessionColumns): Table {
  const { request, item, line, kind, trigger, tokensBefore, tokensAfter, kept, cleared } = boundaries;
  return {
    heads: [
      "boundary",
      "request",
      "item",
      "line",
      "kind",
      "trigger",
      "tokensBefore",
      "tokensAfter",
      "keptItems",
      "clearedItems",
    ],
    rows: Array.from({ length: boundaries.length }, (_, at) => [
      ...[at, known(request[at]), known(item[at]), known(line[at])],
      ...[BOUNDARY_KINDS[kind[at] ?? -1] ?? null, TRIGGERS[trigger[at] ?? -1] ?? null],
      ...[known(tokensBefore[at]), known(tokensAfter[at]), raggedRow(kept, at).length, raggedRow(cleared, at).length],
    ]),
  };
}

async function itemTable(session: OpenedSession): Promise<Table> {
  const { columns } = session;
  const recording = await recordingAsSent(session);
  const { tokens } = recording;
  const { entered, dropped, cleared } = recordedSeries(recording);
  const { kind, role, origin, category, message, turn, pair, line, at, bytes, chars } = columns;
  return {
    heads: [
      ...["item", "kind", "role", "origin", "category", "message", "turn", "pair", "line", "at", "bytes", "chars"],
      ...["tokens", "enteredAt", "droppedAt", "clearedAt"],
    ],
    rows: Array.from({ length: columns.length }, (_, row) => [
      ...[row, KINDS[kind[row] ?? -1] ?? null, ROLES[role[row] ?? -1] ?? null, ORIGINS[origin[row] ?? -1] ?? null],
      ...[ITEM_CATEGORIES[category[row] ?? -1] ?? null, known(message[row]), known(turn[row]), known(pair[row])],
      ...[known(line[row]), instant(at[row]), bytes[row] ?? 0, chars[row] ?? 0, tokens[row] ?? 0],
      ...[known(entered[row]), known(dropped[row]), known(cleared[row])],
    ]),
  };
}
