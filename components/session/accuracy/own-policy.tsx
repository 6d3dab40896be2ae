import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { FidelityWire } from "@/lib/api/types";
import { FidelityBasis, PredictionText } from "../boundaries/fidelity";
import { useDoubtText } from "../state/use-doubt-text";
import { useFidelity } from "../state/use-fidelity";
import { FIGURES, type Figure, type OwnPolicyRow, ownPolicyRows } from "./own-policy-rows";

/** How well the agent's own policy predicts the recorded compactions, and where it would have compacted besides. */
export function OwnPolicy() {
  const t = useTranslations("session.fidelity");
  const fidelity = useFidelity();
  const doubtText = useDoubtText();
  // Without an own policy there is nothing to show. A failed check is left out too, so that the rest of the page still stands.
  if (fidelity === undefined) return null;
  const rows = ownPolicyRows(fidelity);
  const doubt = doubtText(fidelity.calibration ?? undefined);
  return (
    <section aria-labelledby="own-policy" className="mt-8" data-testid="own-policy">
      <h2 id="own-policy" className="text-lg font-semibold">
        {t("overview")}
      </h2>
      <FidelityBasis data={fidelity} />
      {doubt !== undefined && <p className="mt-1 max-w-180 text-sm text-t2">{doubt}</p>}
      {rows.length === 0 ? (
        <p className="mt-2">{t("nothing")}</p>
      ) : (
        <>
          <FigureTable fidelity={fidelity} />
          <RowTable rows={rows} />
          <p className="mt-2 max-w-180 text-sm text-t2">{t("note")}</p>
        </>
      )}
    </section>
  );
}

function FigureTable({ fidelity }: { readonly fidelity: FidelityWire }) {
  const t = useTranslations("session.fidelity");
  const format = useFormat();
  return (
    <section
      aria-label={t("overview")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
      tabIndex={0}
      className="mt-3 max-w-280 overflow-x-auto"
    >
      <Table>
        <caption className="sr-only">{t("overview")}</caption>
        <thead>
          <TableRow>
            <TableHead>{t("replayed")}</TableHead>
            <TableHead numeric>{t("met")}</TableHead>
            <TableHead numeric>{t("withinError")}</TableHead>
            <TableHead numeric>{t("falseAlarms")}</TableHead>
            <TableHead numeric>{t("errorBefore")}</TableHead>
            <TableHead numeric>{t("errorAfter")}</TableHead>
          </TableRow>
        </thead>
        <tbody>
          {FIGURES.map((figure) => {
            const { hits, withinError, misses, falseAlarms, errorBefore, errorAfter } = fidelity[figure];
            const all = hits + withinError + misses;
            return (
              <TableRow key={figure} data-figure={figure}>
                <TableHead scope="row" className="h-7 min-w-40 py-1 text-sm font-normal whitespace-normal text-t1">
                  {t(figure)}
                </TableHead>
                <TableCell numeric>{all === 0 ? <Value>{null}</Value> : t("of", { hits, all })}</TableCell>
                <TableCell numeric>{format.count(withinError)}</TableCell>
                <TableCell numeric>{format.count(falseAlarms)}</TableCell>
                {[errorBefore, errorAfter].map((error, at) => (
                  <TableCell key={at === 0 ? "before" : "after"} numeric className="whitespace-nowrap">
                    <Value>{error === null ? null : format.difference(error.bias)}</Value>
                  </TableCell>
                ))}
              </TableRow>
            );
          })}
        </tbody>
      </Table>
    </section>
  );
}

function RowTable({ rows }: { readonly rows: readonly OwnPolicyRow[] }) {
  const t = useTranslations("session.fidelity");
  return (
    <section
      aria-label={t("each")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
      tabIndex={0}
      className="mt-4 max-w-280 overflow-x-auto"
    >
      <Table>
        <caption className="sr-only">{t("each")}</caption>
        <thead>
          <TableRow>
            <TableHead numeric>{t("request")}</TableHead>
            <TableHead>{t("what")}</TableHead>
            <TableHead numeric>{t("lastSent")}</TableHead>
            <TableHead numeric>{t("after")}</TableHead>
            {FIGURES.map((figure) => (
              <TableHead key={figure}>{t(figure)}</TableHead>
            ))}
          </TableRow>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={`${row.kind} ${row.request} ${row.kind === "alarm" ? row.figure : ""}`} row={row} />
          ))}
        </tbody>
      </Table>
    </section>
  );
}

function Row({ row }: { readonly row: OwnPolicyRow }) {
  const t = useTranslations("session.fidelity");
  const format = useFormat();
  return (
    <TableRow data-own-policy={row.kind} className="[&>*]:py-1 [&>*]:align-top">
      <TableHead scope="row" numeric className="text-sm font-normal text-t1">
        {row.request}
      </TableHead>
      {row.kind === "recorded" ? (
        <>
          <TableCell className="whitespace-nowrap">{t("recorded")}</TableCell>
          <TableCell numeric className="whitespace-nowrap">
            <LastSent row={row} />
          </TableCell>
          <TableCell numeric>
            <Value>{row.boundary.tokensAfter === null ? null : format.count(row.boundary.tokensAfter)}</Value>
          </TableCell>
          {FIGURES.map((figure) => (
            <TableCell key={figure} className="min-w-48">
              <PredictionText boundary={row.boundary} figure={figure} />
            </TableCell>
          ))}
        </>
      ) : (
        <>
          <TableCell className="whitespace-nowrap">
            {t(row.prediction.withinError ? "alarmWithinError" : "falseAlarm")}
          </TableCell>
          <TableCell />
          <TableCell />
          {FIGURES.map((figure) => (
            <TableCell key={figure}>{row.figure === figure && <Alarm row={row} />}</TableCell>
          ))}
        </>
      )}
    </TableRow>
  );
}

/** How many tokens the request before it sent, and their share of the policy's limit. */
function LastSent({ row }: { readonly row: Extract<OwnPolicyRow, { kind: "recorded" }> }) {
  const t = useTranslations("session.fidelity");
  const format = useFormat();
  const { lastRecorded } = row.boundary;
  if (lastRecorded === null) return <Value>{null}</Value>;
  const tokens = format.count(lastRecorded);
  return row.ofLimit === null ? tokens : t("ofLimit", { tokens, share: format.percent(row.ofLimit, 1) });
}

function Alarm({
  row: { prediction },
}: {
  readonly row: { readonly figure: Figure; readonly prediction: Prediction };
}) {
  const t = useTranslations("session.fidelity");
  const format = useFormat();
  const { tokensBefore, tokensAfter } = prediction;
  return t("alarm", { before: format.count(tokensBefore), after: format.count(tokensAfter) });
}

type Prediction = Extract<OwnPolicyRow, { kind: "alarm" }>["prediction"];
