import { ZodError } from "zod";
import { type InputErrorCode, isInputError } from "../base/input-error";
import { isRefused, type RefusalReason } from "../base/refusal";
import { type AppServer, getServer } from "../server";
import { guardApi } from "./guard";
import { isHttpError, issueSentence, problemResponse } from "./http-error";
import { packedAnswer } from "./packed";

/** Inputs of a handler besides the request. */
interface Call<Params> {
  readonly params: Params;
  readonly server: AppServer;
  readonly query: URLSearchParams;
}

type Answer<Params> = (request: Request, call: Call<Params>) => Promise<Response>;

interface HandlerOptions {
  /** True if the answer waits for the client, such as for an upload: background work does not pause for so long. */
  readonly waitsForClient?: boolean;
}

/** The signature of Next's routes. */
export type RouteHandler<Params> = (request: Request, context: { params: Promise<Params> }) => Promise<Response>;

/** Default headers; a response may override them. */
const HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};

/**
 * Makes every method of an API route. It rejects unauthorised callers, answers every error as problem+json without a path in it, and sets the headers
 * that keep other pages from using an answer.
 */
export function handler<Params = Record<string, string | string[]>>(
  answer: Answer<Params>,
  options: HandlerOptions = {},
): RouteHandler<Params> {
  return async (request, context) => {
    const response = withHeaders(await answered(request, context, answer, options));
    return request.method === "HEAD" ? headOf(response) : response;
  };
}

/** The response without its body. Next never reads the body of a response to HEAD, so an event stream, for example, would stay open. */
async function headOf(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, response);
}

async function answered<Params>(
  request: Request,
  context: { params: Promise<Params> },
  answer: Answer<Params>,
  { waitsForClient = false }: HandlerOptions,
): Promise<Response> {
  try {
    const server = getServer();
    guardApi(request.headers, server.config);
    const params = await context.params;
    const call = { params, server, query: new URL(request.url).searchParams };
    const answering = waitsForClient
      ? answer(request, call)
      : server.answerPriority.run(() => answer(request, call), request.signal);
    return server.config.packs ? await packedAnswer(request, await answering) : await answering;
  } catch (error) {
    return problemOf(error, request.signal.aborted);
  }
}

function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

const INPUT_STATUS: Readonly<Record<InputErrorCode, number>> = {
  "not-found": 404,
  "not-a-file": 404,
  "no-permission": 403,
  unreadable: 422,
  empty: 422,
  "too-large": 422,
  binary: 422,
  "unknown-format": 422,
  "other-program": 422,
  changed: 409,
};

const REFUSAL_STATUS: Readonly<Record<RefusalReason, number>> = {
  malformed: 400,
  "not-allowed": 403,
  unknown: 404,
  "too-large": 413,
  "not-writable": 503,
  "no-room": 507,
};

/** Errors whose message is written for the caller. Checked by name, since another bundle of this process may have thrown them. */
const BAD_REQUEST = new Set(["SettingError", "ChoiceError", "PolicyError", "UnknownEstimatorError", "ProfileError"]);

/** True if the caller made an invalid choice; the message names it. */
function isBadChoice(error: unknown): error is Error {
  return error instanceof Error && BAD_REQUEST.has(error.name);
}

/** The caller's sentence for an error, for answers that have begun before it is thrown. */
export function sentenceOf(error: unknown, otherwise: string): string {
  const isForCaller = isInputError(error) || isHttpError(error) || isRefused(error) || isBadChoice(error);
  return isForCaller ? error.message : otherwise;
}

function problemOf(error: unknown, aborted: boolean): Response {
  if (isHttpError(error)) return problemResponse(error.status, error.message, error.headers);
  if (isRefused(error)) return problemResponse(REFUSAL_STATUS[error.reason], error.message);
  if (isInputError(error)) {
    const extension = {
      ...(error.formats.length === 0 ? {} : { formats: [...error.formats] }),
      ...(error.program === undefined ? {} : { program: error.program }),
    };
    return problemResponse(INPUT_STATUS[error.code], error.message, {}, extension);
  }
  if (error instanceof ZodError) return problemResponse(400, issueSentence(error.issues[0]));
  if (isBadChoice(error)) return problemResponse(400, error.message);
  // The caller is gone, so nobody reads this.
  if (aborted) return problemResponse(499, "The request was cancelled.");
  report(error);
  return problemResponse(500, "Something went wrong in this server.");
}

/** Prints the place of a bug to standard error: only the place, since messages may quote the file. */
function report(error: unknown): void {
  const name = error instanceof Error ? error.name : typeof error;
  const frames = error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  process.stderr.write(`context-replay: internal error (${name})\n${frames.join("\n")}\n`);
}
