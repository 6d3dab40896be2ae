import { OUTLINES } from "../outlines";
import { type AgentProfile, type Constant, constant } from "../profile";
import * as limits from "./constants";
import { geminiPlaces } from "./places";
import { geminiPolicy } from "./policy/policy";
import { presetFor } from "./presets";
import { loadsMessagesButCommands } from "./resume";

/** The browser-safe half of Gemini CLI. */
export const geminiCli = {
  ...OUTLINES["gemini-cli"],
  defaultWindow: constant(limits.DEFAULT_WINDOW, "tokens", limits.WINDOW_CODE),
  places: geminiPlaces,
  policy: geminiPolicy,
  summaryCall: {
    sharesPrefix: () => false,
    source: {
      kind: "code",
      text: "google-gemini/gemini-cli, chatCompressionService.ts, August 2026: a system prompt of its own",
    },
  },
  presetFor,
  resume: loadsMessagesButCommands,
  constants: {
    asciiTokens: constant(limits.ASCII_TOKENS, "tokens", limits.COUNTING_CODE),
    otherTokens: constant(limits.OTHER_TOKENS, "tokens", limits.COUNTING_CODE),
    exactChars: constant(limits.EXACT_CHARS, "chars", limits.COUNTING_CODE),
    imageTokens: constant(limits.IMAGE_TOKENS, "tokens", limits.COUNTING_CODE),
    pdfTokens: constant(limits.PDF_TOKENS, "tokens", limits.COUNTING_CODE),
    threshold: constant(limits.THRESHOLD, "share", limits.COMPRESSION_CODE),
    preserve: constant(limits.PRESERVE, "share", limits.COMPRESSION_CODE),
    toolResponseTokens: constant(limits.TOOL_RESPONSE_TOKENS, "tokens", limits.COMPRESSION_CODE),
    outputChars: constant(limits.OUTPUT_CHARS, "chars", limits.TRUNCATION_CODE),
    headShare: constant(limits.HEAD_SHARE, "share", limits.TRUNCATION_CODE),
    maskProtectedTokens: constant(limits.MASK_PROTECTED_TOKENS, "tokens", limits.MASKING_CODE),
    maskMinimumTokens: constant(limits.MASK_MINIMUM_TOKENS, "tokens", limits.MASKING_CODE),
    smallWindow: constant(256_000, "tokens", limits.WINDOW_CODE),
    maskPreviewChars: constant(500, "chars", limits.MASKING_CODE),
    shellPreviewEndLines: constant(10, "lines", limits.MASKING_CODE),
    nestedMaxDepth: constant(3, "count", limits.COUNTING_CODE),
  } satisfies Record<string, Constant>,
} as const satisfies AgentProfile;
