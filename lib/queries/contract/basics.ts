import { z } from "zod";

/** Shared parts of the contract. */

export const tokens = z.int();
export const instant = z.iso.datetime({ offset: true }).nullable();
export const windowSource = z.enum(["recorded", "user", "settings", "known-model", "assumed", "inferred", "default"]);
export const contextWindow = z.object({
  tokens,
  source: windowSource,
  /** The window of the table or the default, if a larger recorded context corrects it. */
  exceeded: tokens.optional(),
  /** The largest recorded context, if it exceeds the policy's window: the real window is unknown. */
  atLeast: tokens.optional(),
  /** The whole window, if `tokens` is the part that the agent fills: Codex records that part. */
  whole: tokens.optional(),
  /** The part that the agent fills, if `tokens` is the whole window. */
  effective: tokens.optional(),
  /** Name of the file that states the window, `error` for a provider's refusal of a prompt, or the part of the agent's configuration. */
  from: z.string().optional(),
  /** The windows by request, if a session's models have several: each holds from its request on. */
  changes: z
    .array(z.object({ request: z.int(), tokens }))
    .readonly()
    .optional(),
});

/** The window of a session, by the rules of the preset that wrote it. */
export const sessionContextWindow = contextWindow.extend({
  /** The windows by the rules of the agent's other presets, if they differ: a replay under such a preset uses that window. */
  byPreset: z
    .array(contextWindow.extend({ preset: z.string() }))
    .readonly()
    .optional(),
});

/** The fit of a token factor to the recorded usage. */
export const calibration = z.object({
  factor: z.number(),
  pairs: z.int(),
  outOfSampleError: z.number(),
  outOfSampleBias: z.number(),
  /** Reasons for doubt: `factor` beyond 0.5 to 2, `error` above 15 %. Empty if there are none. */
  doubts: z.array(z.enum(["factor", "error"])),
});

export type CalibrationWire = z.infer<typeof calibration>;
