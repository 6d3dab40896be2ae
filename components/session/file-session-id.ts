import type { SessionSummary } from "@/lib/api/types";

export type FileSessionsAnswer = NonNullable<SessionSummary["fileSessions"]>;

/**
 * The id of one session of a file. `id` names the file or one of its sessions; the result is read as the same format. With `null`
 * it is the id of all its sessions together.
 */
export function idOfFileSession(id: string, key: string | null): string {
  const [file = "", format = ""] = id.split("~", 2);
  if (key !== null) return `${file}~${format}~${key}`;
  return format === "" ? file : `${file}~${format}`;
}

/** Which of the listed sessions is shown, counted from 1; `undefined` where all are shown, or where the shown one is not listed. */
export function placeOfChosen({ chosen, sessions }: FileSessionsAnswer): number | undefined {
  const index = sessions.findIndex(({ key }) => key === chosen);
  return index < 0 ? undefined : index + 1;
}
