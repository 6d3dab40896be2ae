import type { SessionSummary } from "@/lib/api/types";

export type FileSessionsAnswer = NonNullable<SessionSummary["fileSessions"]>;

/** The id of one session of the file that an id names, read as the same format; with `null`, of all of them together. */
export function idOfFileSession(id: string, key: string | null): string {
  const [file = "", format = ""] = id.split("~", 2);
  if (key !== null) return `${file}~${format}~${key}`;
  return format === "" ? file : `${file}~${format}`;
}

/** Which of the sessions is shown, from 1; `undefined` where all are, or it is not among the listed ones. */
export function placeOfChosen({ chosen, sessions }: FileSessionsAnswer): number | undefined {
  const index = sessions.findIndex(({ key }) => key === chosen);
  return index < 0 ? undefined : index + 1;
}
