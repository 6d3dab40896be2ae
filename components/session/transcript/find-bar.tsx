import { ChevronDown, ChevronUp } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { Button } from "@/components/ui/button";
import { SearchField } from "@/components/ui/search-field";
import { useCursor } from "../state/cursor";
import { useFind } from "../state/find";
import { FindFilter } from "./find-filter";
import { placeNumber } from "./find-places";

/** Looks for a text in the whole session: how often it stands there, and ways from one place to the next. */
export function FindBar() {
  const t = useTranslations("session.find");
  const field = useRef<HTMLInputElement>(null);
  const { text, setText, found, next, previous } = useFind();
  const enter = (): void => {
    field.current?.focus();
    field.current?.select();
  };
  useShortcuts({ "/": enter, n: next, p: previous });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    // A key that chooses among the candidates of an input method is none of ours.
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
        className="w-48"
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

/** How much was found, and which place the selected item is. */
function FoundWords() {
  const t = useTranslations("session.find");
  const format = useFormat();
  const { item } = useCursor();
  const { found, hasFailed } = useFind();
  const at = found === undefined || item === null ? 0 : placeNumber(found.items, item);
  return (
    <span role="status" className="text-sm whitespace-nowrap text-t2" data-testid="found">
      {hasFailed && t("failed")}
      {found?.total === 0 && t("none")}
      {found !== undefined &&
        found.total > 0 &&
        t("found", { at: format.count(at), items: format.count(found.total), matches: format.count(found.matches) })}
    </span>
  );
}
