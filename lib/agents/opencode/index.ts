import type { AgentPlaces } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import { LOADS_LIVE } from "@/lib/core/context/resume";
import * as limits from "./base/constants";
import { presetFor } from "./base/presets";
import { opencodePolicy } from "./policy/policy";
import { opencodeBreakdown } from "./report/breakdown";

/**
 * Sessions are rows of a database; earlier releases kept them as a tree of small files, one for each message part, which is not read: those sessions are
 * exported. Source: README.md, "Where sessions are stored".
 */
const opencodePlaces: AgentPlaces = {
  roots: [{ folder: ".local/share/opencode", variables: [{ name: "XDG_DATA_HOME", below: "opencode" }] }],
  files: [],
  stores: [
    { file: "opencode.db", variable: "OPENCODE_DB", exportCommand: "opencode export SESSION > session.json" },
    { file: "opencode-*.db", exportCommand: "opencode export SESSION > session.json" },
    { file: "storage/session", exportCommand: "opencode export SESSION > session.json" },
  ],
  // Exports, wherever the user put them.
  subagents: () => [{ folder: ".", files: /\.json$/, depth: 0, isShared: true }],
};

/** The browser profile of opencode. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", {
    kind: "ours",
    text: "the program takes the window from its list of models; 200,000 is that of most",
  }),
  places: opencodePlaces,
  policy: opencodePolicy,
  summaryCall: {
    sharesPrefix: () => false,
    source: { kind: "report", text: "anomalyco/opencode#43249, #25120: no system prompt, no tools, other messages" },
  },
  presetFor,
  breakdown: opencodeBreakdown,
  resume: LOADS_LIVE,
  constants: {
    charsPerToken: constant(limits.CHARS_PER_TOKEN, "chars", limits.COUNTING_CODE),
    maxOutputTokens: constant(limits.MAX_OUTPUT_TOKENS, "tokens", limits.OVERFLOW_CODE),
    reservedTokens: constant(limits.RESERVED_TOKENS, "tokens", limits.OVERFLOW_CODE),
    tailTurns: constant(limits.TAIL_TURNS, "count", limits.COMPACTION_CODE),
    tailShare: constant(limits.TAIL_SHARE, "share", limits.COMPACTION_CODE),
    tailLeast: constant(limits.TAIL_LEAST, "tokens", limits.COMPACTION_CODE),
    tailMost: constant(limits.TAIL_MOST, "tokens", limits.COMPACTION_CODE),
    pruneProtect: constant(limits.PRUNE_PROTECT, "tokens", limits.COMPACTION_CODE),
    pruneMinimum: constant(limits.PRUNE_MINIMUM, "tokens", limits.COMPACTION_CODE),
    pruneTurns: constant(limits.PRUNE_TURNS, "count", limits.COMPACTION_CODE),
    panelArgumentChars: constant(16, "chars", limits.PANEL_CODE),
    serializedResultChars: constant(2000, "chars", limits.COMPACTION_CODE),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
