import { z } from "zod";
import { contextWindow, tokens } from "./basics";

/** What fills the window at a request, and what is known of its overhead. */

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

/** `null` takes the choice back. */
export const profileChoice = z.strictObject({ scope: profileScope, profile: z.string().nullable() });

/** What is known of a session's overhead beyond its file. Items need not sum to their category. */
export const overheadAnswer = z.object({
  profile: storedProfile.extend({ scope: profileScope }).nullable(),
  /** Where the sizes come from: the agent's own report, the profile, or nowhere. */
  source: z.enum(["report", "profile"]).nullable(),
  declaredTokens: tokens.nullable(),
  categories: z.array(z.object({ id: z.string(), tokens, items: z.array(z.object({ name: z.string(), tokens })) })),
});
const chars = z.int();

/** A system prompt report: sizes in characters. Its parts overlap: files, skills and the tool list are inside the prompt. */
export const promptReport = z.object({
  /** `run` where it was sent, `estimate` where it is made from what is known. */
  source: z.string(),
  workspaceDir: z.string(),
  bootstrapMaxChars: z.number().nullable(),
  systemPrompt: z.object({ chars, projectContextChars: chars, nonProjectContextChars: chars }),
  injectedWorkspaceFiles: z.array(
    z.object({
      name: z.string(),
      missing: z.boolean(),
      rawChars: chars,
      injectedChars: chars,
      truncated: z.boolean(),
    }),
  ),
  skills: z.object({ promptChars: chars, entries: z.array(z.object({ name: z.string(), blockChars: chars })) }),
  tools: z.object({
    listChars: chars,
    schemaChars: chars,
    entries: z.array(
      z.object({
        name: z.string(),
        summaryChars: chars,
        schemaChars: chars,
        propertiesCount: z.int().nullable(),
      }),
    ),
  }),
});

/** What an agent's own report of its context says beside the categories. */
export const agentReport = z.object({
  window: z.object({ tokens, source: z.string() }),
  guard: z.object({ warnBelow: tokens, blockBelow: tokens, state: z.enum(["ok", "warn", "block"]) }),
  session: z.object({
    inputTokens: tokens.nullable(),
    outputTokens: tokens.nullable(),
    totalTokens: tokens.nullable(),
    contextTokens: tokens,
    compactionCount: z.int(),
  }),
  memorySyncs: z.array(z.object({ line: z.int(), at: z.number().nullable(), bytes: z.int(), messages: z.int() })),
  report: promptReport.nullable(),
  views: z.object({ list: z.string(), detail: z.string() }).nullable(),
});

export const breakdown = z.object({
  request: z.int(),
  window: contextWindow,
  preset: z.string(),
  threshold: z.number().nullable(),
  total: z.object({ tokens, kind: z.enum(["recorded", "estimated"]) }).nullable(),
  categories: z.array(breakdownCategory),
  /** Sizes at which the agent warns, compacts, refuses; and which of them is reached, by its own names. */
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
  /** Of agents that report on their prompt. */
  agentReport: agentReport.optional(),
});

export type StoredProfile = z.infer<typeof storedProfile>;
export type ProfilesAnswer = z.infer<typeof profilesAnswer>;
export type ProfileChoice = z.infer<typeof profileChoice>;
export type OverheadAnswer = z.infer<typeof overheadAnswer>;
export type AgentReport = z.infer<typeof agentReport>;
export type Breakdown = z.infer<typeof breakdown>;
