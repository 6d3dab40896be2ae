import { useId } from "react";
import { useTranslations } from "use-intl";
import type { VaryRange } from "@/lib/core/analysis/grid";
import { NumberField } from "./number-field";
import type { NumberSpec } from "./trigger-setting";
import { fieldLimits, fromField, toField, usePolicyWords } from "./use-words";

const PARTS = ["from", "to", "step"] as const;

interface RangeFieldsProps {
  readonly spec: NumberSpec;
  readonly range: VaryRange;
  readonly onRange: (range: VaryRange) => void;
}

/** The range of a varied setting, as three fields. */
export function RangeFields({ spec, range, onRange }: RangeFieldsProps) {
  const t = useTranslations("sweep.controls");
  const words = usePolicyWords();
  const id = useId();
  // A step has the setting's unit, but limits of its own.
  const step: NumberSpec = { ...spec, min: fieldLimits(spec).whole ? 1 : 1e-6, max: spec.max - spec.min };
  return (
    <span className="flex flex-wrap items-center gap-2">
      {PARTS.map((part) => (
        <span key={part} className="flex items-center gap-1.5">
          <label htmlFor={`${id}-${part}`} className="text-sm text-t2">
            {t(part)}
          </label>
          <NumberField
            id={`${id}-${part}`}
            value={toField(spec, range[part])}
            changed={false}
            limits={fieldLimits(part === "step" ? step : spec)}
            parse={(text) => fromField(part === "step" ? step : spec, text)}
            onValue={(value) => onRange({ ...range, [part]: value })}
          />
        </span>
      ))}
      <span className="text-sm text-t2">{words.unit(spec.unit)}</span>
    </span>
  );
}
