import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { fillPoints } from "@/lib/core/metrics/growth";
import { useCursorActions } from "../state/cursor";
import { SideList } from "./side-list";
import type { ContextAt } from "./use-context-at";

/** After which turn the window was first filled to each share; pressing a line goes there. */
export function FillPoints({ at: { context, window } }: { readonly at: ContextAt }) {
  const t = useTranslations("contributors.full");
  const format = useFormat();
  const { pin } = useCursorActions();
  return (
    <SideList title={t("title")} column="">
      <ul data-testid="fill-points">
        {fillPoints(context.columns, context.series.context, window).map(({ share, request, turn }) => (
          <li
            key={share}
            className="flex h-7 items-center justify-between gap-4 border-b border-line text-sm touch:h-10"
          >
            <span className="text-t2">{t("share", { share: format.percent(share) })}</span>
            {request === undefined || turn === undefined ? (
              <span className="text-t3">{t("never")}</span>
            ) : (
              <button type="button" onClick={() => pin(request)} className="hover:underline touch:h-10">
                {t(turn < 0 ? "before" : "at", { turn, request })}
              </button>
            )}
          </li>
        ))}
      </ul>
    </SideList>
  );
}
