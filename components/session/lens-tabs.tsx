import { Table2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Count } from "@/components/ui/count";
import { Kbd } from "@/components/ui/kbd";
import { TabsList, TabsTrigger } from "@/components/ui/tabs";
import { LENSES, type Lens, lensKey } from "./state/lenses";
import { useRecorded } from "./state/recorded-data";
import { usePolicyChoice, useReplay } from "./state/replay-data";
import { useView } from "./state/view";
import { LineLegend } from "./timeline/legend";

interface LensTabsProps {
  readonly table: boolean;
  readonly onTable: (shown: boolean) => void;
}

/** The tabs of the lenses. Beside them, the timeline has the legend of its lines and the switch for its data table. */
export function LensTabs({ table, onTable }: LensTabsProps) {
  const t = useTranslations("session");
  const words = usePolicyWords();
  const choice = usePolicyChoice();
  const { lens, isReading } = useView();
  const list = useCurrentInSight(lens);
  return (
    <div className="flex flex-wrap items-stretch border-b border-line">
      <TabsList ref={list} aria-label={t("lens.label")} data-tour="lenses" className="border-b-0 px-2">
        {LENSES.map((id) => (
          <TabsTrigger key={id} value={id} aria-keyshortcuts={lensKey(id)}>
            {t(`lens.${id}`)}
            {id === "boundaries" && <BoundaryCount />}
            <Kbd aria-hidden className="max-md:hidden">
              {lensKey(id)}
            </Kbd>
          </TabsTrigger>
        ))}
      </TabsList>
      {!isReading && (lens === "timeline" || lens === "compare" || lens === "cost") && (
        <div
          className={cn(
            "ml-auto flex items-center gap-x-4 px-4 max-md:w-full",
            // A line of its own, whether or not it needs one: what the legend says changes with the settings, and the chart must not jump then.
            lens === "timeline" && "lg:max-2xl:w-full lg:max-2xl:justify-end",
          )}
        >
          {lens === "timeline" && <LineLegend policy={words.policy(choice.policy)} />}
          <Button
            variant="ghost"
            aria-pressed={table}
            onClick={() => onTable(!table)}
            className="shrink-0 max-md:ml-auto aria-pressed:bg-sunk aria-pressed:text-t1"
          >
            <Table2 aria-hidden />
            <span className="max-md:sr-only">{t("table.toggle")}</span>
          </Button>
        </div>
      )}
    </div>
  );
}

/** Keeps the current tab in sight where the screen is too narrow for all of them. */
function useCurrentInSight(lens: Lens) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tabs = list.current;
    const current = tabs?.querySelector(`[aria-keyshortcuts="${lensKey(lens)}"]`);
    if (tabs === null || !(current instanceof HTMLElement)) return;
    // Not scrollIntoView: the Tab key would then go on from the tab, past the page's head.
    tabs.scrollLeft = current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
  }, [lens]);
  return list;
}

function BoundaryCount() {
  const format = useFormat();
  const { recorded } = useRecorded();
  const { simulated, choice } = useReplay();
  const count = recorded.compactions.length + (choice.policy.id === "recorded" ? 0 : simulated.compactions.length);
  return <Count data-testid="boundary-count">{format.count(count)}</Count>;
}
