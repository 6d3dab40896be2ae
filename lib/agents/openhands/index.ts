import type { AgentPlaces } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import * as limits from "./base/constants";
import { presetFor } from "./base/presets";
import { openHandsPolicy } from "./policy/policy";

/** Trajectories are downloaded, or written where the user says; the program itself keeps a file for each event. Source: README.md. */
const openHandsPlaces: AgentPlaces = { roots: [], files: [] };

/** Browser profile of OpenHands. */
export const profile = {
  defaultWindow: constant(128_000, "tokens", {
    kind: "ours",
    text: "the program takes the window from its provider's list of models; 128,000 is that of most",
  }),
  places: openHandsPlaces,
  policy: openHandsPolicy,
  // The condenser has a model of its own and sends a prompt of its own.
  summaryCall: { sharesPrefix: () => false, source: limits.CONDENSER_CODE },
  presetFor,
  constants: {
    maxEvents: constant(limits.MAX_EVENTS, "count", limits.SETTINGS_CODE),
    keepFirst: constant(limits.KEEP_FIRST, "count", limits.SETTINGS_CODE),
    oldMaxEvents: constant(limits.OLD_MAX_EVENTS, "count", limits.OLD_SESSION_CODE),
    oldKeepFirst: constant(limits.OLD_KEEP_FIRST, "count", limits.OLD_SESSION_CODE),
    fewestEvents: constant(limits.FEWEST_EVENTS, "count", limits.CONDENSER_CODE),
    minimumProgress: constant(limits.MINIMUM_PROGRESS, "share", limits.CONDENSER_CODE),
    eventChars: constant(limits.EVENT_CHARS, "chars", limits.EVENT_CODE),
    oldEventChars: constant(limits.OLD_EVENT_CHARS, "chars", limits.OLD_CONDENSER_CODE),
    promptTokens: constant(limits.PROMPT_TOKENS, "tokens", limits.CONDENSER_CODE),
    oldPromptTokens: constant(limits.OLD_PROMPT_TOKENS, "tokens", limits.OLD_CONDENSER_CODE),
    eventFrameTokens: constant(limits.EVENT_FRAME_TOKENS, "tokens", limits.EVENT_CODE),
    oldEventFrameTokens: constant(limits.OLD_EVENT_FRAME_TOKENS, "tokens", limits.OLD_CONDENSER_CODE),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
