/** Records of the conversation, and their links. Source: README.md, "Traps" and "Resuming". */

const RECORD_TYPES = new Set(["user", "assistant", "tool_result", "system"]);

/** System records outside of the conversation: they neither end a chain nor belong to one. */
const OUTSIDE = new Set([
  "session_artifact_event",
  "session_artifact_snapshot",
  "session_sources_snapshot",
  "managed_session_header_v1",
  "managed_session_event_v1",
  "managed_session_commit_v1",
]);

/** True if 0.24 knows the type; it skips records of any other type. */
export function isRecordType(type: unknown): type is string {
  return typeof type === "string" && RECORD_TYPES.has(type);
}

/** True if a record of this kind belongs to the tree of the conversation. */
export function isConversationKind(type: string, subtype: string | undefined): boolean {
  return type !== "system" || subtype === undefined || !OUTSIDE.has(subtype);
}

interface Chain<Key> {
  /** Oldest first. */
  readonly keys: readonly Key[];
  /** The reason why the chain ends. */
  readonly end: "root" | "missing" | "cycle";
}

/**
 * The records from a leaf back to its root, to a missing parent, or to a record that was met before.
 * @param parentOf `null` at a root, `undefined` where the parent is missing
 * @param visited collects the records of the chain
 */
export function walkChain<Key>(
  leaf: Key,
  parentOf: (key: Key) => Key | null | undefined,
  visited: { has(key: Key): boolean; add(key: Key): unknown } = new Set<Key>(),
): Chain<Key> {
  const keys: Key[] = [];
  let key: Key | null | undefined = leaf;
  while (key !== null && key !== undefined && !visited.has(key)) {
    visited.add(key);
    keys.push(key);
    key = parentOf(key);
  }
  keys.reverse();
  return { keys, end: key === null ? "root" : key === undefined ? "missing" : "cycle" };
}

/** Facts about a slash command's record, and about the user record before it. */
export interface CommandEcho {
  /** True if it was answered on the screen with texts alone, and not sent to the model. */
  readonly answered: boolean;
  readonly rawCommand: string | undefined;
}

/** True if the user's text before a slash command is only its echo, which was not sent to the model. */
export function isEcho(command: CommandEcho, plainText: string | undefined): boolean {
  return command.answered && plainText !== undefined && plainText === command.rawCommand;
}
