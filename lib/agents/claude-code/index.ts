import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import { LOADS_LIVE } from "@/lib/core/context/resume";
import { IMAGE_TOKENS } from "@/lib/core/tokens/estimator";
import { claudeCodePlaces } from "./base/places";
import { presetFor } from "./base/presets";
import { claudeCodePolicy } from "./policy/policy";
import { LINE_NUMBER_CHARS, REATTACHED_FILE_TOKENS, UNKNOWN_FILES_TOKENS } from "./policy/reattached";
import { IDLE_FLOOR, IDLE_MINUTES, IDLE_REPORTS, KEPT_TOOL_RESULTS, REATTACHED_REST } from "./policy/settings";
import { AUTO_BUFFER, AUTO_BUFFER_2025, MAX_OUTPUT_RESERVE } from "./policy/threshold";
import { REATTACHED_FILES } from "./policy/touched-files";
import { claudeCodeBreakdown } from "./report/breakdown";

const REPORT = { kind: "report", text: "anthropics/claude-code#24079, #12004, #31806" } as const;
const REPORT_2025 = { kind: "report", text: "/context of 2.0.x; recordings up to 2.1.20" } as const;
const REPORT_CLEARING = { kind: "report", text: "single reports of micro-compaction by idle time" } as const;
const DOCUMENTED = {
  kind: "document",
  text: "code.claude.com/docs/en/context-window, What survives compaction (September 2026)",
} as const;
const MEASURED = { kind: "report", text: "measured on public recordings of 2.0.76 to 2.1.87" } as const;

/** Browser profile of Claude Code. The vendor publishes none of its numbers: see README.md. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", { kind: "document", text: "standard context window of Claude models" }),
  places: claudeCodePlaces,
  policy: claudeCodePolicy,
  summaryCall: {
    sharesPrefix: () => true,
    source: { kind: "document", text: "code.claude.com/docs/en/prompt-caching, August 2026" },
  },
  presetFor,
  breakdown: claudeCodeBreakdown,
  resume: LOADS_LIVE,
  constants: {
    outputReserve: constant(MAX_OUTPUT_RESERVE, "tokens", REPORT),
    autoBuffer: constant(AUTO_BUFFER, "tokens", REPORT),
    autocompactBuffer: constant(MAX_OUTPUT_RESERVE + AUTO_BUFFER, "tokens", REPORT),
    autoBuffer2025: constant(AUTO_BUFFER_2025, "tokens", REPORT_2025),
    autocompactBuffer2025: constant(MAX_OUTPUT_RESERVE + AUTO_BUFFER_2025, "tokens", REPORT_2025),
    reattachedFiles: constant(REATTACHED_FILES, "count", DOCUMENTED),
    reattachedFileTokens: constant(REATTACHED_FILE_TOKENS, "tokens", DOCUMENTED),
    lineNumberChars: constant(LINE_NUMBER_CHARS, "chars", MEASURED),
    unknownFilesTokens: constant(UNKNOWN_FILES_TOKENS, "tokens", MEASURED),
    reattachedRest: constant(REATTACHED_REST, "tokens", MEASURED),
    keptToolResults: constant(KEPT_TOOL_RESULTS, "count", REPORT_CLEARING),
    idleMinutes: constant(IDLE_MINUTES, "minutes", { kind: "report", text: IDLE_REPORTS }),
    idleFloor: constant(IDLE_FLOOR, "tokens", { kind: "report", text: IDLE_REPORTS }),
    charsPerToken: constant(4, "chars", { kind: "ours", text: "rule of thumb; the program goes by recorded usage" }),
    imageTokens: constant(IMAGE_TOKENS, "tokens", {
      kind: "document",
      text: "width × height / 750, at the largest size that is not scaled down",
    }),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
