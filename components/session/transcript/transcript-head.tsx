import { ChevronDown, ChevronUp, ListFilter, Maximize2, Minimize2 } from "lucide-react";
import { type KeyboardEvent, lazy, Suspense, useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { Count } from "@/components/ui/chip";
import { SearchField } from "@/components/ui/input";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { placeNumber } from "../shared/state/find";
import { useReplay, useView, useViewActions } from "../shared/state/stores";
import { LISTS } from "../shared/state/url-state";
import { pointedRequest } from "../shared/state/view";
import { KeyButton } from "../shared/timeline/caption";

/** Title of the list, meaning of its rails, and the context that greys it. */
export function TranscriptHead() {
  const t = useTranslations("session.transcript");
  const words = usePolicyWords();
  const at = useView(pointedRequest);
  const choice = useReplay(({ chosen }) => chosen);
  const { greyBy, listBy } = useView("greyBy", "listBy");
  const { setGreyBy, setListBy } = useViewActions();
  const { next, previous } = useItemKeys();
  const policy = words.policy(choice.policy);
  return (
    <div
      data-tour="transcript"
      className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-1"
    >
      <h2 className="sr-only">{t("title")}</h2>
      <ToggleGroup
        label={t("listBy")}
        value={listBy}
        options={LISTS.map((by) => [by, t(`by.${by}`)] as const)}
        onChange={setListBy}
      />
      <span className="text-sm text-t3">{t("atRequest", { request: at })}</span>
      <span className="flex items-center gap-1.5 text-sm text-t2 max-2xl:hidden">
        <span aria-hidden className="h-3 w-[3px] bg-t1" />
        {t("railRecorded")}
      </span>
      <span className="flex items-center gap-1.5 text-sm text-t2 max-2xl:hidden">
        <span aria-hidden className="h-3 w-[3px] bg-accent" />
        {t("railSimulated")}
      </span>
      <FindBar />
      {listBy === "items" ? <EmptyRows /> : <Expand />}
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
      <span className="flex items-center gap-1 text-sm text-t3 max-2xl:hidden">
        {t("item")}
        <KeyButton hint="j" label={t("nextItem")} act={next} />
        <KeyButton hint="k" label={t("previousItem")} act={previous} />
      </span>
    </div>
  );
}

/** Gives the transcript the whole page, or restores the chart. */
function ReadButton() {
  const t = useTranslations("session.transcript");
  const { isReading } = useView("isReading");
  const { toggleReading } = useViewActions();
  return (
    <Button variant="ghost" aria-pressed={isReading} aria-keyshortcuts="r" onClick={toggleReading}>
      {isReading ? <Minimize2 aria-hidden /> : <Maximize2 aria-hidden />}
      {t("read")}
    </Button>
  );
}

/** Opens every answer, or every row, and closes them again. */
function Expand() {
  const t = useTranslations("session.transcript");
  const { open } = useView("open");
  const { expand } = useViewActions();
  return (["answers", "all"] as const).map((wanted) => {
    const isOn = open.expanded === wanted;
    return (
      <Button key={wanted} variant="ghost" aria-pressed={isOn} onClick={() => expand(isOn ? "none" : wanted)}>
        {t(`expand.${wanted}`)}
      </Button>
    );
  });
}

/** Number of empty items, and a button that shows them. */
function EmptyRows() {
  const t = useTranslations("session.transcript");
  const { rows, showEmpty } = useView("rows", "showEmpty");
  const { setShowEmpty } = useViewActions();
  if (rows.empty === 0) return null;
  return (
    <Button variant="ghost" aria-pressed={showEmpty} onClick={() => setShowEmpty(!showEmpty)}>
      {t(showEmpty ? "foldEmpty" : "showEmpty", { count: rows.empty })}
    </Button>
  );
}

/** Searches the whole session for a text: number of matches, and buttons to step through them. */
function FindBar() {
  const t = useTranslations("session.find");
  const field = useRef<HTMLInputElement>(null);
  const { findText: text, found } = useView("findText", "found");
  const { setFindText: setText, findNext: next, findPrevious: previous } = useViewActions();
  const enter = (): void => {
    field.current?.focus();
    field.current?.select();
  };
  useShortcuts({ "/": enter, n: next, p: previous });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    // An input method uses this key to select a candidate.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") (event.shiftKey ? previous : next)();
    else if (event.key === "Escape") {
      setText("");
      event.currentTarget.blur();
    } else return;
    event.preventDefault();
  };
  return (
    <search className="flex min-w-0 flex-wrap items-center gap-1">
      <SearchField
        ref={field}
        label={t("label")}
        placeholder={t("label")}
        shortcut="/"
        className="w-44"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {found !== undefined && found.total > 0 && (
        <>
          <Button variant="ghost" size="icon" aria-label={t("previous")} aria-keyshortcuts="p" onClick={previous}>
            <ChevronUp aria-hidden />
          </Button>
          <Button variant="ghost" size="icon" aria-label={t("next")} aria-keyshortcuts="n" onClick={next}>
            <ChevronDown aria-hidden />
          </Button>
        </>
      )}
      <FindFilter />
      <FoundWords />
    </search>
  );
}

/** The number of matches, and the position of the selected item among them, if it is one. */
function FoundWords() {
  const t = useTranslations("session.find");
  const { item, found, hasFindFailed: hasFailed } = useView("item", "found", "hasFindFailed");
  const at = found === undefined || item === null ? 0 : placeNumber(found.items, item);
  return (
    <span role="status" className="text-sm whitespace-nowrap text-t2" data-testid="found">
      {hasFailed && t("failed")}
      {found?.total === 0 && t("none")}
      {found !== undefined &&
        found.total > 0 &&
        t(at === 0 ? "foundUnselected" : "found", {
          at,
          items: found.total,
          matches: found.matches,
        })}
    </span>
  );
}

const Conditions = lazy(async () => ({ default: (await import("./find-conditions")).Conditions }));

/** Filters of a search: a button with their number, and the filters behind it. */
function FindFilter() {
  const t = useTranslations("session.find");
  const { findFilter: filter } = useView("findFilter");
  const { setFindFilter: setFilter } = useViewActions();
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

/** Functions of the keys for items. */
export function useItemKeys(): Readonly<Record<"next" | "previous" | "toggle", () => void>> {
  const { step, toggleSelected } = useViewActions();
  return useMemo(
    () => ({ next: () => step(1), previous: () => step(-1), toggle: toggleSelected }),
    [step, toggleSelected],
  );
}
