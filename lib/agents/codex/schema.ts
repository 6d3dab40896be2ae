import { z } from "zod";

/**
 * Record kinds that we read, loose on purpose: the format is Codex's own and grows with every release. What a record must
 * have to be understood is required; everything else is optional and unknown fields pass.
 */

/** A line of the wrapped form, from 0.5x on. */
export const wrappedRecord = z.looseObject({
  timestamp: z.string().optional(),
  type: z.string(),
  payload: z.looseObject({}),
});

/** First line of the bare form, before September 2025. */
export const bareHeader = z.looseObject({
  id: z.string(),
  timestamp: z.string(),
  instructions: z.string().nullish(),
  git: z.looseObject({ branch: z.string().nullish() }).nullish(),
});

export const sessionMeta = z.looseObject({
  id: z.string().optional(),
  session_id: z.string().optional(),
  cwd: z.string().nullish(),
  cli_version: z.string().nullish(),
  base_instructions: z.union([z.string(), z.looseObject({ text: z.string() })]).nullish(),
  git: z.looseObject({ branch: z.string().nullish() }).nullish(),
});

export const turnContext = z.looseObject({ model: z.string().nullish(), cwd: z.string().nullish() });

const count = z.number().int().nonnegative();

export const tokenUsage = z.looseObject({
  input_tokens: count,
  cached_input_tokens: count.optional(),
  cache_write_input_tokens: count.optional(),
  output_tokens: count.optional(),
  reasoning_output_tokens: count.optional(),
  total_tokens: count.optional(),
});
export type TokenUsage = z.infer<typeof tokenUsage>;

export const tokenCount = z.looseObject({
  info: z
    .looseObject({
      total_token_usage: tokenUsage,
      last_token_usage: tokenUsage,
      model_context_window: count.nullish(),
    })
    .nullish(),
});

export const compacted = z.looseObject({
  message: z.string().nullish(),
  replacement_history: z.array(z.unknown()).nullish(),
});

export const rolledBack = z.looseObject({ num_turns: count });
