import "./node/globals";
import { entriesOf } from "@/lib/core/prices/prices";
import { VERSION_HEADER } from "@/lib/queries/contract/routes";
import type { SessionAnswer } from "@/lib/queries/contract/schemas";
import { SESSION_QUERIES } from "@/lib/queries/session-queries";
import { itemsQuery, itemsRange, wantedSearch } from "@/lib/queries/text-queries";
import { isInputError } from "@/lib/server/base/input-error";
import { pricesAnswerFor, usablePrices } from "@/lib/server/base/prices";
import { accuracyChoice, accuracyEstimators } from "@/lib/server/read/numbers/accuracy";
import { versionKey } from "@/lib/server/read/source-file";
import { encodedColumns, OpenedSession, wantedBy } from "@/lib/server/sessions/opened-session";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import { putFile } from "./node/files";

/** A query of the page, or a file for it. */
export type ToWorker =
  | { readonly id: number; readonly file: File }
  | { readonly id: number; readonly path: string; readonly method: string; readonly body: string | null };

export interface FromWorker {
  readonly id: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

const GZIP = [0x1f, 0x8b];

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  void ("file" in data ? taken(data.file) : answer(data.path, data.method, data.body))
    .catch(problemOf)
    .then((response) => reply(data.id, response));
});

/** Stores a file under its name; a packed one unpacked. */
async function taken(file: File): Promise<Response> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = GZIP.every((byte, at) => head[at] === byte);
  const blob = isPacked ? await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob() : file;
  putFile(file.name, { blob, mtimeMs: file.lastModified });
  return Response.json({ id: file.name });
}

async function reply(id: number, response: Response): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  const message: FromWorker = { id, status: response.status, headers: Object.fromEntries(response.headers), body };
  self.postMessage(message, { transfer: [body.buffer] });
}

const BAD_REQUEST = new Set(["SettingError", "ChoiceError", "UnknownEstimatorError", "ZodError"]);

/** An error in the server's format. */
function problemOf(error: unknown): Response {
  if (isInputError(error)) return problem(422, error.message, error.formats, error.program);
  if (error instanceof Error && BAD_REQUEST.has(error.name)) return problem(400, error.message);
  // A page can report only to the browser's console.
  reportError(error);
  return problem(500, "Something went wrong in this page.");
}

function problem(status: number, detail: string, formats: readonly object[] = [], program?: string): Response {
  return Response.json({ type: "about:blank", title: "Not possible", status, detail, formats, program }, { status });
}

/** Answers like the server's routes about one session, computed by the same functions within the page. */

const runner = new LocalRunner();
const opened = new Map<string, Promise<OpenedSession>>();

interface SessionQuery {
  readonly id: string;
  readonly query: URLSearchParams;
  readonly session: OpenedSession;
}

type Answer = (query: SessionQuery) => Promise<Response>;

/** Queries that the server answers from its list or its store too. */
const ROUTES: Readonly<Record<string, Answer>> = {
  "GET ": async ({ id, session, query }) =>
    Response.json(await sessionAnswer(id, session, query.get("accuracy") ?? "sizes")),
  "GET columns": async ({ session, query }) => {
    const version = { [VERSION_HEADER]: versionKey(session.version) };
    return new Response(await encodedColumns(session, wantedBy(query)), { headers: version });
  },
  "GET items": async ({ session, query }) => {
    const { at: _, ...range } = itemsQuery.parse(Object.fromEntries(query));
    return new Response(await session.items(itemsRange(range)));
  },
  "GET search": async ({ session, query }) => {
    const { q, at: _, ...filter } = wantedSearch(query);
    return Response.json(await session.search(q, filter));
  },
};

/** Queries about no session. A page has no store of profiles and no endpoint for summaries. */
const GENERAL: Readonly<Record<string, (query: URLSearchParams) => object>> = {
  "GET /api/prices": (query) => pricesAnswerFor(query.get("model") ?? undefined),
  "GET /api/policies": () => ({ policies: [] }),
  "GET /api/profiles": () => ({ profiles: [] }),
  "GET /api/summarizer": () => ({ summarizer: null }),
};

/** Answers a request as the server would. Rejects with the errors of the answering functions. */
async function answer(path: string, method: string, body: string | null): Promise<Response> {
  const { pathname, searchParams: query } = new URL(path, "http://page");
  const general = GENERAL[`${method} ${pathname}`];
  if (general !== undefined) return Response.json(general(query));
  const [, id, what = ""] = /^\/api\/sessions\/([^/]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
  if (id === undefined) return notHere();
  const known = decodeURIComponent(id);
  const route = ROUTES[`${method} ${what}`];
  if (route !== undefined) return route({ id: known, query, session: await open(known) });
  const asked = SESSION_QUERIES.find((one) => one.method === method && one.path === `/api/sessions/{id}/${what}`);
  if (asked === undefined) return notHere();
  const given = { search: query, body: body === null ? null : JSON.parse(body) };
  return Response.json(await asked.ofSession(await open(known), given));
}

function notHere(): Response {
  const body = {
    type: "about:blank",
    title: "Not here",
    status: 404,
    detail: "A page without a server cannot do this.",
  };
  return Response.json(body, { status: 404 });
}

function open(path: string): Promise<OpenedSession> {
  const known =
    opened.get(path) ?? runner.ingest({ path, counted: true }).then((read) => new OpenedSession(path, read, runner));
  opened.set(path, known);
  known.catch(() => opened.delete(path));
  return known;
}

async function sessionAnswer(id: string, session: OpenedSession, asked: string): Promise<SessionAnswer> {
  const { summary, version, sparkline, columns } = session;
  const ids = accuracyEstimators(accuracyChoice(asked), summary);
  const { agent, project, title, startedAt } = summary;
  return {
    id,
    source: "page",
    sample: false,
    upload: true,
    name: id,
    agent,
    project,
    title,
    startedAt,
    variant: null,
    bytes: version.bytes,
    modifiedAt: new Date(version.mtimeMs).toISOString(),
    sparkline,
    error: null,
    errorCode: null,
    related: [],
    repeatedRequests: 0,
    version: versionKey(version),
    prices: entriesOf(columns.tables.models, usablePrices()),
    summary: { ...summary, accuracy: await session.accuracy(ids) },
  };
}
