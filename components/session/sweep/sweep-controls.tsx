import { useTranslations } from "use-intl";
import { RangeFields } from "@/components/settings/range-fields";
import { usePolicyWords } from "@/components/settings/use-words";
import { Choice } from "@/components/ui/choice";
import type { VaryRange } from "@/lib/core/metrics/grid";
import { useReplay } from "../state/replay-data";
import { type Axis, defaultRange, MAX_VALUES, offered, rangeProblem } from "./axes";
import { useSweepData } from "./sweep-data";

/** Stands for "no second setting" among the choices. */
const NOTHING = "-";

/** Selects which settings are varied, and over which ranges. */
export function SweepControls() {
  const t = useTranslations("sweep.controls");
  const { axes, setRanges } = useSweepData();
  const [first, second] = axes;
  if (first === undefined) return null;
  const ranges = (...next: readonly (VaryRange | undefined)[]) => setRanges(next.filter((one) => one !== undefined));
  return (
    <fieldset className="grid gap-x-6 gap-y-1 px-4 py-2 xl:grid-cols-2">
      <legend className="sr-only">{t("title")}</legend>
      <AxisControl
        label={t("first")}
        axis={first}
        taken={second?.spec.key}
        onRange={(range) => range !== undefined && ranges(range, second?.range)}
      />
      <AxisControl
        label={t("second")}
        axis={second}
        taken={first.spec.key}
        optional
        onRange={(range) => ranges(first.range, range)}
      />
    </fieldset>
  );
}

interface AxisControlProps {
  readonly label: string;
  readonly axis: Axis | undefined;
  /** Key of the setting on the other axis. */
  readonly taken: string | undefined;
  readonly optional?: boolean;
  readonly onRange: (range: VaryRange | undefined) => void;
}

function AxisControl({ label, axis, taken, optional = false, onRange }: AxisControlProps) {
  const t = useTranslations("sweep.controls");
  const words = usePolicyWords();
  const { choice } = useReplay();
  const specs = offered(choice, taken, axis?.spec.key).filter(({ key }) => key !== taken);
  const options = specs.map((spec) => [spec.key, words.setting(spec)] as const);
  const problem = axis === undefined ? undefined : rangeProblem(axis);
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-2">
        <Choice
          label={label}
          value={axis?.spec.key ?? NOTHING}
          options={optional ? [[NOTHING, t("nothing")], ...options] : options}
          onChange={(key) => {
            const spec = specs.find((one) => one.key === key);
            onRange(spec === undefined ? undefined : defaultRange(spec));
          }}
          className="w-44"
        />
        {axis !== undefined && <RangeFields {...axis} onRange={onRange} />}
      </div>
      {problem !== undefined && (
        <p role="alert" className="pt-1 text-xs text-danger">
          {t(`problem.${problem}`, { most: MAX_VALUES })}
        </p>
      )}
    </div>
  );
}
