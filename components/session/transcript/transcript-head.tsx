import { Maximize2, Minimize2 } from "lucide-react";
import { useTranslations } from "use-intl";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { useCursor } from "../state/cursor";
import { useReader, useReaderActions } from "../state/reader";
import { usePolicyChoice } from "../state/replay-data";
import { useView } from "../state/view";
import { KeyButton } from "../timeline/caption";
import { FindBar } from "./find-bar";
import { useItemKeys } from "./use-item-keys";

/** Title of the list, what its rails mean, and which context greys it. */
export function TranscriptHead() {
  const t = useTranslations("session.transcript");
  const words = usePolicyWords();
  const { at } = useCursor();
  const choice = usePolicyChoice();
  const { greyBy, setGreyBy } = useView();
  const { next, previous } = useItemKeys();
  const policy = words.policy(choice.policy);
  return (
    <div
      data-tour="transcript"
      className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-1"
    >
      <h2 className="font-semibold">{t("title")}</h2>
      <span className="text-sm text-t3">{t("atRequest", { request: at })}</span>
      <span className="flex items-center gap-1.5 text-sm text-t2 max-xl:hidden">
        <span aria-hidden className="h-3 w-[3px] bg-t1" />
        {t("railRecorded")}
      </span>
      <span className="flex items-center gap-1.5 text-sm text-t2 max-xl:hidden">
        <span aria-hidden className="h-3 w-[3px] bg-accent" />
        {t("railSimulated")}
      </span>
      <FindBar />
      <EmptyRows />
      <ReadButton />
      <span className="ml-auto flex items-center gap-2 text-sm text-t2">
        <span className="max-md:sr-only">{t("greyBy")}</span>
        <ToggleGroup
          label={t("greyBy")}
          value={greyBy}
          options={[
            ["recorded", t("byRecorded")],
            ["policy", policy],
          ]}
          onChange={setGreyBy}
        />
      </span>
      <span className="flex items-center gap-1 text-sm text-t3 max-md:hidden">
        {t("item")}
        <KeyButton hint="j" label={t("nextItem")} act={next} />
        <KeyButton hint="k" label={t("previousItem")} act={previous} />
      </span>
    </div>
  );
}

/** Gives the transcript the whole page, or the chart its place back. */
function ReadButton() {
  const t = useTranslations("session.transcript");
  const { isReading, toggleReading } = useView();
  return (
    <Button variant="ghost" aria-pressed={isReading} aria-keyshortcuts="r" onClick={toggleReading}>
      {isReading ? <Minimize2 aria-hidden /> : <Maximize2 aria-hidden />}
      {t("read")}
    </Button>
  );
}

/** How many items say nothing, and a way to see them all the same. */
function EmptyRows() {
  const t = useTranslations("session.transcript");
  const { rows, showEmpty } = useReader();
  const { setShowEmpty } = useReaderActions();
  if (rows.empty === 0) return null;
  return (
    <Button variant="ghost" aria-pressed={showEmpty} onClick={() => setShowEmpty(!showEmpty)}>
      {t(showEmpty ? "foldEmpty" : "showEmpty", { count: rows.empty })}
    </Button>
  );
}
