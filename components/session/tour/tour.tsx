import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { useMediaQuery, useWide } from "@/components/hooks/use-media-query";
import { Button } from "@/components/ui/button";
import { Popover, PopoverContent } from "@/components/ui/popover";

/** Targets of the hints, in order: elements with this `data-tour`. Each hint is on a side of its target where it does not cover it. */
const STEPS = [
  { id: "chart", side: "right", narrow: "bottom" },
  { id: "policy", side: "left", narrow: "top" },
  { id: "transcript", side: "right", narrow: "top" },
  { id: "tabs", side: "bottom", narrow: "bottom" },
] as const;

/**
 * Hints next to the parts of the page, one after the other. Escape, a press elsewhere and "Skip" leave all of them. The keyboard stays with the page:
 * a hint never takes the focus, and is not a dialog, since an open dialog disables the shortcuts.
 */
export function Tour({ onLeave }: { readonly onLeave: () => void }) {
  const t = useTranslations("session.tour");
  const isWide = useWide();
  const isTouch = useMediaQuery("(pointer: coarse)");
  const [number, setNumber] = useState(0);
  const step = STEPS[number];
  const explained = step && elementOf(step.id);
  useOutline(explained, isWide ? "nearest" : "center");
  if (step === undefined || explained === undefined) return null;
  const isLast = number === STEPS.length - 1;
  return (
    <Popover open onOpenChange={onLeave}>
      <PopoverContent
        key={step.id}
        anchor={{ current: explained }}
        side={isWide ? step.side : step.narrow}
        align="start"
        sideOffset={8}
        role="region"
        onOpenAutoFocus={(event) => event.preventDefault()}
        onFocusOutside={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => event.preventDefault()}
        aria-labelledby="tour-title"
        aria-describedby="tour-body"
        data-testid="tour"
        className="w-72"
      >
        <p className="flex items-baseline justify-between gap-4 text-sm text-t3">
          <span>{t("label")}</span>
          <span className="tabular-nums">{t("place", { number: number + 1, count: STEPS.length })}</span>
        </p>
        <h2 id="tour-title" className="mt-1 font-semibold">
          {t(`step.${step.id}.title`)}
        </h2>
        <p id="tour-body" className="mt-1 text-sm text-t2">
          {t(`step.${step.id}.${isTouch ? "touch" : "body"}`)}
        </p>
        <div className="mt-3 flex justify-end gap-2">
          {!isLast && (
            <Button variant="ghost" onClick={onLeave}>
              {t("skip")}
            </Button>
          )}
          <Button variant="primary" onClick={() => (isLast ? onLeave() : setNumber(number + 1))}>
            {t(isLast ? "done" : "next")}
          </Button>
        </div>
      </PopoverContent>
    </Popover>
  );
}

function elementOf(id: string): Element | undefined {
  return document.querySelector(`[data-tour="${id}"]`) ?? undefined;
}

/** Scrolls a hint's target into view and draws a line around it. */
function useOutline(element: Element | undefined, block: ScrollLogicalPosition): void {
  useEffect(() => {
    if (element === undefined) return;
    element.scrollIntoView({ block });
    element.setAttribute("data-explained", "");
    return () => element.removeAttribute("data-explained");
  }, [element, block]);
}
