import { z } from "zod";
import type { ContextProfile } from "@/lib/core/context/profile";
import { jsonBody } from "@/lib/server/http/json-body";
import type { AppServer } from "@/lib/server/server";
import type { OpenedSession } from "@/lib/server/sessions/opened-session";
import { type QueryName, ROUTES, type Route } from "./contract/routes";
import * as contract from "./contract/schemas";
import { type Answer, type JsonName, type ParsedBody, SHAPES, type Shape } from "./contract/shapes";

/** Inputs of a query besides the request. */
interface Call {
  /** The session, upload or profile in the path; empty without one. */
  readonly id: string;
  readonly server: AppServer;
  readonly search: URLSearchParams;
}

/** A query with its server side. Its route, its place in the API's document and its rejections follow from it. */
export interface Query extends Route, Shape {
  readonly summary: string;
  /** Schema of the address's query. */
  readonly query?: z.ZodObject;
  /** Parameters that no schema parses, for the document. */
  readonly parameters?: readonly object[];
  /** Types of the files in answers. */
  readonly types?: readonly string[];
  readonly status?: 201 | 202 | 204;
  /** True if the answer waits for the client, such as for an upload: background work does not pause for so long. */
  readonly waitsForClient?: boolean;
  readonly respond: (request: Request, call: Call) => Promise<Response>;
}

/** A query that one opened session can answer without the list, and without a server. */
export interface SessionQuery extends Query {
  readonly ofSession: (session: OpenedSession, asked: SentQuery, profile?: ContextProfile) => Promise<unknown>;
}

/** A query as sent: the URL query, and the body. */
interface SentQuery {
  readonly search: URLSearchParams;
  readonly body: unknown;
}

const SCHEMAS = { ...contract };

/** Defines the answer to a query of the contract. */
export function query(name: QueryName, answered: Omit<Query, keyof Route | keyof Shape>): Query {
  return { ...ROUTES[name], ...SHAPES[name], ...answered };
}

/** Input of a session query, parsed by its schemas. */
interface Parsed<Name extends QueryName, Search extends z.ZodObject> {
  readonly search: z.output<Search>;
  readonly body: ParsedBody<Name>;
}

/** The definition of a session query, as `sessionQuery` takes it. */
interface SessionAnswer<Name extends JsonName, Search extends z.ZodObject>
  extends Omit<Query, keyof Route | keyof Shape | "respond" | "query">,
    Partial<Pick<Query, "respond">> {
  readonly query?: Search;
  readonly ofSession: (
    session: OpenedSession,
    asked: Parsed<Name, Search>,
    profile?: ContextProfile,
  ) => Promise<Answer<Name>>;
}

/** Defines one opened session's answer to a query of the contract. */
export function sessionQuery<Name extends JsonName, Search extends z.ZodObject>(
  name: Name,
  { ofSession, ...answered }: SessionAnswer<Name, Search>,
): SessionQuery {
  const { body: named }: Shape = SHAPES[name];
  const bodySchema = named === undefined || named === "file" ? undefined : SCHEMAS[named];
  const ofParsed: SessionQuery["ofSession"] = (session, { search, body }, profile) => {
    // Types and schemas have the same names.
    const parsed = {
      search: answered.query?.parse(Object.fromEntries(search)),
      body: bodySchema?.parse(body),
    } as Parsed<Name, Search>;
    return ofSession(session, parsed, profile);
  };
  return {
    respond: async (request, { id, server, search }) => {
      const body = bodySchema === undefined ? undefined : await jsonBody(request);
      const { session, profile } = await server.openWithProfile(id);
      return Response.json(await ofParsed(session, { search, body }, profile));
    },
    ...ROUTES[name],
    ...SHAPES[name],
    ...answered,
    ofSession: ofParsed,
  };
}

/** A query that may repeat `where` and `by`. */
export function withConditions(query: URLSearchParams): Record<string, string | string[]> {
  return { ...Object.fromEntries(query), where: query.getAll("where"), by: query.getAll("by") };
}

/** An answer without a body. */
export function nothing(): Response {
  return new Response(null, { status: 204 });
}

/** A number in a URL: only digits, since `Number` also accepts an empty text and `0x5`. */
export function number<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (text) => (typeof text === "string" && /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : text),
    schema,
  );
}
