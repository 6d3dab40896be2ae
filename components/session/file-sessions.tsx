import { ChevronDown, Files } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "use-intl";
import { sessionHref } from "@/components/format/relation";
import { useFormat } from "@/components/format/use-format";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { FileSessionRow, SessionSummary } from "@/lib/queries/contract/types";

interface FileSessionsProps {
  readonly id: string;
  readonly fileSessions: FileSessionsAnswer;
}

/** Part of the line of facts for a file with several sessions: the number of the shown one, and a list to choose from. */
export function FileSessions({ id, fileSessions }: FileSessionsProps) {
  const t = useTranslations("session.fileSessions");
  const { total, chosen, sessions } = fileSessions;
  const place = placeOfChosen(fileSessions);
  return (
    <li>
      <Popover>
        <PopoverTrigger asChild>
          <button type="button" className="flex items-center gap-1 rounded-sm text-t1 hover:underline touch:h-10">
            <Files aria-hidden className="size-3.5" />
            {chosen === null ? t("holds", { count: total }) : t("one", { place: place ?? chosen, count: total })}
            <ChevronDown aria-hidden className="size-3.5" />
          </button>
        </PopoverTrigger>
        <PopoverContent align="start" aria-label={t("title")} className="w-96">
          <p className="mb-2 text-sm text-t2">{t("about")}</p>
          <ul className="flex flex-col gap-1 text-sm">
            <li>
              <Choice id={idOfFileSession(id, null)} current={chosen === null}>
                {t("all")}
              </Choice>
            </li>
            {sessions.map((session) => (
              <li key={session.key}>
                <Choice id={idOfFileSession(id, session.key)} current={session.key === chosen}>
                  <SessionWords session={session} />
                </Choice>
              </li>
            ))}
          </ul>
          {total > sessions.length && (
            <p className="mt-2 text-sm text-t2">{t("firstOnly", { shown: sessions.length, count: total })}</p>
          )}
        </PopoverContent>
      </Popover>
    </li>
  );
}

function SessionWords({
  session: { title, sessionId, line, records, startedAt },
}: {
  readonly session: FileSessionRow;
}) {
  const t = useTranslations("session.fileSessions");
  const format = useFormat();
  return (
    <>
      <span className="block truncate">{title ?? sessionId ?? t("untitled", { line })}</span>
      <span className="block text-sm text-t2">
        {startedAt !== null && `${format.dateTime(Date.parse(startedAt))} · `}
        {t("records", { count: records, line })}
      </span>
    </>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly current: boolean;
  readonly children: React.ReactNode;
}

function Choice({ id, current, children }: ChoiceProps) {
  return (
    <Link
      href={sessionHref(id)}
      prefetch={false}
      aria-current={current ? "true" : undefined}
      className="block rounded-sm px-2 py-1 hover:bg-line aria-[current]:bg-line aria-[current]:font-medium touch:py-2"
    >
      {children}
    </Link>
  );
}

type FileSessionsAnswer = NonNullable<SessionSummary["fileSessions"]>;

/**
 * The id of one session of a file. `id` names the file or one of its sessions; the result has the same format. `null` gives the id of all sessions
 * together.
 */
export function idOfFileSession(id: string, key: string | null): string {
  const [file = "", format = ""] = id.split("~", 2);
  if (key !== null) return `${file}~${format}~${key}`;
  return format === "" ? file : `${file}~${format}`;
}

/** Number of the shown session in the list, from 1; `undefined` if all are shown, or the shown one is not listed. */
export function placeOfChosen({ chosen, sessions }: FileSessionsAnswer): number | undefined {
  const index = sessions.findIndex(({ key }) => key === chosen);
  return index < 0 ? undefined : index + 1;
}
