import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import { taskPlaces } from "@/lib/agents/shared/vs-code-places";
import * as limits from "./base/constants";
import { presetFor } from "./base/presets";
import { rooPolicy } from "./policy/policy";

/** Browser profile of Roo Code. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", {
    kind: "document",
    text: "standard context window of Claude models, the default provider's",
  }),
  /** Source: README.md, "Where sessions are stored". */
  places: taskPlaces(["rooveterinaryinc.roo-cline", "kilocode.kilo-code"]),
  policy: rooPolicy,
  summaryCall: { sharesPrefix: () => false, source: limits.CONDENSE_CODE },
  presetFor,
  constants: {
    condensePercent: constant(limits.CONDENSE_PERCENT, "count", limits.MANAGEMENT_CODE),
    bufferShare: constant(limits.BUFFER_SHARE, "share", limits.MANAGEMENT_CODE),
    outputTokens: constant(limits.OUTPUT_TOKENS, "tokens", limits.OUTPUT_CODE),
    hiddenShare: constant(limits.HIDDEN_SHARE, "share", limits.MANAGEMENT_CODE),
    markerChars: constant(limits.MARKER_CHARS, "chars", limits.MANAGEMENT_CODE),
    keptMessages: constant(limits.KEPT_MESSAGES, "count", limits.CONDENSE_CODE),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
