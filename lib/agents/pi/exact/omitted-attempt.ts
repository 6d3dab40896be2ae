import { contextMessages } from "../messages/entry";
import type { ProjectedEntry } from "./projection";

/**
 * Whether nothing follows a cut but a failed attempt that recovery removed from the context: the cut then moves past the input before it, which
 * the retry sends again. An edit that replaces another entry's content, or anything that is still visible, keeps the cut where it is. Source:
 * release 1.5.2 of @earendil-works/pi-coding-agent, core/compaction; README.md, "Cut point".
 * @param suffix the entries after the cut
 */
export function isOmittedAttempt(suffix: readonly ProjectedEntry[]): boolean {
  const omitted = new Set(suffix.filter(isOmitted).map(({ entry }) => entry.id));
  const hasAttempt = suffix.some(
    (one) => isOmitted(one) && one.entry.type === "message" && one.entry.message.role === "assistant",
  );
  return hasAttempt && suffix.every((one) => isGone(one) && !replacesAnother(one, omitted));
}

/** Whether an entry normally gives messages, but gives none in this context. */
function isOmitted(one: ProjectedEntry): boolean {
  return isVisibleByItself(one) && one.messages.length === 0;
}

function isVisibleByItself({ entry }: ProjectedEntry): boolean {
  return entry.type !== "context_edit" && contextMessages(entry).length > 0;
}

function isGone(one: ProjectedEntry): boolean {
  return one.entry.type !== "compaction" && (!isVisibleByItself(one) || one.messages.length === 0);
}

function replacesAnother({ entry }: ProjectedEntry, omitted: ReadonlySet<string | undefined>): boolean {
  return entry.type === "context_edit" && entry.replacement !== undefined && !omitted.has(entry.targetId);
}
