import { type AgentPlaces, lastParts, type Placed } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import * as limits from "./base/constants";
import { presetFor } from "./base/presets";
import { dshPolicy } from "./policy/policy";

/** A session is `sessions/--<project>--/<session>/session.jsonl`, packed by default. Source: README.md, "Where sessions are stored". */
const dshPlaces: AgentPlaces = {
  roots: [{ folder: ".dsh/sessions", variables: [{ name: "DSH_HOME", below: "sessions" }] }],
  files: ["*/*/session.jsonl"],
  subagents: () => [{ folder: "..", files: /^[^/]+\/session\.jsonl$/, depth: 1, isShared: true }],
  placed,
};

/** The project's folder cannot be reversed: characters are replaced, and long names are cut. */
function placed(path: string): Placed {
  const [project = "", session = ""] = lastParts(path, 3);
  if (!/^--.*--$/.test(project) || session === "") return {};
  return { sessionId: session, projectFolder: project };
}

/** The browser profile of DeepSeek Harness. */
export const profile = {
  defaultWindow: constant(128_000, "tokens", {
    kind: "document",
    text: "toninfo/deepseek-harness 6116156, examples/headless-agent: contextWindow of deepseek-v4-flash; sessions record their own",
  }),
  places: dshPlaces,
  policy: dshPolicy,
  summaryCall: { sharesPrefix: () => true, source: limits.SUMMARY_CODE },
  presetFor,
  constants: {
    triggerShare: constant(limits.TRIGGER_SHARE, "share", limits.COMPACTION_CODE),
    retainShare: constant(limits.RETAIN_SHARE, "share", limits.COMPACTION_CODE),
    longResultChars: constant(limits.LONG_RESULT_CHARS, "chars", limits.PRUNER_CODE),
    headChars: constant(limits.HEAD_CHARS, "chars", limits.PRUNER_CODE),
    tailChars: constant(limits.TAIL_CHARS, "chars", limits.PRUNER_CODE),
    markerChars: constant(limits.MARKER_CHARS, "chars", limits.PRUNER_CODE),
    blockTokens: constant(limits.BLOCK_TOKENS, "tokens", limits.METER_CODE),
    messageTokens: constant(limits.MESSAGE_TOKENS, "tokens", limits.METER_CODE),
    instructionChars: constant(limits.INSTRUCTION_CHARS, "chars", limits.SUMMARY_CODE),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
