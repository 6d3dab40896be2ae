import { ListFilter } from "lucide-react";
import { lazy, Suspense } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { Count } from "@/components/ui/count";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { useFind } from "../state/find";

const Conditions = lazy(async () => ({ default: (await import("./find-conditions")).Conditions }));

/** What a search is limited to: a button with how many conditions there are, and the conditions behind it. */
export function FindFilter() {
  const t = useTranslations("session.find");
  const { filter, setFilter } = useFind();
  const set = Object.values(filter).filter((value) => value !== null).length;
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button variant="ghost" aria-label={t("filter", { count: set })} data-testid="find-filter">
          <ListFilter aria-hidden />
          {set > 0 && <Count>{set}</Count>}
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" aria-label={t("limit")} className="grid w-80 gap-2">
        <Suspense>
          <Conditions />
        </Suspense>
        {set > 0 && (
          <Button
            variant="ghost"
            className="-ml-2 justify-self-start"
            onClick={() => setFilter({ kind: null, tool: null, file: null, context: null })}
          >
            {t("anything")}
          </Button>
        )}
      </PopoverContent>
    </Popover>
  );
}
