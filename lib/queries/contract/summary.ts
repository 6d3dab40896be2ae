import { z } from "zod";
import { tokens } from "./basics";
import { boundaryRequest, promptNote } from "./boundary";
import { summaryScore } from "./ledger";

/** Real summaries, from the user's own endpoint: docs/method.md, "Real summaries". */

/** The endpoint for summaries. It never holds a key. */
export const summarizer = z.object({
  host: z.string(),
  /** The whole address, without parameters. */
  address: z.string(),
  model: z.string(),
  protocol: z.enum(["chat", "messages"]),
  encrypted: z.boolean(),
  /** True if a key is sent along. */
  hasKey: z.boolean(),
});

/** `GET /api/summarizer`: null if the user named no endpoint; then nothing is ever sent. */
export const summarizerAnswer = z.object({ summarizer: summarizer.nullable() });

/** A stored summary from the endpoint. */
export const madeSummary = z.object({
  /** Its name in the data folder. */
  id: z.string(),
  madeAt: z.string(),
  text: z.string(),
  /** Its size in the context, by the estimator in force; `textTokens` is the size of the bare text. */
  tokens,
  textTokens: tokens,
  /** The endpoint's own count of prompt and answer; null if absent. */
  usage: z.object({ input: tokens.nullable(), output: tokens.nullable() }),
  /** True if the endpoint's limit ended it, so a whole one would be larger. */
  isCut: z.boolean(),
  /** Names in it that were used after the boundary; null if unknown. */
  score: summaryScore.nullable(),
});

/** The exact request. */
export const summaryPreview = z.object({
  /** Hash of endpoint, model and body: the sent request must equal the previewed one. */
  digest: z.string(),
  system: z.string().nullable(),
  messages: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() })),
  /** Size of the body as sent. */
  bytes: z.int(),
  /** Tokens of all texts, by the estimator in force. */
  tokens,
  /** Masked likely secrets, by the rule that found them. */
  masked: z.array(z.object({ rule: z.string(), count: z.int() })),
  notes: z.array(promptNote),
  /** Dollars at today's list prices: of the prompt, and of an answer as large as the assumed summary; null if the model has no price. */
  usd: z.object({ prompt: z.number(), answer: z.number() }).nullable(),
});

/** `POST /api/sessions/:id/summary/preview` */
export const summaryPreviewAnswer = z.object({
  summarizer,
  policy: z.string(),
  preset: z.string(),
  estimator: z.string(),
  /** The size of the summary at this boundary: recorded, or assumed by the simulation. */
  summaryTokens: tokens,
  /** Null if the agent's prompt is not known. */
  preview: summaryPreview.nullable(),
  /** Reason for a missing preview: the prompt or a part of it is not known, or no summary is requested there. */
  unknown: z.enum(["policy", "noCall", ...promptNote.options]).nullable(),
  /** Stored summaries of this very prompt, oldest first. */
  made: z.array(madeSummary),
});

/** `POST /api/sessions/:id/summary`: sends the previewed request the given number of times, one after another. */
export const summaryRequest = boundaryRequest.extend({
  digest: z.string(),
  samples: z.int().min(1).max(5).default(1),
});

/** An error of the endpoint. `status`: of its answer. `seconds`: its retry delay, or the limit in force. `detail`: its own words. */
export const summaryFailure = z.object({
  code: z.enum([
    ...["refused", "unreachable", "unauthorized", "tooMany", "failed", "rejected", "redirected", "cutOff", "slow"],
    ...["unreadable", "tooLarge", "empty"],
  ] as const),
  status: z.int().nullable(),
  seconds: z.int().nullable(),
  detail: z.string().nullable(),
});

/** Events of its answer. A failure ends it; earlier summaries are kept. */
export const summaryEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), sample: z.int(), text: z.string() }),
  z.object({ type: z.literal("made"), sample: z.int(), summary: madeSummary }),
  z.object({ type: z.literal("failed"), host: z.string(), failure: summaryFailure }),
  z.object({ type: z.literal("end") }),
]);

export type SummarizerWire = z.infer<typeof summarizer>;
export type MadeSummary = z.infer<typeof madeSummary>;
export type SummaryPreview = z.infer<typeof summaryPreview>;
export type SummaryPreviewAnswer = z.infer<typeof summaryPreviewAnswer>;
export type SummaryRequest = z.input<typeof summaryRequest>;
export type SummaryFailure = z.infer<typeof summaryFailure>;
export type SummaryEvent = z.infer<typeof summaryEvent>;
