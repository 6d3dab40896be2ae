import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { BandDefs } from "@/components/charts/band-paint";
import { useFormat } from "@/components/format/use-format";
import { Term } from "@/components/glossary/term";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { GROUPINGS } from "@/lib/core/metrics/contributor-groups";
import { contributorsAt } from "@/lib/core/metrics/contributors";
import { growthByTurn } from "@/lib/core/metrics/growth";
import { CompositionStrip } from "../composition/composition-strip";
import { PointHead } from "../point-head";
import { useSession } from "../state/session-data";
import { CONTRIBUTOR_PARSERS } from "../state/url-state";
import { useAddress } from "../state/use-address";
import { contributorRows, sortedRows } from "./contributor-rows";
import { ContributorsTable } from "./contributors-table";
import { FillPoints } from "./fill-points";
import { Repeated } from "./repeated";
import { UnusedTools } from "./unused-tools";
import { useContextAt } from "./use-context-at";
import { useInputPrices } from "./use-input-prices";

/** What filled the context at the pointed request, and what was sent how often up to there. */
export function Contributors() {
  const t = useTranslations("contributors");
  const format = useFormat();
  const { columns } = useSession();
  const [{ by, sort, up }, update] = useAddress(CONTRIBUTOR_PARSERS);
  const at = useContextAt();
  const { context, request, window, simulated } = at;
  const { series } = context;
  const growth = useMemo(
    () => growthByTurn(columns, series.context.subarray(0, request + 1)),
    [columns, series, request],
  );
  const prices = useInputPrices(at);
  const found = useMemo(() => contributorsAt(context, request, by, prices), [context, request, by, prices]);
  const rows = useMemo(
    () =>
      sortedRows(contributorRows(found, columns, growth), by === "turn" || sort !== "growth" ? sort : "residency", up),
    [found, columns, growth, by, sort, up],
  );
  return (
    <div className="px-4 py-4">
      <BandDefs />
      <CompositionStrip />
      <PointHead
        tokens={found.context}
        window={window}
        kind={!simulated && series.estimated[request] === 0 ? "measured" : "estimated"}
      />
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <ToggleGroup
          label={t("by.label")}
          value={by}
          options={GROUPINGS.map((one) => [one, t(`by.${one}`)])}
          onChange={(next) => void update({ by: next })}
        />
        <span className="text-sm text-t2" title={t("sentNote", { request })} data-testid="tokens-sent">
          <Term id="sent">{t("sent", { tokens: format.sum(found.sent) })}</Term>
        </span>
        <span className="text-sm text-t2">
          <Term id="residency">{t("column.residency")}</Term>
        </span>
      </div>
      <div className="mt-3 grid gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <ContributorsTable
          rows={rows}
          totals={found}
          by={by}
          sort={sort}
          up={up}
          simulated={simulated}
          onSort={(key) => void update({ sort: key, up: key === sort && !up })}
        />
        <div className="flex min-w-0 flex-col gap-6">
          <FillPoints at={at} />
          <Repeated at={at} />
          <UnusedTools at={at} />
        </div>
      </div>
      <p className="mt-3 text-xs text-t3">{t("note")}</p>
    </div>
  );
}
