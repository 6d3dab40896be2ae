import { X } from "lucide-react";
import { lazy, Suspense, useDeferredValue } from "react";
import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { Button } from "@/components/ui/button";
import { useView, useViewActions } from "../shared/state/stores";
import { CursorCard, usePointed } from "../shared/timeline/cursor-parts";
import { isNarrow } from "../shared/timeline/geometry";

const Breakdown = lazy(async () => ({ default: (await import("./breakdown")).Breakdown }));

const WIDTH = 356;

/** The breakdown at the request under the pointer, in a card next to it; the docked card replaces it once a request is pinned, and covers no chart. */
export function HoverCard({ frame }: { readonly frame: Frame }) {
  const { hover, pin } = useView("hover", "pin");
  const at = usePointed(frame);
  if (at === null || hover === null || pin !== null || isNarrow(frame)) return null;
  return (
    <Suspense fallback={null}>
      <CursorCard frame={frame} at={at} width={WIDTH} testId="hover-card">
        <Breakdown at={at} />
      </CursorCard>
    </Suspense>
  );
}

/** The breakdown in the panel while a request is pinned: at the request under the pointer, else at the pinned one. Narrow screens show it below the chart. */
export function DockedCard() {
  const t = useTranslations("session.card");
  // The chart and the transcript react to a press first, and the card follows in the next frame.
  const at = useDeferredValue(useView(({ pin, hover }) => (pin === null ? null : (hover ?? pin))));
  const actions = useViewActions();
  if (at === null) return null;
  return (
    <section
      aria-label={t("pinned")}
      data-testid="docked-card"
      className="sticky top-0 z-10 max-h-[max(30%,17rem)] shrink-0 overflow-y-auto border-b border-line bg-bg px-4 py-2 text-sm"
    >
      <Suspense fallback={null}>
        <Breakdown at={at}>
          <Button variant="ghost" size="icon" aria-label={t("unpin")} onClick={() => actions.pin(null)}>
            <X aria-hidden />
          </Button>
        </Breakdown>
      </Suspense>
    </section>
  );
}
