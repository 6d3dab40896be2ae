import { type AgentPlaces, lastParts, type Placed } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import { presetFor, SDK_DOCUMENT, TRIGGER_SHARE } from "./base/presets";
import { copilotPolicy } from "./policy/policy";

/** A session is `session-state/<session>/events.jsonl`; earlier releases wrote `session-state/<session>.jsonl`. Source: README.md, "Where sessions are stored". */
const copilotPlaces: AgentPlaces = {
  roots: [{ folder: ".copilot", variables: [{ name: "COPILOT_HOME" }] }],
  files: ["session-state/*/events.jsonl", "session-state/*.jsonl"],
  placed,
};

function placed(path: string): Placed {
  const [above = "", folder = "", name = ""] = lastParts(path, 3);
  if (above === "session-state" && name === "events.jsonl") return { sessionId: folder };
  return folder === "session-state" ? { sessionId: name.replace(/\.jsonl$/, "") } : {};
}

/** Browser profile of GitHub Copilot CLI. */
export const profile = {
  defaultWindow: constant(128_000, "tokens", {
    kind: "ours",
    text: "events state the window at a compaction: before the first one, 128,000 is the smallest of the offered models' windows",
  }),
  places: copilotPlaces,
  policy: copilotPolicy,
  summaryCall: { sharesPrefix: () => undefined, source: SDK_DOCUMENT },
  presetFor,
  constants: {
    triggerShare: constant(TRIGGER_SHARE, "share", SDK_DOCUMENT),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
