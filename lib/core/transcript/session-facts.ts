import type { Tokens } from "../base/units";

/** Facts about the session. Later values replace earlier ones; absent ones change nothing. */
export interface SessionFacts {
  agentVersion?: string | undefined;
  /** Version of the file's format, if its header has one. */
  formatVersion?: number | undefined;
  sessionId?: string | undefined;
  title?: string | undefined;
  /** Folder in which the agent worked. */
  project?: string | undefined;
  branch?: string | undefined;
  /** Window that the file records; `resolveWindow` decides which one is used. */
  recordedWindow?: Tokens | undefined;
}

/** Known facts of the session: an unknown fact has no key. */
export type KnownFacts = { -readonly [Key in keyof SessionFacts]?: NonNullable<SessionFacts[Key]> };

const FACTS = [
  "agentVersion",
  "formatVersion",
  "sessionId",
  "title",
  "project",
  "branch",
  "recordedWindow",
] as const satisfies (keyof SessionFacts)[];

/** Adds facts. `undefined` does not change a known one. */
export function addFacts(known: KnownFacts, facts: SessionFacts): void {
  for (const key of FACTS) setFact(known, key, facts[key]);
}

function setFact<Key extends keyof SessionFacts>(
  known: KnownFacts,
  key: Key,
  value: KnownFacts[Key] | undefined,
): void {
  if (value !== undefined) known[key] = value;
}
