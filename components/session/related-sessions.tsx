import { ChevronDown, GitFork } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "use-intl";
import { itemHref, originOf, sessionHref } from "@/components/format/relation";
import { useTitle } from "@/components/format/use-title";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { shownTitle } from "@/lib/core/transcript/title";
import type { RelatedSession } from "@/lib/queries/contract/types";

interface RelatedSessionsProps {
  readonly related: readonly RelatedSession[];
}

/** Part of the line of facts: the session from which this one came and, behind a button, all related sessions. */
export function RelatedSessions({ related }: RelatedSessionsProps) {
  const t = useTranslations("session.related");
  const origin = originOf(related);
  const more = related.length - (origin === undefined ? 0 : 1);
  return (
    <>
      {origin !== undefined && (
        <li className="flex min-w-0 items-center gap-x-2 gap-y-1">
          <span className="flex min-w-0 items-center gap-1 touch:min-h-10">
            <GitFork aria-hidden className="size-3.5 shrink-0" />
            <RelatedLink relation={origin} className="max-w-80" />
          </span>
          <CallLink relation={origin} />
        </li>
      )}
      {more > 0 && (
        <li>
          <Popover>
            <PopoverTrigger asChild>
              <button type="button" className="flex items-center gap-1 rounded-sm hover:text-t1 touch:h-10">
                {t("count", { count: more })}
                <ChevronDown aria-hidden className="size-3.5" />
              </button>
            </PopoverTrigger>
            <PopoverContent align="start" aria-label={t("title")} className="w-96">
              <ul className="flex flex-col gap-1 text-sm">
                {related
                  .filter((relation) => relation !== origin)
                  .map((relation) => (
                    <li key={relation.id} className="flex touch:min-h-10 touch:items-center">
                      <RelatedLink relation={relation} className="w-full" />
                    </li>
                  ))}
              </ul>
            </PopoverContent>
          </Popover>
        </li>
      )}
    </>
  );
}

/** The call in the other session that started this one, if known. */
function CallLink({ relation: { kind, id, item } }: { readonly relation: RelatedSession }) {
  const t = useTranslations("session.related");
  if (kind !== "subagent-of" || item == null) return null;
  return (
    <Link
      href={itemHref(id, item)}
      prefetch={false}
      className="flex shrink-0 items-center rounded-sm underline hover:text-t1 touch:min-h-10"
    >
      {t("call")}
    </Link>
  );
}

interface RelatedLinkProps {
  readonly relation: RelatedSession;
  readonly className: string;
}

function RelatedLink({ relation, className }: RelatedLinkProps) {
  const { kind, id } = relation;
  const title = useTitle()(shownTitle(relation.title));
  const t = useTranslations("session.related");
  return (
    <Link
      href={sessionHref(id)}
      prefetch={false}
      title={title}
      className={`block truncate leading-6 normal-nums hover:text-t1 ${className}`}
    >
      {t.rich(`kind.${kind}`, { title, name: (chunks) => <span className="text-t1 underline">{chunks}</span> })}
    </Link>
  );
}
