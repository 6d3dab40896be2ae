import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useDoubtText } from "../state/use-doubt-text";
import { useComparison } from "./comparison";
import { runStyle } from "./run-style";
import { useRunWords } from "./use-run-words";

/** Remarks on the comparison: that nothing differs, or what is not compared, and why. */
export function Remarks() {
  const t = useTranslations("compare.remark");
  const panel = useTranslations("replay.panel");
  const words = useRunWords();
  const format = useFormat();
  const doubtText = useDoubtText();
  const { runs, remarks } = useComparison();
  const failures = runs.flatMap(({ failure }) => failure ?? []);
  const lacking = runs.flatMap(({ lacksBestTimes }, index) => (lacksBestTimes === true ? [index] : []));
  if (remarks.length + failures.length + lacking.length === 0) return null;
  const names = (about: readonly number[]) =>
    format.list(
      about.flatMap((index) => {
        const run = runs[index];
        return run === undefined ? [] : [`${runStyle(index).letter} ${words.name(run)}`];
      }),
    );
  return (
    <ul className="max-w-180 px-4 py-2 text-sm text-t2" data-testid="remarks">
      {failures.map((sentence) => (
        <li key={sentence} data-remark="ownFailed" className="text-danger">
          {panel("ownFailed", { sentence })}
        </li>
      ))}
      {lacking.length > 0 && (
        <li data-remark="noBestTimes" className="text-danger">
          {t("noBestTimes", { runs: names(lacking) })}
        </li>
      )}
      {remarks.map(({ id, runs: about }) => (
        <li key={id} data-remark={id}>
          {t(id, { runs: names(about), doubt: doubtText(runs[about[0] ?? 0]?.calibration) ?? "" })}
        </li>
      ))}
    </ul>
  );
}
