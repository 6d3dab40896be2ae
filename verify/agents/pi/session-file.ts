import { isObject, type JsonObject } from "@/lib/agents/shared/json";

/** The version to which pi migrates every session. Source: README.md, "Session files". */
const SESSION_VERSION = 3;

/**
 * The values of a session file as pi reads them: one for each line. Lines that are not JSON, and lines with two objects, are omitted. Source:
 * README.md, "Session files".
 */
export function parseSessionFile(content: string): readonly unknown[] {
  return content
    .trim()
    .split("\n")
    .filter((line) => line.trim() !== "")
    .flatMap(parsedLine);
}

function parsedLine(line: string): readonly unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    // pi skips a line that is not JSON.
    return [];
  }
}

/** The version that the first header names; 1 if it names none. */
function sessionVersion(values: readonly unknown[]): number {
  const header = values.find(isHeader);
  return isObject(header) && typeof header.version === "number" ? header.version : 1;
}

function isHeader(value: unknown): boolean {
  return isObject(value) && value.type === "session";
}

/**
 * A session's values migrated to the current version: version 1 gets ids and linear parents, version 2 gets renamed roles. Nothing is changed in
 * place. Throws a `TypeError` where pi does: for a version 1 file with a value that is not an object. Source: README.md, "Session files".
 */
export function migrateSession(values: readonly unknown[]): readonly unknown[] {
  const version = sessionVersion(values);
  if (version >= SESSION_VERSION) return values;
  return (version < 2 ? withIds(values) : values).map(withCurrentRole);
}

/** Gives new ids to everything except headers. */
function withIds(values: readonly unknown[]): readonly unknown[] {
  const done: unknown[] = [];
  let parentId: string | null = null;
  for (const [index, value] of values.entries()) {
    if (isHeader(value)) {
      done.push(value);
      continue;
    }
    if (value === null) throw new TypeError("Cannot read properties of null (reading 'type')");
    if (typeof value !== "object") throw new TypeError(`Cannot create property 'id' on ${typeof value} '${value}'`);
    const id = (index + 1).toString(16).padStart(8, "0");
    const entry: JsonObject = { ...value, id, parentId };
    // The index of a later entry gives the id that the file states, if any: that entry has no new id yet.
    done.push(withFirstKept(entry, (at) => (at === index ? entry : (done[at] ?? values[at]))));
    parentId = id;
  }
  return done;
}

/** Replaces an entry's index in the file, which counts the header, with its id. The index is removed in any case. */
function withFirstKept(entry: JsonObject, entryAt: (index: number) => unknown): JsonObject {
  const { firstKeptEntryIndex: index, ...rest } = entry;
  if (entry.type !== "compaction" || typeof index !== "number") return entry;
  const target = entryAt(index);
  return isObject(target) && !isHeader(target) ? { ...rest, firstKeptEntryId: target.id } : rest;
}

function withCurrentRole(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (isHeader(value)) return { ...value, version: SESSION_VERSION };
  const { message } = value;
  const renamed = value.type === "message" && isObject(message) && message.role === "hookMessage";
  return renamed ? { ...value, message: { ...message, role: "custom" } } : value;
}
