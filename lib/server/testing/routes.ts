import type { Method } from "@/lib/queries/contract/routes";
import { QUERIES } from "@/lib/queries/table";
import { handler, type RouteHandler } from "../http/handler";

/** The handler of one query, called as `ask` calls it. */
export function routeOf(method: Method, path: string): RouteHandler<{ id: string }> {
  const query = QUERIES.find((one) => one.method === method && one.path === path);
  if (query === undefined) throw new Error(`there is no ${method} ${path}`);
  const { respond, waitsForClient = false } = query;
  return handler<{ id: string }>(
    (request, { params, server, query: search }) => respond(request, { id: params.id, server, search }),
    { waitsForClient },
  );
}

const ORIGIN = "http://localhost:3000";

/** Calls a route's method as Next does, under the host name of the tests' server. */
export function ask<Params>(
  route: RouteHandler<Params>,
  path: string,
  params: Partial<Params>,
  init: RequestInit = {},
): Promise<Response> {
  const headers = { host: "localhost:3000", ...(init.headers as Record<string, string> | undefined) }; // Tests give plain objects.
  return route(new Request(`${ORIGIN}${path}`, { ...init, headers }), { params: Promise.resolve(params as Params) });
}

export function post(body: object, signal?: AbortSignal): RequestInit {
  return { method: "POST", body: JSON.stringify(body), ...(signal === undefined ? {} : { signal }) };
}
