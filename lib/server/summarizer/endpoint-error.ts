import type { SummaryFailure } from "@/lib/queries/contract/schemas";

/** An error between this program and the endpoint. It holds no part of the prompt, and never the key. */
export class EndpointError extends Error {
  override name = "EndpointError";

  constructor(
    readonly host: string,
    readonly failure: SummaryFailure,
  ) {
    super(sentenceOf(host, failure));
  }
}

/** True for an `EndpointError`, including one from another bundle of this process. */
export function isEndpointError(error: unknown): error is EndpointError {
  return error instanceof Error && error.name === "EndpointError" && "failure" in error;
}

/** One sentence for the command line; the page has its own, by the code. */
function sentenceOf(host: string, { code, status, seconds, detail }: SummaryFailure): string {
  const quoted = detail === null ? "" : ` It says “${detail}”.`;
  switch (code) {
    case "refused":
      return `${host} refuses the connection: nothing listens there.`;
    case "unreachable":
      return `${host} cannot be reached${detail === null ? "" : ` (${detail})`}.`;
    case "unauthorized":
      return `${host} does not accept the key (${status}); it is taken from CONTEXT_REPLAY_SUMMARIZER_KEY.`;
    case "tooMany":
      return seconds === null
        ? `${host} takes no more requests for now (429).`
        : `${host} takes no more requests for now (429); it asks to wait ${seconds} s.`;
    case "failed":
      return `${host} could not answer${status === null ? "" : ` (${status})`}.${quoted}`;
    case "rejected":
      return `${host} does not take the request (${status}).${quoted}`;
    case "redirected":
      return `${host} leads to another address (${status}), which is not followed.`;
    case "cutOff":
      return `${host} broke off in the middle of its answer; the part is not kept.`;
    case "slow":
      return `${host} took longer than ${seconds} s, so the connection was closed.`;
    case "unreadable":
      return `${host} answered with something that is not an answer of this protocol.`;
    case "tooLarge":
      return `${host} sent more than an answer may have, so the connection was closed.`;
    case "empty":
      return `${host} answered without any text.`;
  }
}
