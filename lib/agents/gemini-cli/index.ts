import type { AgentProfile, Constant } from "../profile";
import * as limits from "./constants";
import { geminiPlaces } from "./places";
import { geminiPolicy } from "./policy/policy";
import { presetFor } from "./presets";
import { loadsMessagesButCommands } from "./resume";

/** The browser-safe half of Gemini CLI. */
export const geminiCli = {
  id: "gemini-cli",
  label: "Gemini CLI",
  mark: "Ge",
  estimator: "gemini-cli",
  defaultWindow: { value: limits.DEFAULT_WINDOW, unit: "tokens", source: limits.WINDOW_CODE },
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
    asciiTokens: { value: limits.ASCII_TOKENS, unit: "tokens", source: limits.COUNTING_CODE },
    otherTokens: { value: limits.OTHER_TOKENS, unit: "tokens", source: limits.COUNTING_CODE },
    exactChars: { value: limits.EXACT_CHARS, unit: "chars", source: limits.COUNTING_CODE },
    imageTokens: { value: limits.IMAGE_TOKENS, unit: "tokens", source: limits.COUNTING_CODE },
    pdfTokens: { value: limits.PDF_TOKENS, unit: "tokens", source: limits.COUNTING_CODE },
    threshold: { value: limits.THRESHOLD, unit: "share", source: limits.COMPRESSION_CODE },
    preserve: { value: limits.PRESERVE, unit: "share", source: limits.COMPRESSION_CODE },
    toolResponseTokens: { value: limits.TOOL_RESPONSE_TOKENS, unit: "tokens", source: limits.COMPRESSION_CODE },
    outputChars: { value: limits.OUTPUT_CHARS, unit: "chars", source: limits.TRUNCATION_CODE },
    headShare: { value: limits.HEAD_SHARE, unit: "share", source: limits.TRUNCATION_CODE },
    maskProtectedTokens: { value: limits.MASK_PROTECTED_TOKENS, unit: "tokens", source: limits.MASKING_CODE },
    maskMinimumTokens: { value: limits.MASK_MINIMUM_TOKENS, unit: "tokens", source: limits.MASKING_CODE },
    smallWindow: { value: 256_000, unit: "tokens", source: limits.WINDOW_CODE },
    maskPreviewChars: { value: 500, unit: "chars", source: limits.MASKING_CODE },
    shellPreviewEndLines: { value: 10, unit: "lines", source: limits.MASKING_CODE },
    nestedMaxDepth: { value: 3, unit: "count", source: limits.COUNTING_CODE },
  } satisfies Record<string, Constant>,
} as const satisfies AgentProfile;
