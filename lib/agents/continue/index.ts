import type { AgentPlaces } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";

/** A session is `sessions/<session>.json`; `sessions.json` next to them lists them. Source: README.md, "Where sessions are stored". */
const continuePlaces: AgentPlaces = {
  roots: [{ folder: ".continue/sessions", variables: [{ name: "CONTINUE_GLOBAL_DIR", below: "sessions" }] }],
  files: ["*-*.json"],
};

/** The browser profile of Continue. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", {
    kind: "code",
    text: "continuedev/continue d0a3c0b, extensions/cli/src/util/tokenizer.ts, DEFAULT_CONTEXT_LENGTH",
  }),
  places: continuePlaces,
  constants: {} satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
