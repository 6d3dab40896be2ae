import { z } from "zod";
import { calibration, contextWindow, tokens } from "./basics";

/** Contents of the window at a request, and the known overhead. */

export const breakdownKind = z.enum(["recorded", "estimated", "inferred", "derived"]);

export const breakdownCategory = z.object({
  id: z.string(),
  tokens,
  share: z.number(),
  kind: breakdownKind,
  items: z.array(z.object({ name: z.string(), tokens })).optional(),
  parts: z.array(z.object({ id: z.string(), tokens, kind: breakdownKind })).optional(),
});

/** `GET /api/profiles`, `POST /api/profiles`, `PUT /api/sessions/:id/overhead`: context profiles, kept on this machine. */
export const storedProfile = z.object({ id: z.string(), name: z.string() });
export const profilesAnswer = z.object({ profiles: z.array(storedProfile) });

/** A profile as JSON, or the id of a session whose recording holds its overhead. */
export const profileRequest = z.strictObject({
  name: z.string().min(1),
  profile: z.unknown().optional(),
  session: z.string().optional(),
});
export const profileScope = z.enum(["session", "project", "agent"]);

/** `null` clears the choice. */
export const profileChoice = z.strictObject({ scope: profileScope, profile: z.string().nullable() });

/** Known overhead of a session outside its file. Items need not sum to their category. */
export const overheadAnswer = z.object({
  profile: storedProfile.extend({ scope: profileScope }).nullable(),
  /** Source of the sizes: the agent's own report, the profile, or none. */
  source: z.enum(["report", "profile"]).nullable(),
  declaredTokens: tokens.nullable(),
  categories: z.array(z.object({ id: z.string(), tokens, items: z.array(z.object({ name: z.string(), tokens })) })),
});
/** A count, a name from the file, or a word among the page's messages. */
const reportCell = z.union([z.int(), z.string(), z.object({ word: z.string() })]);

/** Contents of an agent's own context report besides the categories. The page's messages have the words for the ids. */
export const agentReport = z.object({
  facts: z.array(z.object({ id: z.string(), values: z.record(z.string(), reportCell.nullable()) })),
  tables: z.array(z.object({ id: z.string(), columns: z.array(z.string()), rows: z.array(z.array(reportCell)) })),
  texts: z.array(z.object({ id: z.string(), text: z.string() })),
});

export const breakdown = z.object({
  request: z.int(),
  window: contextWindow,
  preset: z.string(),
  threshold: z.number().nullable(),
  total: z.object({ tokens, kind: z.enum(["recorded", "estimated"]) }).nullable(),
  /** Scales the parts of the messages to the recorded usage; null for plain estimates. */
  calibration: calibration.nullable(),
  categories: z.array(breakdownCategory),
  /** Sizes at which the agent warns, compacts or refuses; `tier` is the reached one, by the agent's own name. */
  levels: z
    .array(
      z.object({
        id: z.enum(["warn", "auto", "hard", "effectiveWindow", "warnBelow", "blockBelow"]),
        tokens: z.number(),
      }),
    )
    .optional(),
  tier: z.string().optional(),
  cachedTokens: tokens.optional(),
  /** Present for agents that report on their prompt. */
  agentReport: agentReport.optional(),
});

export type StoredProfile = z.infer<typeof storedProfile>;
export type ProfilesAnswer = z.infer<typeof profilesAnswer>;
export type ProfileChoice = z.infer<typeof profileChoice>;
export type OverheadAnswer = z.infer<typeof overheadAnswer>;
export type AgentReport = z.infer<typeof agentReport>;
export type Breakdown = z.infer<typeof breakdown>;
