import type { RefObject } from "react";
import { useTranslations } from "use-intl";
import { ExportMenu } from "@/components/export/export-menu";
import { tableData } from "@/components/export/table-data";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/settings/use-words";
import type { Column } from "@/components/ui/table";
import { drawnWindow } from "../state/replay-choice";
import { useReplay, useSession, useView } from "../state/stores";
import { useSummaryBand } from "../timeline/use-marks";

/** Saves the timeline: the visible chart, and the series of all requests. */
export function TimelineExport({ image }: { readonly image: RefObject<HTMLElement | null> }) {
  const t = useTranslations("session");
  const { points } = useSession("points");
  const { exported } = useSeriesColumns();
  const requests = () => Array.from({ length: points }, (_, request) => ({ request }));
  const columns = [
    { head: t("table.request"), cell: () => null, value: ({ request }: { request: number }) => request },
    ...exported,
  ];
  return (
    <ExportMenu
      name={t("timeline.title")}
      note={useMetricKinds()}
      image={image}
      table={() => tableData(columns, requests())}
    />
  );
}

/** Recorded, estimated and simulated parts in the charts of a session, and their requests. */
export function useMetricKinds(): string {
  const t = useTranslations("session");
  const words = usePolicyWords();
  const format = useFormat();
  const { points, summary, hasUsage } = useSession("points", "summary", "hasUsage");
  const chosen = useReplay((state) => state.chosen);
  const { policy, preset } = chosen;
  const { from, to } = useView(({ range }) => range);
  const window = drawnWindow(chosen, summary);
  return t("export.kinds", {
    shown: t("timeline.shown", { from, to: to - 1, count: points }),
    recorded: hasUsage ? t("timeline.lineRecorded") : t("timeline.lineEstimated"),
    simulated: t("timeline.lineSimulated", { policy: `${words.policy(policy)} · ${words.preset(preset)}` }),
    window: format.count(window.tokens),
    source: t(`windowSource.${window.source}`),
  });
}

/** A request of the series. */
interface Point {
  readonly request: number;
}

/** The series of the timeline as columns: as shown; or as exported, with the time of every request and separate columns for the ends of ranges. */
export function useSeriesColumns() {
  const t = useTranslations("session");
  const format = useFormat();
  const { columns: session, recorded, bands } = useSession("columns", "recorded", "bands");
  const { simulated } = useReplay("simulated");
  const band = useSummaryBand();
  const column = (head: string, values: Int32Array, cellClass = ""): Column<Point> => ({
    head,
    numeric: true,
    cellClass,
    cell: ({ request }) => format.count(values[request] ?? 0),
    value: ({ request }) => values[request] ?? 0,
  });
  const kind = ({ request }: Point): string =>
    recorded.estimated[request] === 1 ? t("kind.estimated") : t("kind.recorded");
  const totals: readonly Column<Point>[] = [
    column(t("card.context"), recorded.context),
    { head: t("table.kind"), cell: kind, value: kind },
    column(t("kind.simulatedEstimate"), simulated.context, "text-accent"),
  ];
  const parts = bands.map(({ band: { id }, values }) => column(t(`band.${id}`), values));
  if (band === undefined)
    return {
      shown: [...totals, ...parts],
      exported: [time(t("table.time"), session.requests.at), ...totals, ...parts],
    };
  const { low, high } = band;
  const range: Column<Point> = {
    head: t("card.summaryBand"),
    numeric: true,
    cellClass: "whitespace-nowrap text-accent",
    cell: ({ request }) =>
      t("card.range", { low: format.count(low[request] ?? 0), high: format.count(high[request] ?? 0) }),
  };
  const ends = [column(t("table.least"), low), column(t("table.most"), high)];
  return {
    shown: [...totals, range, ...parts],
    exported: [time(t("table.time"), session.requests.at), ...totals, ...ends, ...parts],
  };
}

/** The time of every request in UTC, in a common format; absent if the file has none. */
function time(head: string, at: Float64Array): Column<Point> {
  const written = ({ request }: Point): string | null => {
    const ms = at[request] ?? Number.NaN;
    return Number.isNaN(ms) ? null : new Date(ms).toISOString();
  };
  return { head, cell: written, value: written };
}
