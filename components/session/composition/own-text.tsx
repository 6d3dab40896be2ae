import { useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import type { Breakdown } from "@/lib/core/context/breakdown";
import type { BreakdownView } from "@/lib/queries/contexts/breakdown-view";
import { useSession } from "../shared/state/stores";

interface OwnTextProps {
  readonly view: BreakdownView;
  readonly breakdown: Breakdown;
  readonly window: number;
}

/** The breakdown as the agent prints it in a terminal. */
export function OwnText({ view, breakdown, window }: OwnTextProps) {
  const t = useTranslations("session.composition");
  const { summary } = useSession("summary");
  const [open, setOpen] = useState(false);
  const { own, preset } = view;
  if (own?.text === undefined || preset === undefined) return null;
  return (
    <section aria-label={t("asPrinted")} className="mt-4">
      <Button variant="ghost" aria-expanded={open} onClick={() => setOpen(!open)} className="-ml-2">
        {open ? t("hidePrinted") : t("asPrinted")}
      </Button>
      {open && (
        <pre
          // The keyboard has to be able to scroll a wide text too.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region takes the focus
          tabIndex={0}
          className="mt-1 overflow-x-auto rounded-md border border-line bg-sunk p-3 font-mono text-xs leading-5"
          data-testid="own-text"
        >
          {own.text(breakdown, { window, model: summary.models.at(-1) ?? "", view: "detail" }, preset)}
        </pre>
      )}
    </section>
  );
}
