import type { AgentPlaces } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import { LOADS_LIVE } from "@/lib/core/context/resume";
import * as limits from "./base/constants";
import { presetFor } from "./base/presets";
import { goosePolicy } from "./policy/policy";

/** Sessions are rows of a database; earlier releases wrote a file for each. Source: README.md, "Where sessions are stored". */
const goosePlaces: AgentPlaces = {
  roots: [
    {
      folder: ".local/share/goose",
      variables: [
        { name: "XDG_DATA_HOME", below: "goose" },
        { name: "GOOSE_PATH_ROOT", below: "data" },
      ],
    },
    { folder: "AppData/Roaming/Block/goose/data" },
  ],
  files: ["sessions/*.jsonl"],
  stores: [{ file: "sessions/sessions.db" }],
};

/** The browser profile of Goose. */
export const profile = {
  defaultWindow: constant(128_000, "tokens", {
    kind: "code",
    text: "aaif-goose/goose 1.50, crates/goose/src/model.rs: DEFAULT_CONTEXT_LIMIT",
  }),
  places: goosePlaces,
  policy: goosePolicy,
  summaryCall: { sharesPrefix: () => false, source: limits.COMPACTION_CODE },
  presetFor,
  resume: LOADS_LIVE,
  constants: {
    compactionThreshold: constant(limits.COMPACTION_THRESHOLD, "share", limits.COMPACTION_CODE),
    continuationTokens: constant(limits.CONTINUATION_TOKENS, "tokens", limits.COMPACTION_CODE),
    toolLoopTokens: constant(limits.TOOL_LOOP_TOKENS, "tokens", limits.COMPACTION_CODE),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
