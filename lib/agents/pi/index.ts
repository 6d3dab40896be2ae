import { LOADS_LIVE } from "@/lib/core/context/resume";
import type { AgentProfile, Constant } from "../profile";
import {
  FILLED_SHARE,
  IMAGE_CHARS,
  KEEP_RECENT_TOKENS,
  OUTPUT_BYTES,
  OUTPUT_LINES,
  RESERVE_TOKENS,
  ROOM_FOR_SUMMARY,
  SUMMARY_RESULT_CHARS,
} from "./constants";
import { piPlaces } from "./places";
import { piPolicy } from "./policy/policy";
import { PI_PRESETS, presetFor } from "./presets";

const CODE = {
  kind: "code",
  text: "@mariozechner/pi-coding-agent 0.51.0 and @earendil-works/pi-coding-agent 1.5.2",
} as const;
const from = (file: string) => ({ ...CODE, text: `${CODE.text}, ${file}` });

/** The browser-safe half of pi. */
export const pi = {
  id: "pi",
  label: "pi",
  mark: "Pi",
  estimator: "pi",
  estimatorPresets: PI_PRESETS,
  defaultWindow: {
    value: 200_000,
    unit: "tokens",
    source: { kind: "document", text: "standard context window of Claude models, pi's default provider" },
  },
  places: piPlaces,
  policy: piPolicy,
  summaryCall: {
    sharesPrefix: () => false,
    source: {
      kind: "code",
      text: "pi-mono, packages/coding-agent/src/core/compaction/compaction.ts, March 2026: a prompt of its own",
    },
  },
  presetFor,
  resume: LOADS_LIVE,
  constants: {
    reserveTokens: { value: RESERVE_TOKENS, unit: "tokens", source: from("core/compaction") },
    keepRecentTokens: { value: KEEP_RECENT_TOKENS, unit: "tokens", source: from("core/compaction") },
    charsPerToken: { value: 4, unit: "chars", source: from("core/compaction, estimateTokens") },
    imageChars: { value: IMAGE_CHARS, unit: "chars", source: from("core/compaction, estimateTokens") },
    summaryResultChars: {
      value: SUMMARY_RESULT_CHARS,
      unit: "chars",
      source: { kind: "code", text: "@earendil-works/pi-coding-agent 1.5.2, core/compaction/utils (from 0.56.3 on)" },
    },
    outputLines: { value: OUTPUT_LINES, unit: "lines", source: from("core/tools/truncate") },
    outputBytes: { value: OUTPUT_BYTES, unit: "bytes", source: from("core/tools/truncate") },
    filledShare: {
      value: FILLED_SHARE,
      unit: "share",
      source: {
        kind: "code",
        text: "@earendil-works/pi-ai 1.5.2, utils/overflow: a response cut short at a full window",
      },
    },
    branchSummaryShare: {
      value: ROOM_FOR_SUMMARY,
      unit: "share",
      source: from("core/compaction/branch-summarization"),
    },
    summaryOutputShare: {
      value: 0.8,
      unit: "share",
      source: {
        kind: "code",
        text: "@mariozechner/pi-coding-agent 0.51.0, core/compaction: output limit of a summary, of the reserve",
      },
    },
    turnPrefixOutputShare: {
      value: 0.5,
      unit: "share",
      source: {
        kind: "code",
        text: "@mariozechner/pi-coding-agent 0.51.0, core/compaction: output limit of a cut turn's summary, of the reserve",
      },
    },
    cutResultTokens: {
      value: 510,
      unit: "tokens",
      source: {
        kind: "code",
        text: "@earendil-works/pi-coding-agent 1.5.2, core/compaction/utils: 2,000 characters and the note, over four",
      },
    },
    sessionVersion: { value: 3, unit: "count", source: from("core/session-manager, version of the file format") },
  } satisfies Record<string, Constant>,
} as const satisfies AgentProfile;
