import type { HttpProblem } from "../contract/types";

/** An error between page and server. `status` is 0 without an answer. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** One sentence for the reader; empty if the server sent nothing that can be shown. */
  readonly detail: string;
  readonly kind: "problem" | "network" | "unreadable";
  /** Formats that the file may be read as, if its own was not recognised. */
  readonly formats: NonNullable<HttpProblem["formats"]>;
  /** The program that wrote the file, if its files are not read. */
  readonly program: HttpProblem["program"];

  constructor(
    kind: ApiError["kind"],
    status: number,
    title: string,
    detail: string,
    formats: ApiError["formats"] = [],
    program?: HttpProblem["program"],
  ) {
    super(title);
    this.kind = kind;
    this.status = status;
    this.detail = detail;
    this.formats = formats;
    this.program = program;
  }
}

/** The error in an answer with a failure status. */
export function problemOf(status: number, body: string): ApiError {
  try {
    const problem: unknown = JSON.parse(body);
    if (isProblem(problem)) {
      const { title, detail, formats, program } = problem;
      return new ApiError("problem", status, title, detail, formats, program);
    }
  } catch {
    // Not problem+json: a proxy or a crash answered, with a page of no use to the reader.
  }
  return unreadable(status);
}

function isProblem(value: unknown): value is HttpProblem {
  return (
    typeof value === "object" &&
    value !== null &&
    "title" in value &&
    typeof value.title === "string" &&
    "detail" in value &&
    typeof value.detail === "string"
  );
}

/** True if the caller aborted. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** No answer came, or only part of one. */
export function networkError(): ApiError {
  return new ApiError("network", 0, "No answer", "");
}

/** An empty answer came. */
export function unreadable(status: number): ApiError {
  return new ApiError("unreadable", status, `Status ${status}`, "");
}
