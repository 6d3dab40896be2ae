import type { AgentProfile, Constant } from "../profile";
import {
  AUTO_BUFFER,
  AUTO_SHARE,
  BUDGET_MARGIN,
  CHARS_PER_TOKEN,
  CLEAR_ABOVE_CHARS,
  CLEAR_IDLE_MINUTES,
  COMPACT_SHARE,
  CURRENT,
  CURRENT_DEFAULT_WINDOW,
  DEFAULT_WINDOW,
  DOCUMENT,
  HARD_BUFFER,
  IMAGE_TOKENS,
  KEPT_RESULTS,
  MAX_FAILURES,
  OUTPUT_CHARS,
  OUTPUT_LINES,
  PRESERVE_SHARE,
  PROMPT_TOKENS,
  RELEASE,
  RESTORED_FILE_TOKENS,
  RESTORED_FILES,
  RESTORED_IMAGES,
  RESTORED_TOKENS,
  SCREENSHOT_TRIGGER,
  SUMMARY_PROMPT_CHARS,
  SUMMARY_RESERVE,
  WARN_BUFFER,
} from "./constants";
import { qwenCodePlaces } from "./places";
import { qwenCodePolicy } from "./policy/policy";
import { presetFor } from "./presets";
import { qwenCodeBreakdown } from "./report/breakdown";
import { loadsSnapshotAndTail } from "./resume";

const SERVICE = CURRENT("services/chatCompressionService");
const ATTACHMENTS = CURRENT("services/postCompactAttachments");
const CLEARING = CURRENT("services/microcompaction");
const OLD_SERVICE = RELEASE("services/chatCompressionService");

const CURRENT_WINDOW = {
  value: CURRENT_DEFAULT_WINDOW,
  unit: "tokens",
  source: CURRENT("core/tokenLimits"),
} as const satisfies Constant;

/** The browser-safe half of Qwen Code. */
export const qwenCode = {
  id: "qwen-code",
  label: "Qwen Code",
  mark: "Qw",
  estimator: "qwen-code",
  defaultWindow: { value: DEFAULT_WINDOW, unit: "tokens", source: DOCUMENT("§7 (131,072)") },
  presetWindows: { current: CURRENT_WINDOW },
  places: qwenCodePlaces,
  policy: qwenCodePolicy,
  summaryCall: {
    sharesPrefix: () => false,
    source: { kind: "code", text: "QwenLM/qwen-code, chatCompressionService.ts: a system prompt of its own" },
  },
  presetFor,
  breakdown: qwenCodeBreakdown,
  resume: loadsSnapshotAndTail,
  constants: {
    compactShare: { value: COMPACT_SHARE, unit: "share", source: DOCUMENT("§7 (70 % of the window)") },
    preserveShare: { value: PRESERVE_SHARE, unit: "share", source: OLD_SERVICE },
    promptTokens: { value: PROMPT_TOKENS, unit: "tokens", source: OLD_SERVICE },
    asciiCharsPerToken: { value: CHARS_PER_TOKEN, unit: "chars", source: DOCUMENT("estimate (ASCII / 4)") },
    tokensPerOtherChar: { value: 1.5, unit: "tokens", source: DOCUMENT("estimate (other characters × 1.5)") },
    currentWindow: CURRENT_WINDOW,
    autoShare: { value: AUTO_SHARE, unit: "share", source: SERVICE },
    summaryReserve: { value: SUMMARY_RESERVE, unit: "tokens", source: SERVICE },
    autoBuffer: { value: AUTO_BUFFER, unit: "tokens", source: SERVICE },
    warnBuffer: { value: WARN_BUFFER, unit: "tokens", source: SERVICE },
    hardBuffer: { value: HARD_BUFFER, unit: "tokens", source: SERVICE },
    budgetMargin: { value: BUDGET_MARGIN, unit: "tokens", source: SERVICE },
    maxFailures: { value: MAX_FAILURES, unit: "count", source: SERVICE },
    screenshotTrigger: { value: SCREENSHOT_TRIGGER, unit: "count", source: SERVICE },
    imageTokens: { value: IMAGE_TOKENS, unit: "tokens", source: CURRENT("services/tokenEstimation") },
    restoredFiles: { value: RESTORED_FILES, unit: "count", source: ATTACHMENTS },
    restoredImages: { value: RESTORED_IMAGES, unit: "count", source: ATTACHMENTS },
    restoredFileTokens: { value: RESTORED_FILE_TOKENS, unit: "tokens", source: ATTACHMENTS },
    restoredTokens: { value: RESTORED_TOKENS, unit: "tokens", source: ATTACHMENTS },
    clearIdleMinutes: { value: CLEAR_IDLE_MINUTES, unit: "minutes", source: CLEARING },
    clearAboveChars: { value: CLEAR_ABOVE_CHARS, unit: "chars", source: CLEARING },
    keptResults: { value: KEPT_RESULTS, unit: "count", source: CLEARING },
    outputChars: { value: OUTPUT_CHARS, unit: "chars", source: RELEASE("core/coreToolScheduler") },
    outputLines: { value: OUTPUT_LINES, unit: "lines", source: RELEASE("core/coreToolScheduler") },
    responseChars: { value: 64, unit: "chars", source: CURRENT("services/tokenEstimation") },
    sampleBytes: { value: 512, unit: "bytes", source: ATTACHMENTS },
    binaryShare: { value: 0.3, unit: "share", source: ATTACHMENTS },
    mostSubagents: { value: 30, unit: "count", source: ATTACHMENTS },
    mostDescriptionChars: { value: 200, unit: "chars", source: ATTACHMENTS },
    promptChars: { value: SUMMARY_PROMPT_CHARS, unit: "chars", source: CURRENT("core/prompts, getCompressionPrompt") },
    wrapChars: {
      value: 120,
      unit: "chars",
      source: RELEASE("core/coreToolScheduler, width at which long lines are wrapped"),
    },
    conservativeFactor: { value: 1.5, unit: "factor", source: CURRENT("services/tokenEstimation") },
    patch: { value: 28, unit: "pixels", source: RELEASE("utils/request-tokenizer/imageTokenizer") },
    mostPatches: { value: 16_384, unit: "count", source: RELEASE("utils/request-tokenizer/imageTokenizer") },
    fewestPatches: { value: 4, unit: "count", source: RELEASE("utils/request-tokenizer/imageTokenizer") },
    marks: {
      value: 2,
      unit: "tokens",
      source: RELEASE("utils/request-tokenizer/imageTokenizer, the marks around a picture"),
    },
    payloadTextChars: { value: 4_000, unit: "chars", source: CURRENT("request to summarise: long texts") },
    mostMimeChars: { value: 128, unit: "chars", source: CURRENT("request to summarise: placeholders of media") },
    cjkTokens: { value: 1.5, unit: "tokens", source: CURRENT("services/chatCompressionService, size of a summary") },
    outputHeadShare: {
      value: 5,
      unit: "count",
      source: RELEASE("core/coreToolScheduler, one part in five is the head"),
    },
  } satisfies Record<string, Constant>,
} as const satisfies AgentProfile;
