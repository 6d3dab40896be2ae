import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { usePolicyWords } from "@/components/settings/use-words";
import { Table } from "@/components/ui/table";
import { policyById } from "@/lib/agents/policies";
import { ask } from "@/lib/queries/client/client";
import type { CheckedBoundaryWire, FidelityWire } from "@/lib/queries/contract/types";
import { useSession } from "../state/stores";
import type { BoundaryEntry } from "./entries";

/** The two checks of a policy against a recording, by the keys of their metrics. */
export const METRICS = ["reanchored", "freeRunning"] as const;
export type Metric = (typeof METRICS)[number];

type Prediction = FidelityWire["reanchored"]["alarms"][number];

/** A recorded compaction, or one that the policy predicts but the recording lacks. */
export type OwnPolicyRow =
  | {
      readonly kind: "recorded";
      readonly request: number;
      readonly boundary: CheckedBoundaryWire;
      /** Recorded context of the request before it, as a share of the policy's limit; `null` if either is unknown. */
      readonly ofLimit: number | null;
    }
  | { readonly kind: "alarm"; readonly request: number; readonly metric: Metric; readonly prediction: Prediction };

/** Recorded compactions and false alarms in the order of their requests. */
export function ownPolicyRows(fidelity: FidelityWire): readonly OwnPolicyRow[] {
  const { boundaries, threshold } = fidelity;
  const recorded = boundaries.map((boundary): OwnPolicyRow => {
    const { request, lastRecorded } = boundary;
    const ofLimit = lastRecorded === null || !threshold ? null : lastRecorded / threshold;
    return { kind: "recorded", request, boundary, ofLimit };
  });
  const alarms = METRICS.flatMap((metric) =>
    fidelity[metric].alarms.map(
      (prediction): OwnPolicyRow => ({ kind: "alarm", request: prediction.request, metric, prediction }),
    ),
  );
  return [...recorded, ...alarms].sort((a, b) => a.request - b.request);
}

/** Result of the agent's own policy at this recorded compaction, and its score over the session. */
export function Fidelity({ entry }: { readonly entry: BoundaryEntry }) {
  const t = useTranslations("session.fidelity");
  const data = useFidelity();
  // A failed check is left out, so that the rest of the page stays.
  if (data === undefined) return null;
  return (
    <section className="mt-6 max-w-180" aria-labelledby="fidelity">
      <h3 id="fidelity" className="font-semibold">
        {t("title")}
      </h3>
      {data === null ? <p className="mt-1 text-sm">{t("noPolicy")}</p> : <FidelityTable data={data} entry={entry} />}
    </section>
  );
}

function FidelityTable({ data, entry }: { readonly data: FidelityWire; readonly entry: BoundaryEntry }) {
  const t = useTranslations("session.fidelity");
  const format = useFormat();
  return (
    <>
      <FidelityBasis data={data} />
      <Table
        className="mt-2"
        data-testid="fidelity"
        caption={t("title")}
        rows={METRICS.map((metric) => ({ metric, ...data[metric] }))}
        rowKey={({ metric }) => metric}
        columns={[
          {
            head: t("replayed"),
            namesRow: true,
            className: "pl-0",
            cellClass: "h-7 py-1 pr-4 whitespace-normal",
            cell: ({ metric }) => t(metric),
          },
          {
            head: t("this"),
            cellClass: "py-1 whitespace-normal",
            cell: ({ metric }) => <PredictionText metric={metric} boundary={data.boundaries[entry.ordinal]} />,
          },
          {
            head: t("met"),
            numeric: true,
            headClass: "whitespace-normal",
            cell: ({ hits, withinError, misses }) =>
              t("of", { hits: format.count(hits), all: format.count(hits + withinError + misses) }),
          },
          {
            head: t("withinError"),
            numeric: true,
            headClass: "whitespace-normal",
            cell: ({ withinError }) => format.count(withinError),
          },
          {
            head: t("falseAlarms"),
            numeric: true,
            className: "pr-0",
            headClass: "whitespace-normal",
            cell: ({ falseAlarms }) => format.count(falseAlarms),
          },
        ]}
      />
      <p className="mt-1 text-sm text-t3">{t("note")}</p>
    </>
  );
}

/** The policy that the recording is checked against, and its trigger. */
export function FidelityBasis({ data }: { readonly data: FidelityWire }) {
  const t = useTranslations("session.fidelity");
  const format = useFormat();
  const words = usePolicyWords();
  const policy = policyById(data.policy);
  return (
    <p className="mt-1 text-sm normal-nums text-t2">
      {t("basis", {
        policy: policy === undefined ? data.policy : words.policy(policy),
        preset: data.preset,
        limit: data.threshold === null ? "n/a" : format.count(data.threshold),
      })}
    </p>
  );
}

/** The words for missing evidence. */
const MISSING = {
  call: "undeterminedCall",
  masked: "undeterminedMasked",
  trimmed: "undeterminedTrimmed",
  window: "undeterminedWindow",
  idle: "undeterminedIdle",
  usage: "undeterminedUsage",
  unknown: "undetermined",
} as const;

interface PredictionTextProps {
  readonly metric: Metric;
  readonly boundary: CheckedBoundaryWire | undefined;
}

/** Result for one recorded compaction: predicted or not, when, and at which size. */
export function PredictionText({ metric, boundary }: PredictionTextProps) {
  const t = useTranslations("session.fidelity");
  const format = useFormat();
  if (boundary === undefined) return <Value>{null}</Value>;
  const { verdict, prediction, error } = boundary[metric];
  if (verdict === "withinError") return t("verdict.withinError", { error: format.count(error ?? 0) });
  if (verdict === "untold") return t(`verdict.${MISSING[boundary.missing ?? "unknown"]}`);
  if (prediction === null) return t(`verdict.${verdict}`);
  const requests = prediction.request - boundary.request;
  return t("predicted", {
    offset: requests === 0 ? "same" : requests < 0 ? "early" : "late",
    tokens: format.count(prediction.tokensBefore),
  });
}

/** The check of the agent's own policy against the recording; `null` without such a policy, `undefined` while loading and after an error. */
export function useFidelity(): FidelityWire | null | undefined {
  const { id } = useSession("id");
  const { data } = useQuery({
    queryKey: ["session", id, "fidelity"],
    queryFn: async ({ signal }) => (await ask("fidelity", { id }, signal)).fidelity,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
