import { z } from "zod";

/** What the other parts of the contract share. */

export const tokens = z.int();
export const instant = z.iso.datetime({ offset: true }).nullable();
export const windowSource = z.enum(["recorded", "user", "settings", "known-model", "assumed", "inferred", "default"]);
export const contextWindow = z.object({
  tokens,
  source: windowSource,
  /** The window of the table or the default, where a recorded context exceeds it and so corrects it. */
  exceeded: tokens.optional(),
  /** The largest recorded context, where it exceeds the window that a policy works with: the real window is unknown. */
  atLeast: tokens.optional(),
  /** The whole window, where `tokens` is the part that the agent fills: Codex records that part. */
  whole: tokens.optional(),
  /** The part that the agent fills, where `tokens` is the whole window. */
  effective: tokens.optional(),
  /** Name of the file that states the window, `error` for a provider's refusal of a prompt, or the part of the agent's configuration. */
  from: z.string().optional(),
  /** The windows by request, where a session's models have several: each holds from its request on. */
  changes: z
    .array(z.object({ request: z.int(), tokens }))
    .readonly()
    .optional(),
});

/** The window of a session, as the preset that wrote it takes it. */
export const sessionContextWindow = contextWindow.extend({
  /** The windows by the rules of other presets of the session's agent, where they differ: a replay under that preset has that window. */
  byPreset: z
    .array(contextWindow.extend({ preset: z.string() }))
    .readonly()
    .optional(),
});

/** How a token factor was fitted to the recorded usage. */
export const calibration = z.object({
  factor: z.number(),
  pairs: z.int(),
  outOfSampleError: z.number(),
  outOfSampleBias: z.number(),
  /** What makes it doubtful: `factor` beyond 0.5 to 2, `error` above 15 %. Empty where nothing does. */
  doubts: z.array(z.enum(["factor", "error"])),
});

export type CalibrationWire = z.infer<typeof calibration>;
