import type { Milliseconds } from "@/lib/core/base/units";
import type { SummarizerWire } from "@/lib/queries/contract/schemas";

/** The user's endpoint for real summaries. The program connects to no other host, and sends only previewed requests. */
export interface Endpoint {
  readonly url: URL;
  readonly model: string;
  readonly protocol: SummaryProtocol;
}

/** OpenAI's Chat Completions, which many servers support, or Anthropic's Messages. */
export const SUMMARY_PROTOCOLS = ["chat", "messages"] as const;
export type SummaryProtocol = (typeof SUMMARY_PROTOCOLS)[number];

/** The endpoint as `serve` hands it to the server below it. It holds no key. */
export interface EndpointChoice {
  readonly url: string;
  readonly model: string;
  readonly protocol?: SummaryProtocol | undefined;
}

/** Thrown for an invalid endpoint; the message names the reason and never repeats the address. */
export class EndpointChoiceError extends Error {
  override name = "EndpointChoiceError";
}

const PATHS = { chat: "/chat/completions", messages: "/messages" } as const satisfies Record<SummaryProtocol, string>;

/** URL parameters that look like keys. Addresses are shown; keys come from the environment. */
const SECRET_PARAMETER = /key|token|secret|sig|pass/i;

/**
 * The endpoint of an address: a full URL, whose path decides the protocol, or a base URL, to which the protocol's path is added. Throws
 * `EndpointChoiceError`.
 */
export function endpointOf({ url: text, model, protocol: wanted }: EndpointChoice): Endpoint {
  const url = parsedUrl(text);
  if (model === "") throw new EndpointChoiceError("The summarizer needs the name of a model.");
  const path = url.pathname.replace(/\/$/, "");
  const named = SUMMARY_PROTOCOLS.find((one) => path.endsWith(PATHS[one]));
  const protocol = wanted ?? named ?? "chat";
  if (named === undefined) url.pathname = `${path === "" ? "/v1" : path}${PATHS[protocol]}`;
  return { url, model, protocol };
}

function parsedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new EndpointChoiceError("The summarizer is named by an address that begins with http:// or https://.");
  }
  if (url.username !== "" || url.password !== "" || [...url.searchParams.keys()].some(isSecret)) {
    throw new EndpointChoiceError(
      "The summarizer's address may not hold a key; set CONTEXT_REPLAY_SUMMARIZER_KEY instead.",
    );
  }
  url.hash = "";
  return url;
}

function isSecret(parameter: string): boolean {
  return SECRET_PARAMETER.test(parameter);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The providers' usual key variables; each key goes to its own provider only. */
const USUAL_KEYS: Readonly<Record<string, string>> = {
  "api.openai.com": "OPENAI_API_KEY",
  "api.anthropic.com": "ANTHROPIC_API_KEY",
};

/** Characters that a header may contain. */
const KEY = /^[\x21-\x7e]+$/;

/** The key to send; `undefined` without one, as for many local servers. Throws `EndpointChoiceError` for a key that no header can hold. */
export function keyOf({ url }: Endpoint, env: Environment): string | undefined {
  const usual = url.protocol === "https:" ? USUAL_KEYS[url.hostname] : undefined;
  const key = env.CONTEXT_REPLAY_SUMMARIZER_KEY || (usual === undefined ? undefined : env[usual]);
  const trimmed = key?.trim() || undefined;
  if (trimmed !== undefined && !KEY.test(trimmed)) {
    throw new EndpointChoiceError(
      "The summarizer's key has a character that no key has, such as a space or a line break.",
    );
  }
  return trimmed;
}

/** Maximum silence of the endpoint: a local model may read a long prompt for minutes. */
const SILENCE_SECONDS = 300;

/** The time limit for silence, which the user may set in seconds; an invalid value is ignored. */
export function silenceOf(env: Environment): Milliseconds {
  const seconds = Number(env.CONTEXT_REPLAY_SUMMARIZER_TIMEOUT || Number.NaN);
  return (Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 86_400) : SILENCE_SECONDS) * 1000;
}

/** The endpoint for display. */
export function endpointWire(endpoint: Endpoint, env: Environment): SummarizerWire {
  const { url, model, protocol } = endpoint;
  return {
    host: url.host,
    address: `${url.origin}${url.pathname}`,
    model,
    protocol,
    encrypted: url.protocol === "https:",
    hasKey: keyOf(endpoint, env) !== undefined,
  };
}
