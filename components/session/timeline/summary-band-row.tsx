import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useSummaryBand } from "../shared/state/use-summary-band";

/**
 * The simulated context for the smallest and the largest sizes that a compaction may leave, where that makes a difference. The
 * row has four cells.
 */
export function SummaryBandRow({ at }: { readonly at: number }) {
  const t = useTranslations("session.card");
  const format = useFormat();
  const band = useSummaryBand();
  const [low, high] = [band?.low[at] ?? 0, band?.high[at] ?? 0];
  if (low === high) return null;
  return (
    <tr className="text-t2">
      <th scope="row" colSpan={2} className="text-left font-normal">
        {t("summaryBand")}
      </th>
      <td colSpan={2} className="text-right whitespace-nowrap text-accent">
        {t("range", { low: format.count(low), high: format.count(high) })}
      </td>
    </tr>
  );
}
