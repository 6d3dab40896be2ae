import { z } from "zod";
import { tokens } from "./basics";
import { boundaryRequest, promptNote } from "./boundary";
import { summaryScore } from "./ledger";

/** Real summaries, by an endpoint of the user's own: docs/method.md, "Real summaries". */

/** Where summaries would be sent for. It never holds a key. */
export const summarizer = z.object({
  host: z.string(),
  /** The whole address, without parameters. */
  address: z.string(),
  model: z.string(),
  protocol: z.enum(["chat", "messages"]),
  encrypted: z.boolean(),
  /** Whether a key is sent along. */
  hasKey: z.boolean(),
});

/** `GET /api/summarizer`: null where none was named, and then nothing is ever sent. */
export const summarizerAnswer = z.object({ summarizer: summarizer.nullable() });

/** A summary that the endpoint made, as it is kept. */
export const madeSummary = z.object({
  /** Its name in the data folder. */
  id: z.string(),
  madeAt: z.string(),
  text: z.string(),
  /** Its size as it enters the context, by the estimator in force; `textTokens` is that of the bare text. */
  tokens,
  textTokens: tokens,
  /** The endpoint's own count of prompt and answer; null where it does not say. */
  usage: z.object({ input: tokens.nullable(), output: tokens.nullable() }),
  /** The endpoint's limit ended it, so a whole one would be larger. */
  isCut: z.boolean(),
  /** What it names of what was used after the boundary; null where nothing can be said. */
  score: summaryScore.nullable(),
});

/** Exactly what would be sent. */
export const summaryPreview = z.object({
  /** Of endpoint, model and body: what is sent has to be what was seen. */
  digest: z.string(),
  system: z.string().nullable(),
  messages: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() })),
  /** Of the body, as it is sent. */
  bytes: z.int(),
  /** Of all texts, by the estimator in force. */
  tokens,
  /** Likely secrets that were masked, by the rule that found them. */
  masked: z.array(z.object({ rule: z.string(), count: z.int() })),
  notes: z.array(promptNote),
  /** Dollars by today's list prices: of the prompt, and of an answer as large as the assumed summary; null where the model has no price. */
  usd: z.object({ prompt: z.number(), answer: z.number() }).nullable(),
});

/** `POST /api/sessions/:id/summary/preview` */
export const summaryPreviewAnswer = z.object({
  summarizer,
  policy: z.string(),
  preset: z.string(),
  estimator: z.string(),
  /** The size of the summary that this boundary has: recorded, or assumed by the simulation. */
  summaryTokens: tokens,
  /** Null where the agent's prompt is not known. */
  preview: summaryPreview.nullable(),
  /** Why there is no preview: nothing is known of the prompt, no summary is asked for there, or a part of the prompt is not known. */
  unknown: z.enum(["policy", "noCall", ...promptNote.options]).nullable(),
  /** What was made for this very prompt, oldest first. */
  made: z.array(madeSummary),
});

/** `POST /api/sessions/:id/summary`: sends what was previewed, so many times, one after the other. */
export const summaryRequest = boundaryRequest.extend({
  digest: z.string(),
  samples: z.int().min(1).max(5).default(1),
});

/** What went wrong at the endpoint. `status` is that of its answer, `seconds` its wish to wait or the limit in force, `detail` its own words. */
export const summaryFailure = z.object({
  code: z.enum([
    ...["refused", "unreachable", "unauthorized", "tooMany", "failed", "rejected", "redirected", "cutOff", "slow"],
    ...["unreadable", "tooLarge", "empty"],
  ] as const),
  status: z.int().nullable(),
  seconds: z.int().nullable(),
  detail: z.string().nullable(),
});

/** Events of its answer. A failure ends it; what was made before is kept. */
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
