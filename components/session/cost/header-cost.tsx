import { useTranslations } from "use-intl";
import { Value } from "@/components/format/value";
import { isLeast } from "@/lib/api/least";
import { useView } from "../state/view";
import { useRecordedCost } from "./use-cost";
import { useUsd } from "./use-usd";

/** What the session cost at list prices, among its facts; pressing it opens the cost lens. */
export function HeaderCost() {
  const t = useTranslations("cost");
  const usd = useUsd();
  const { setLens } = useView();
  const answer = useRecordedCost();
  return (
    <button
      type="button"
      title={t("header.note")}
      data-testid="header-cost"
      onClick={() => setLens("cost")}
      className="rounded-sm hover:text-t1 touch:h-10"
    >
      {t("header.cost")} <Value>{usd(answer.costUsd.total, isLeast(answer))}</Value>
    </button>
  );
}
