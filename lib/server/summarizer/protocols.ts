import { z } from "zod";
import type { Tokens } from "@/lib/core/base/units";
import type { SummaryProtocol } from "../base/endpoint";

/** The request, independent of the protocol. */
export interface SentPrompt {
  readonly system: string | null;
  readonly messages: readonly { readonly role: "system" | "user" | "assistant"; readonly content: string }[];
}

/** The contents of one event of a streamed answer, or of a whole answer. Fields that it lacks are absent. */
export interface AnswerPart {
  readonly text?: string | undefined;
  /** The last content. `isCut`: the model would have written more. */
  readonly end?: { readonly isCut: boolean } | undefined;
  readonly input?: Tokens | undefined;
  readonly output?: Tokens | undefined;
  /** The end of the stream. */
  readonly isLast?: boolean | undefined;
}

/** A protocol of endpoints. `event` and `whole` throw `ZodError` for an invalid answer. */
interface Protocol {
  readonly headers: (key: string | undefined) => Readonly<Record<string, string>>;
  readonly body: (model: string, prompt: SentPrompt) => object;
  /** One event of a stream. @param data a JSON value */
  readonly event: (data: unknown) => AnswerPart;
  /** The answer of a server that does not stream. */
  readonly whole: (data: unknown) => AnswerPart;
}

const problem = z.object({ error: z.union([z.string(), z.object({ message: z.string().optional() })]) });

/** The endpoint's error message, in an event or as the body of a response; `undefined` if it is not an error. */
export function problemOf(data: unknown): string | undefined {
  const { success, data: found } = problem.safeParse(data);
  if (!success) return undefined;
  return typeof found.error === "string" ? found.error : (found.error.message ?? "");
}

const chatUsage = z.object({ prompt_tokens: z.int().optional(), completion_tokens: z.int().optional() }).nullish();
const chatText = z.object({ content: z.string().nullish() });
const chatEvent = z.object({
  choices: z.array(z.object({ delta: chatText.nullish(), finish_reason: z.string().nullish() })),
  usage: chatUsage,
});
const chatWhole = z.object({
  choices: z.array(z.object({ message: chatText, finish_reason: z.string().nullish() })).min(1),
  usage: chatUsage,
});

function chatEnd(reason: string | null | undefined): AnswerPart["end"] {
  return reason === null || reason === undefined ? undefined : { isCut: reason === "length" };
}

/** Source: OpenAI API reference, "Create chat completion" and "Streaming events". */
const chat: Protocol = {
  headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: (model, { system, messages }) => ({
    model,
    messages: system === null ? messages : [{ role: "system", content: system }, ...messages],
    stream: true,
    stream_options: { include_usage: true },
  }),
  event: (data) => {
    const { choices, usage } = chatEvent.parse(data);
    const [first] = choices;
    const text = first?.delta?.content ?? undefined;
    const sizes = { input: usage?.prompt_tokens, output: usage?.completion_tokens };
    return { text, end: chatEnd(first?.finish_reason), ...sizes };
  },
  whole: (data) => {
    const { choices, usage } = chatWhole.parse(data);
    const [first] = choices;
    const end = chatEnd(first?.finish_reason) ?? { isCut: false };
    const sizes = { input: usage?.prompt_tokens, output: usage?.completion_tokens };
    return { text: first?.message.content ?? "", end, ...sizes };
  },
};

/**
 * Maximum tokens of an answer, which Messages requires. Every model of the Claude 3.5 family and later accepts it, and the largest known recorded
 * summary has 6,143.
 */
const MAX_ANSWER: Tokens = 8192;

const messagesUsage = z.object({
  input_tokens: z.int().nullish(),
  cache_read_input_tokens: z.int().nullish(),
  cache_creation_input_tokens: z.int().nullish(),
  output_tokens: z.int().nullish(),
});
const messagesEvent = z.object({
  type: z.string(),
  message: z.object({ usage: messagesUsage.optional() }).optional(),
  delta: z
    .object({ type: z.string().optional(), text: z.string().optional(), stop_reason: z.string().nullish() })
    .optional(),
  usage: messagesUsage.optional(),
});
const messagesWhole = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  stop_reason: z.string().nullish(),
  usage: messagesUsage.optional(),
});

function inputOf(usage: z.infer<typeof messagesUsage> | undefined): Tokens | undefined {
  if (typeof usage?.input_tokens !== "number") return undefined;
  return usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
}

/** Source: Anthropic API reference, "Messages", "Streaming messages" and "Versions". */
const messages: Protocol = {
  headers: (key): Record<string, string> => ({
    "anthropic-version": "2023-06-01",
    ...(key === undefined ? {} : { "x-api-key": key }),
  }),
  body: (model, { system, messages: sent }) => ({
    model,
    max_tokens: MAX_ANSWER,
    ...(system === null ? {} : { system }),
    // The protocol has no system messages among the others.
    messages: sent.map(({ role, content }) => ({ role: role === "assistant" ? role : "user", content })),
    stream: true,
  }),
  event: (data) => {
    const { type, message, delta, usage } = messagesEvent.parse(data);
    const stopped = type === "message_delta" ? delta?.stop_reason : undefined;
    return {
      text: type === "content_block_delta" && delta?.type === "text_delta" ? delta.text : undefined,
      end: stopped === null || stopped === undefined ? undefined : { isCut: stopped === "max_tokens" },
      input: inputOf(message?.usage),
      output: usage?.output_tokens ?? undefined,
      isLast: type === "message_stop",
    };
  },
  whole: (data) => {
    const { content, stop_reason, usage } = messagesWhole.parse(data);
    const text = content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join("");
    const output = usage?.output_tokens ?? undefined;
    return { text, end: { isCut: stop_reason === "max_tokens" }, input: inputOf(usage), output };
  },
};

export const PROTOCOLS: Readonly<Record<SummaryProtocol, Protocol>> = { chat, messages };
