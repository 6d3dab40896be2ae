import type { HttpProblem } from "@/lib/api/contract";

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad request",
  401: "Token needed",
  403: "Not allowed",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  411: "Length needed",
  413: "Too large",
  421: "Wrong host",
  422: "Not readable",
  500: "Internal error",
  503: "Not available",
  507: "No room",
};

const BRAND = Symbol.for("context-replay.http-error");

/** A refusal with its status and one sentence. The sentence is shown, so it never holds a path or text of a transcript. */
export class HttpError extends Error {
  override name = "HttpError";
  readonly [BRAND] = true;
  constructor(
    readonly status: number,
    detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }
}

/** Whether it is an `HttpError`, including one that another bundle of this process threw. */
export function isHttpError(error: unknown): error is HttpError {
  return error instanceof Error && BRAND in error;
}

/** The body for a status. */
export function problemBody(status: number, detail: string): HttpProblem {
  return { type: "about:blank", title: TITLES[status] ?? "Error", status, detail };
}

/** Further members of a refusal's body. */
type Extension = Pick<HttpProblem, "formats">;

/** A refusal as `application/problem+json`. */
export function problemResponse(
  status: number,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
  extension: Extension = {},
): Response {
  return new Response(JSON.stringify({ ...problemBody(status, detail), ...extension }), {
    status,
    headers: { "Content-Type": "application/problem+json", ...headers },
  });
}
