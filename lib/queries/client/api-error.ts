import type { HttpProblem } from "../contract/types";

/** What went wrong between the page and the server. `status` is 0 where no answer came. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** One sentence for the reader; empty where the server said nothing that can be shown. */
  readonly detail: string;
  readonly kind: "problem" | "network" | "unreadable";
  /** The formats that the file may be read as, where its own was not recognised. */
  readonly formats: NonNullable<HttpProblem["formats"]>;
  /** The program that wrote the file, where its files are not read. */
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

/** What an answer that is no good one says. */
export function problemOf(status: number, body: string): ApiError {
  try {
    const problem: unknown = JSON.parse(body);
    if (isProblem(problem)) {
      const { title, detail, formats, program } = problem;
      return new ApiError("problem", status, title, detail, formats, program);
    }
  } catch {
    // It is not problem+json: a proxy or a crash answered, and its page is of no use to the reader.
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

/** Whether the caller gave up. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** No answer came, or not all of it. */
export function networkError(): ApiError {
  return new ApiError("network", 0, "No answer", "");
}

/** An answer came that says nothing. */
export function unreadable(status: number): ApiError {
  return new ApiError("unreadable", status, `Status ${status}`, "");
}
