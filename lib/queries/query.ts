import { z } from "zod";
import type { ContextProfile } from "@/lib/core/context/profile";
import type * as contract from "@/lib/queries/contract/schemas";
import { jsonBody } from "@/lib/server/http/json-body";
import type { AppServer } from "@/lib/server/server";
import type { OpenedSession } from "@/lib/server/sessions/opened-session";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A schema of the contract, by its name. */
export type SchemaName = {
  [Name in keyof typeof contract]: (typeof contract)[Name] extends z.ZodType ? Name : never;
}[keyof typeof contract];

/** What is sent back, for the API's document: JSON or events of a schema, or types of files. */
export type AnswerKind =
  | { readonly json: SchemaName }
  | { readonly events: SchemaName }
  | { readonly types: readonly string[] };

/** What a query is given beside the request. */
interface Call {
  /** The session, upload or profile that the path names; empty where it names none. */
  readonly id: string;
  readonly server: AppServer;
  readonly search: URLSearchParams;
}

/** One question that can be asked over HTTP. Its route, its place in the API's document and its refusals follow from it. */
export interface Query {
  readonly method: Method;
  /** Path below the origin; `{id}` stands for any segment. */
  readonly path: string;
  readonly summary: string;
  /** Schema of the address's query. */
  readonly query?: z.ZodObject;
  /** Further parameters that no schema parses, for the document. */
  readonly parameters?: readonly object[];
  /** Schema of the body; `file` for the raw bytes of one. */
  readonly body?: SchemaName | "file";
  /** Absent where nothing is sent back. */
  readonly answer?: AnswerKind;
  readonly status?: 201 | 202 | 204;
  /** Whether the answer waits for whoever asks, such as for a file that is sent: no other work stands still for so long. */
  readonly waitsForClient?: boolean;
  readonly respond: (request: Request, call: Call) => Promise<Response>;
}

/** A query that one opened session answers by itself, also where there is no server. */
export interface SessionQuery extends Query {
  readonly ofSession: (session: OpenedSession, asked: Asked, profile?: ContextProfile) => Promise<unknown>;
}

/** What is asked: the address's query, or the body. */
interface Asked {
  readonly search: URLSearchParams;
  readonly body: unknown;
}

/** Declares a query of one opened session. */
export function sessionQuery(query: Omit<SessionQuery, "respond"> & Partial<Pick<Query, "respond">>): SessionQuery {
  return {
    respond: async (request, { id, server, search }) => {
      const body = query.body === undefined ? undefined : await jsonBody(request);
      const { session, profile } = await server.openWithProfile(id);
      return Response.json(await query.ofSession(session, { search, body }, profile));
    },
    ...query,
  };
}

/** A query in which `where` and `by` may stand several times. */
export function withConditions(query: URLSearchParams): Record<string, string | string[]> {
  return { ...Object.fromEntries(query), where: query.getAll("where"), by: query.getAll("by") };
}

/** An answer without a body. */
export function nothing(): Response {
  return new Response(null, { status: 204 });
}

/** A number as an address has it: only digits, since `Number` also accepts an empty text and `0x5`. */
export function number<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (text) => (typeof text === "string" && /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : text),
    schema,
  );
}
