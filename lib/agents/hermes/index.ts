import type { AgentPlaces } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import * as limits from "./base/constants";
import { presetFor } from "./base/presets";
import { hermesPolicy } from "./policy/policy";

/** Sessions are rows of a database; earlier releases wrote a file for each. Source: README.md, "Where sessions are stored". */
const hermesPlaces: AgentPlaces = {
  roots: [{ folder: ".hermes", variables: [{ name: "HERMES_HOME" }] }],
  files: ["sessions/*.jsonl"],
  stores: [{ file: "state.db" }],
};

const code = limits.COMPRESSOR_CODE;

/** The browser profile of Hermes Agent. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", {
    kind: "ours",
    text: "the program takes the window from its list of models; 200,000 is that of most",
  }),
  places: hermesPlaces,
  policy: hermesPolicy,
  // The call has a prompt of its own, and usually a cheaper model.
  summaryCall: { sharesPrefix: () => false, source: code },
  presetFor,
  constants: {
    /** The system prompt and three messages. */
    headRows: constant(4, "count", code),
    triggerShare: constant(limits.TRIGGER_SHARE, "share", limits.CONFIG_CODE),
    minimumTrigger: constant(limits.MINIMUM_TRIGGER, "tokens", limits.MINIMUM_CODE),
    smallWindowShare: constant(limits.SMALL_WINDOW_SHARE, "share", code),
    protectFirst: constant(limits.PROTECT_FIRST, "count", limits.CONFIG_CODE),
    protectLast: constant(limits.PROTECT_LAST, "count", limits.CONFIG_CODE),
    mostLast: constant(limits.MAX_LAST, "count", code),
    fewestLast: constant(limits.FEWEST_LAST, "count", code),
    fewestBeside: constant(limits.FEWEST_BESIDE, "count", code),
    targetShare: constant(limits.TARGET_SHARE, "share", limits.CONFIG_CODE),
    leastTargetShare: constant(limits.MIN_TARGET_SHARE, "share", code),
    mostTargetShare: constant(limits.MAX_TARGET_SHARE, "share", code),
    softFactor: constant(limits.SOFT_FACTOR, "factor", code),
    messageTokens: constant(limits.MESSAGE_TOKENS, "tokens", code),
    callTokens: constant(limits.CALL_TOKENS, "tokens", code),
    imageTokens: constant(limits.IMAGE_TOKENS, "tokens", code),
    longResultChars: constant(limits.LONG_RESULT_CHARS, "chars", code),
    longArgumentsChars: constant(limits.LONG_ARGUMENTS_CHARS, "chars", code),
    resultLineChars: constant(limits.RESULT_LINE_CHARS, "chars", code),
    shortArgumentsChars: constant(limits.SHORT_ARGUMENTS_CHARS, "chars", code),
    imageLineChars: constant(limits.IMAGE_LINE_CHARS, "chars", code),
    promptChars: constant(limits.PROMPT_CHARS, "chars", code),
    frameChars: constant(limits.FRAME_CHARS, "chars", code),
    contentChars: constant(limits.CONTENT_CHARS, "chars", code),
    cutContentChars: constant(limits.CUT_CONTENT_CHARS, "chars", code),
    argumentsChars: constant(limits.ARGUMENTS_CHARS, "chars", code),
    cutArgumentsChars: constant(limits.CUT_ARGUMENTS_CHARS, "chars", code),
    fallbackChars: constant(limits.FALLBACK_CHARS, "chars", code),
    effectiveSaving: constant(limits.EFFECTIVE_SAVING, "share", code),
    mostIneffective: constant(limits.MAX_INEFFECTIVE, "count", code),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
