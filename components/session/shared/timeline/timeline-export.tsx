import type { RefObject } from "react";
import { useTranslations } from "use-intl";
import { ExportMenu } from "@/components/export/export-menu";
import { tableData } from "@/components/export/table-data";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/settings/use-words";
import { useRecorded } from "../state/recorded-data";
import { usePolicyChoice } from "../state/replay-data";
import { useSession } from "../state/session-data";
import { useView } from "../state/view";
import { useSeriesColumns } from "./series-columns";

/** Saves the timeline: the chart as it is shown, and the series of all requests. */
export function TimelineExport({ picture }: { readonly picture: RefObject<HTMLElement | null> }) {
  const t = useTranslations("session");
  const { points } = useSession();
  const { exported } = useSeriesColumns();
  const requests = () => Array.from({ length: points }, (_, request) => ({ request }));
  const columns = [
    { head: t("table.request"), cell: () => null, value: ({ request }: { request: number }) => request },
    ...exported,
  ];
  return (
    <ExportMenu
      name={t("timeline.title")}
      note={useFigureKinds()}
      picture={picture}
      table={() => tableData(columns, requests())}
    />
  );
}

/** What is recorded, what is estimated and what is simulated in the charts of a session, and of which requests. */
export function useFigureKinds(): string {
  const t = useTranslations("session");
  const words = usePolicyWords();
  const format = useFormat();
  const { points, summary } = useSession();
  const { hasUsage } = useRecorded();
  const { policy, preset } = usePolicyChoice();
  const { from, to } = useView().range;
  const window = summary.contextWindow;
  return t("export.kinds", {
    shown: t("timeline.shown", { from, to: to - 1, count: points }),
    recorded: hasUsage ? t("timeline.lineRecorded") : t("timeline.lineEstimated"),
    simulated: t("timeline.lineSimulated", { policy: `${words.policy(policy)} · ${words.preset(preset)}` }),
    window: format.count(window.tokens),
    source: t(`windowSource.${window.source}`),
  });
}
