import Link from "next/link";
import { lazy, Suspense, useState } from "react";
import { useTranslations } from "use-intl";
import { sessionHref } from "@/components/sessions/relation";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import type { RelatedSession } from "@/lib/api/types";

// Most calls start no subagent.
const SubagentLane = lazy(async () => ({ default: (await import("./subagent-lane")).SubagentLane }));

/** Ways to a subagent: its messages here, in place, or its session. */
export function SubagentLink({ subagent }: { readonly subagent: RelatedSession }) {
  const t = useTranslations("session.transcript");
  const [shown, setShown] = useState(false);
  return (
    <div>
      <div className="-ml-2 flex flex-wrap">
        <Button variant="ghost" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {t(shown ? "hideSubagent" : "showSubagent")}
        </Button>
        <Button variant="ghost" asChild>
          <Link href={sessionHref(subagent.id)} prefetch={false}>
            {t("openSubagent")}
          </Link>
        </Button>
      </div>
      {shown && (
        <Suspense fallback={<Skeleton className="h-14" />}>
          <SubagentLane id={subagent.id} nested={(one) => <SubagentLink subagent={one} />} />
        </Suspense>
      )}
    </div>
  );
}
