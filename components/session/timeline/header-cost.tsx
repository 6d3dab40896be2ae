import { useTranslations } from "use-intl";
import { Value } from "@/components/format/value";
import { isLeast } from "@/lib/api/least";
import { billView } from "../shared/cost/bill-view";
import { useRecordedCost } from "../shared/cost/use-cost";
import { useUsd } from "../shared/cost/use-usd";
import { useSession } from "../shared/state/session-data";
import { useView } from "../shared/state/view";

/** The session's cost at list prices, alone and with its subagents, among its facts; pressing it opens the cost tab. */
export function HeaderCost() {
  const t = useTranslations("cost");
  const common = useTranslations("common.value");
  const usd = useUsd();
  const { setLens } = useView();
  const { answer: session } = useSession();
  const answer = useRecordedCost();
  const { billed, together } = billView(answer, session.bill);
  return (
    <button
      type="button"
      title={t("header.note")}
      data-testid="header-cost"
      onClick={() => setLens("cost")}
      className="rounded-sm hover:text-t1 touch:h-10"
    >
      {t("header.cost")} <Value>{usd(billed.usd, isLeast(answer))}</Value>
      {together !== undefined &&
        t("header.together", { usd: usd(together.usd, isLeast(answer) || together.isLeast) ?? common("na") })}
    </button>
  );
}
