const ORIGIN = "http://localhost:3000";

type Route<Params> = (request: Request, context: { params: Promise<Params> }) => Promise<Response>;

/** Calls a route's method as Next does, under the host name of the tests' server. */
export function ask<Params>(
  route: Route<Params>,
  path: string,
  params: Params,
  init: RequestInit = {},
): Promise<Response> {
  const headers = { host: "localhost:3000", ...(init.headers as Record<string, string> | undefined) }; // Tests give plain objects.
  return route(new Request(`${ORIGIN}${path}`, { ...init, headers }), { params: Promise.resolve(params) });
}

/** A question with a body. */
export function post(body: object, signal?: AbortSignal): RequestInit {
  return { method: "POST", body: JSON.stringify(body), ...(signal === undefined ? {} : { signal }) };
}
