import { handler, type RouteHandler } from "@/lib/server/http/handler";
import { HttpError } from "@/lib/server/http/http-error";
import { KEPT_QUERIES } from "./kept-queries";
import { LIST_QUERIES } from "./list-queries";
import { openApi } from "./openapi";
import { type Query, query } from "./query";
import { SESSION_QUERIES } from "./session-queries";
import { TEXT_QUERIES } from "./text-queries";

/** All HTTP queries. Routes, rejections and the API's document are made from it. */
export const QUERIES: readonly Query[] = [
  ...LIST_QUERIES,
  ...TEXT_QUERIES,
  ...SESSION_QUERIES,
  ...KEPT_QUERIES,
  query("openapi", {
    summary: "This document",
    types: ["application/json"],
    respond: async () => Response.json(openApi(QUERIES)),
  }),
];

/** Parameters that Next gives a catch-all route: the path after `/api`. */
export interface ApiPath {
  readonly path?: readonly string[];
}

/** Answers any request below `/api`. */
export const answerApi: RouteHandler<ApiPath> = async (request, context) => {
  const { path = [] } = await context.params;
  const segments = ["", "api", ...path];
  const here = queriesAt(segments);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const query = here.find((one) => one.method === method);
  const id = query === undefined ? "" : idIn(query, segments);
  const answering = handler<ApiPath>(
    async (handled, { server, query: search }) => {
      if (query !== undefined) return query.respond(handled, { id, server, search });
      if (here.length === 0) throw new HttpError(404, "There is no such route.");
      const Allow = methodsAt(here).join(", ");
      if (method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow } });
      throw new HttpError(405, `This route does not answer ${request.method}.`, { Allow });
    },
    { waitsForClient: query?.waitsForClient ?? false },
  );
  return answering(request, context);
};

/** The methods of a path; empty if it has none. */
export function methodsOf(pathname: string): readonly string[] {
  return methodsAt(queriesAt(pathname.replace(/\/$/, "").split("/")));
}

function methodsAt(queries: readonly Query[]): readonly string[] {
  const methods: readonly string[] = queries.map(({ method }) => method);
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
}

/** The queries of a path. Literal paths precede paths with placeholders. */
function queriesAt(segments: readonly string[]): readonly Query[] {
  const found = QUERIES.filter(({ path }) => matches(path.split("/"), segments));
  const literal = found.filter(({ path }) => path === segments.join("/"));
  return literal.length > 0 ? literal : found;
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    segments.length === pattern.length &&
    pattern.every((part, at) => (part === "{id}" ? segments[at] !== "" : segments[at] === part))
  );
}

function idIn({ path }: Query, segments: readonly string[]): string {
  return segments[path.split("/").indexOf("{id}")] ?? "";
}
