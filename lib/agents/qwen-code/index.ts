import { type AgentPlaces, lastParts, nameOfFile, type Placed } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import { boundariesOf, TRIGGER } from "@/lib/core/columns/columns";
import { NEVER, recordedMembership } from "@/lib/core/columns/membership";
import type { ResumeRule } from "@/lib/core/context/resume";
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
} from "./base/constants";
import { presetFor } from "./base/presets";
import { qwenCodePolicy } from "./policy/policy";
import { qwenCodeBreakdown } from "./report/breakdown";

/**
 * A resume loads the last snapshot and the later records. A message that waited for its request during the compaction was written before the
 * snapshot, so it is lost. Snapshots hold no thoughts. The documented release drops all other thoughts as well; later releases do so only on request,
 * which a file does not record. Source: README.md, "Resuming"; `replaySession` is the exact form.
 */
const loadsSnapshotAndTail: ResumeRule = ({ columns, agentVersion, boundary, kind, live }) => {
  const { entered } = recordedMembership(columns);
  const last = boundariesOf(columns, "compaction").at(-1);
  // No message waits at a manual compaction.
  const isManual = last !== undefined && columns.boundaries.trigger[last] === TRIGGER.manual;
  const compactedAt = last === undefined || isManual ? NEVER : (columns.boundaries.request[last] ?? NEVER);
  const isDocumented = presetFor(agentVersion) === "as-documented";
  return (row) => {
    const isBefore = row < boundary;
    if (!live(row) || (isBefore && (entered[row] ?? 0) >= compactedAt)) return false;
    return kind(row) !== "thinking" || !(isBefore || isDocumented);
  };
};

/**
 * `projects/<project>/chats/<session>.jsonl`; subagents in `projects/<project>/subagents/<session>/agent-<id>.jsonl`.
 * Source: README.md, "Where sessions are stored".
 */
const qwenCodePlaces: AgentPlaces = {
  roots: [{ folder: ".qwen", variables: [{ name: "QWEN_RUNTIME_DIR" }, { name: "QWEN_HOME" }] }],
  files: ["projects/*/chats/**/*.jsonl", "projects/*/subagents/*/agent-*.jsonl"],
  projectFolder,
  subagents: ({ path }) => [{ folder: `../subagents/${nameOfFile(path)}`, files: /^agent-[^/]+\.jsonl$/, depth: 0 }],
  placed,
};

/** Replaces every UTF-16 unit outside `[A-Za-z0-9]` with a dash. Windows paths, which have drive letters, are put into lower case first. */
function projectFolder(project: string): string {
  const path = /^[A-Za-z]:[\\/]/.test(project) ? project.toLowerCase() : project;
  return path.replace(/[^A-Za-z0-9]/g, "-");
}

function placed(path: string): Placed {
  const [project = "", kind = "", session = "", name = ""] = lastParts(path, 4);
  const id = name.replace(/\.jsonl$/, "");
  const agentId = /^agent-(.+)$/.exec(id)?.[1];
  if (kind === "subagents" && agentId !== undefined) return { agentId, parentSession: session, projectFolder: project };
  return { sessionId: id, ...(session === "chats" ? { projectFolder: kind } : {}) };
}

const SERVICE = CURRENT("services/chatCompressionService");
const ATTACHMENTS = CURRENT("services/postCompactAttachments");
const CLEARING = CURRENT("services/microcompaction");
const OLD_SERVICE = RELEASE("services/chatCompressionService");

const CURRENT_WINDOW = constant(CURRENT_DEFAULT_WINDOW, "tokens", CURRENT("core/tokenLimits"));

/** The browser profile of Qwen Code. */
export const profile = {
  defaultWindow: constant(DEFAULT_WINDOW, "tokens", DOCUMENT("§7 (131,072)")),
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
    compactShare: constant(COMPACT_SHARE, "share", DOCUMENT("§7 (70 % of the window)")),
    preserveShare: constant(PRESERVE_SHARE, "share", OLD_SERVICE),
    promptTokens: constant(PROMPT_TOKENS, "tokens", OLD_SERVICE),
    asciiCharsPerToken: constant(CHARS_PER_TOKEN, "chars", DOCUMENT("estimate (ASCII / 4)")),
    tokensPerOtherChar: constant(1.5, "tokens", DOCUMENT("estimate (other characters × 1.5)")),
    currentWindow: CURRENT_WINDOW,
    autoShare: constant(AUTO_SHARE, "share", SERVICE),
    summaryReserve: constant(SUMMARY_RESERVE, "tokens", SERVICE),
    autoBuffer: constant(AUTO_BUFFER, "tokens", SERVICE),
    warnBuffer: constant(WARN_BUFFER, "tokens", SERVICE),
    hardBuffer: constant(HARD_BUFFER, "tokens", SERVICE),
    budgetMargin: constant(BUDGET_MARGIN, "tokens", SERVICE),
    maxFailures: constant(MAX_FAILURES, "count", SERVICE),
    screenshotTrigger: constant(SCREENSHOT_TRIGGER, "count", SERVICE),
    imageTokens: constant(IMAGE_TOKENS, "tokens", CURRENT("services/tokenEstimation")),
    restoredFiles: constant(RESTORED_FILES, "count", ATTACHMENTS),
    restoredImages: constant(RESTORED_IMAGES, "count", ATTACHMENTS),
    restoredFileTokens: constant(RESTORED_FILE_TOKENS, "tokens", ATTACHMENTS),
    restoredTokens: constant(RESTORED_TOKENS, "tokens", ATTACHMENTS),
    clearIdleMinutes: constant(CLEAR_IDLE_MINUTES, "minutes", CLEARING),
    clearAboveChars: constant(CLEAR_ABOVE_CHARS, "chars", CLEARING),
    keptResults: constant(KEPT_RESULTS, "count", CLEARING),
    outputChars: constant(OUTPUT_CHARS, "chars", RELEASE("core/coreToolScheduler")),
    outputLines: constant(OUTPUT_LINES, "lines", RELEASE("core/coreToolScheduler")),
    responseChars: constant(64, "chars", CURRENT("services/tokenEstimation")),
    sampleBytes: constant(512, "bytes", ATTACHMENTS),
    binaryShare: constant(0.3, "share", ATTACHMENTS),
    mostSubagents: constant(30, "count", ATTACHMENTS),
    mostDescriptionChars: constant(200, "chars", ATTACHMENTS),
    promptChars: constant(SUMMARY_PROMPT_CHARS, "chars", CURRENT("core/prompts, getCompressionPrompt")),
    wrapChars: constant(120, "chars", RELEASE("core/coreToolScheduler, width at which long lines are wrapped")),
    conservativeFactor: constant(1.5, "factor", CURRENT("services/tokenEstimation")),
    patch: constant(28, "pixels", RELEASE("utils/request-tokenizer/imageTokenizer")),
    mostPatches: constant(16_384, "count", RELEASE("utils/request-tokenizer/imageTokenizer")),
    fewestPatches: constant(4, "count", RELEASE("utils/request-tokenizer/imageTokenizer")),
    marks: constant(2, "tokens", RELEASE("utils/request-tokenizer/imageTokenizer, the marks around a picture")),
    payloadTextChars: constant(4_000, "chars", CURRENT("request to summarise: long texts")),
    mostMimeChars: constant(128, "chars", CURRENT("request to summarise: placeholders of media")),
    cjkTokens: constant(1.5, "tokens", CURRENT("services/chatCompressionService, size of a summary")),
    outputHeadShare: constant(5, "count", RELEASE("core/coreToolScheduler, one part in five is the head")),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
