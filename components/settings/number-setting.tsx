import type { ReactNode } from "react";
import { useFrame } from "@/components/charts/drag";
import { useFormat } from "@/components/format/use-format";
import { Slider } from "@/components/ui/slider";
import type { SettingValue } from "@/lib/core/compaction/settings/settings";
import { NumberField } from "./number-field";
import { fromField, numberOf, place, toField } from "./setting-units";
import type { NumberSpec } from "./trigger-setting";
import { usePolicyWords } from "./use-words";

interface NumberSettingProps {
  readonly id: string;
  readonly spec: NumberSpec;
  readonly label: string;
  readonly head: ReactNode;
  readonly value: SettingValue;
  readonly changed: boolean;
  /** `null` where the value is the documented default. */
  readonly onChange: (value: number | null) => void;
}

/** A number setting: name and field at the top, and a slider below with a tick at the documented default. */
export function NumberSetting({ id, spec, label, head, value, changed, onChange }: NumberSettingProps) {
  const words = usePolicyWords();
  const format = useFormat();
  const number = numberOf(spec, value);
  const unit = words.unit(spec.unit);
  const set = (next: number): void => onChange(next === spec.default ? null : next);
  const slide = useFrame(set);
  return (
    <>
      <div className="flex min-h-7 items-center gap-2">
        {head}
        <NumberField
          id={id}
          value={toField(spec, number)}
          changed={changed}
          parse={(text) => fromField(spec, text)}
          onValue={set}
        />
        <span className="w-16 shrink-0 text-sm text-t2">{unit}</span>
      </div>
      <Slider
        labels={[label]}
        min={spec.min}
        max={spec.max}
        step={spec.step}
        value={[Math.min(number, spec.max)]}
        changed={changed}
        tick={place(spec, spec.default)}
        {...(spec.observed === undefined
          ? {}
          : { band: [place(spec, spec.observed[0]), place(spec, spec.observed[1])] as const })}
        valueText={`${format.count(toField(spec, number))} ${unit}`}
        onValueChange={([next]) => {
          if (next !== undefined) slide.call(next);
        }}
        data-setting={spec.key}
      />
    </>
  );
}
