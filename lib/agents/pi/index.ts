import { type AgentPlaces, lastParts, type Placed } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import { LOADS_LIVE } from "@/lib/core/context/resume";
import {
  FILLED_SHARE,
  IMAGE_CHARS,
  KEEP_RECENT_TOKENS,
  OUTPUT_BYTES,
  OUTPUT_LINES,
  RESERVE_TOKENS,
  ROOM_FOR_SUMMARY,
  SUMMARY_RESULT_CHARS,
} from "./base/constants";
import { presetFor } from "./base/presets";
import { piPolicy } from "./policy/policy";

/**
 * A session is `sessions/--<project>--/<time>_<session>.jsonl`. `PI_CODING_AGENT_DIR` moves everything, `PI_CODING_AGENT_SESSION_DIR` only the
 * sessions. Source: README.md, "Where sessions are stored".
 */
const piPlaces: AgentPlaces = {
  roots: [
    {
      folder: ".pi/agent/sessions",
      variables: [{ name: "PI_CODING_AGENT_DIR", below: "sessions" }, { name: "PI_CODING_AGENT_SESSION_DIR" }],
    },
  ],
  files: ["**/*.jsonl"],
  projectFolder,
  placed,
};

/** The path without its first separator, with every further `/`, `\` and `:` replaced by a dash, between two dashes on each side. */
function projectFolder(project: string): string {
  return `--${project.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d+)Z_(.+)\.jsonl$/;

function placed(path: string): Placed {
  const [folder = "", name = ""] = lastParts(path, 2);
  const [, day, hours, minutes, seconds, milliseconds, sessionId] = NAME.exec(name) ?? [];
  const startedAt = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
  return {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(Number.isNaN(startedAt) ? {} : { startedAt }),
    ...(/^--.+--$/.test(folder) ? { projectFolder: folder } : {}),
  };
}

const CODE = {
  kind: "code",
  text: "@mariozechner/pi-coding-agent 0.51.0 and @earendil-works/pi-coding-agent 1.5.2",
} as const;
const from = (file: string) => ({ ...CODE, text: `${CODE.text}, ${file}` });

/** The browser profile of pi. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", {
    kind: "document",
    text: "standard context window of Claude models, pi's default provider",
  }),
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
    reserveTokens: constant(RESERVE_TOKENS, "tokens", from("core/compaction")),
    keepRecentTokens: constant(KEEP_RECENT_TOKENS, "tokens", from("core/compaction")),
    charsPerToken: constant(4, "chars", from("core/compaction, estimateTokens")),
    imageChars: constant(IMAGE_CHARS, "chars", from("core/compaction, estimateTokens")),
    summaryResultChars: constant(SUMMARY_RESULT_CHARS, "chars", {
      kind: "code",
      text: "@earendil-works/pi-coding-agent 1.5.2, core/compaction/utils (from 0.56.3 on)",
    }),
    outputLines: constant(OUTPUT_LINES, "lines", from("core/tools/truncate")),
    outputBytes: constant(OUTPUT_BYTES, "bytes", from("core/tools/truncate")),
    filledShare: constant(FILLED_SHARE, "share", {
      kind: "code",
      text: "@earendil-works/pi-ai 1.5.2, utils/overflow: a response cut short at a full window",
    }),
    branchSummaryShare: constant(ROOM_FOR_SUMMARY, "share", from("core/compaction/branch-summarization")),
    summaryOutputShare: constant(0.8, "share", {
      kind: "code",
      text: "@mariozechner/pi-coding-agent 0.51.0, core/compaction: output limit of a summary, of the reserve",
    }),
    turnPrefixOutputShare: constant(0.5, "share", {
      kind: "code",
      text: "@mariozechner/pi-coding-agent 0.51.0, core/compaction: output limit of a cut turn's summary, of the reserve",
    }),
    cutResultTokens: constant(510, "tokens", {
      kind: "code",
      text: "@earendil-works/pi-coding-agent 1.5.2, core/compaction/utils: 2,000 characters and the note, over four",
    }),
    sessionVersion: constant(3, "count", from("core/session-manager, version of the file format")),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
