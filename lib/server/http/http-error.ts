import type { core } from "zod";
import type { HttpProblem } from "@/lib/queries/contract/schemas";

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

/** A rejection with its status and one sentence. The sentence is shown, so it never holds a path or text of a transcript. */
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

/** True for an `HttpError`, including one from another bundle of this process. */
export function isHttpError(error: unknown): error is HttpError {
  return error instanceof Error && BRAND in error;
}

export function problemBody(status: number, detail: string): HttpProblem {
  return { type: "about:blank", title: TITLES[status] ?? "Error", status, detail };
}

/** Further members of a rejection's body. */
type Extension = Pick<HttpProblem, "formats">;

/** A rejection as `application/problem+json`. */
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

/** Describes the first invalid field of a request in a sentence. */
export function issueSentence(issue: core.$ZodIssue | undefined): string {
  if (issue === undefined) return "The request is malformed.";
  const place = issue.path.map(String).join(".") || "The request";
  return `${place} ${wrongIn(issue)}.`;
}

function wrongIn(issue: core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      // Zod does not expose the value; only its own sentence says that it is missing.
      return /received undefined$/.test(issue.message)
        ? `is missing: it must be ${KINDS[issue.expected] ?? issue.expected}`
        : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case "too_small":
      return `must ${bound(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)}`;
    case "too_big":
      return `must ${bound(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "unrecognized_keys":
      return `has no field ${issue.keys.join(", ")}`;
    default:
      return issue.message;
  }
}

/** A schema's expectation, in words. */
const KINDS: Readonly<Record<string, string>> = {
  array: "a list",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a text",
};

function bound(origin: string, how: string, limit: number | bigint): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `be ${how} ${limit}`;
  return `have ${how} ${limit} ${Number(limit) === 1 ? unit.one : unit.more}`;
}

const UNITS: Readonly<Record<string, { readonly one: string; readonly more: string }>> = {
  array: { one: "entry", more: "entries" },
  string: { one: "character", more: "characters" },
};
