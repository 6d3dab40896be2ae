import { type ComponentProps, useState } from "react";
import { cn } from "./cn";

interface SliderProps {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly value: number;
  /** Read aloud in place of the bare number, with its unit. */
  readonly valueText: string;
  /** True if the value differs from the documented one; it is then drawn in the accent. */
  readonly changed: boolean;
  /** Position of a 2 px tick at the documented default, as a share of the track. */
  readonly tick: number;
  /** A pale band for an observed range, as shares of the track. */
  readonly band?: readonly [number, number];
  readonly onChange: (value: number) => void;
  readonly "data-setting": string;
}

/** A slider: grey at the documented value, in the accent when changed. */
export function Slider({ label, value, valueText, changed, tick, band, onChange, ...props }: SliderProps) {
  const { min, max, step } = props;
  // The caller passes the new `value` back one frame later. Until then, `shown` is the base of the next key press.
  const [{ known, shown }, setShown] = useState({ known: value, shown: value });
  if (known !== value) setShown({ known: value, shown: value });
  return (
    <span className="relative flex h-5 w-full items-center touch:h-10" data-setting={props["data-setting"]}>
      {/* The thumb's centre stops half a thumb before each end of the track, so the marks are inset by half a thumb. */}
      <span className="absolute inset-x-1.75 inset-y-0 flex items-center touch:inset-x-2.5">
        <span className="absolute h-0.5 w-full rounded-full bg-line2" />
        <span
          className={cn("absolute h-0.5 rounded-full", changed ? "bg-accent" : "bg-t2")}
          style={{ width: percent((shown - min) / (max - min)) }}
        />
        {band && (
          <span
            className="absolute h-2 rounded-sm bg-t1/10"
            style={{ left: percent(band[0]), width: percent(band[1] - band[0]) }}
          />
        )}
        {/* No tick at the default value: the thumb is there. */}
        {changed && <span className="absolute h-2 w-0.5 -translate-x-1/2 bg-t1" style={{ left: percent(tick) }} />}
      </span>
      <input
        type="range"
        aria-label={label}
        aria-valuetext={valueText}
        min={min}
        max={max}
        step={step}
        value={shown}
        onChange={({ currentTarget }) => {
          setShown({ known: value, shown: currentTarget.valueAsNumber });
          onChange(currentTarget.valueAsNumber);
        }}
        className={cn(
          "relative size-full touch-none appearance-none rounded-full bg-transparent",
          "[&::-webkit-slider-thumb]:size-3.5 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:border-2 [&::-webkit-slider-thumb]:border-current [&::-webkit-slider-thumb]:bg-bg touch:[&::-webkit-slider-thumb]:size-5",
          "[&::-moz-range-thumb]:box-border [&::-moz-range-thumb]:size-3.5 [&::-moz-range-thumb]:border-2 [&::-moz-range-thumb]:border-current [&::-moz-range-thumb]:bg-bg touch:[&::-moz-range-thumb]:size-5",
          changed ? "text-accent" : "text-t2",
        )}
      />
    </span>
  );
}

function percent(share: number): string {
  return `${Math.min(1, Math.max(0, share)) * 100}%`;
}

interface SwitchProps extends Pick<ComponentProps<"input">, "id" | "disabled" | "aria-label" | "aria-describedby"> {
  readonly checked: boolean;
  /** True if the value differs from the documented one; it is then drawn in the accent. */
  readonly changed?: boolean;
  readonly onCheckedChange: (checked: boolean) => void;
}

export function Switch({ changed = false, onCheckedChange, ...props }: SwitchProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      aria-checked={props.checked}
      className={cn(
        "relative h-4 w-7 shrink-0 appearance-none rounded-full border border-line2 bg-sunk disabled:opacity-50",
        "after:absolute after:top-0.5 after:left-0.5 after:size-2.5 after:rounded-full after:bg-t2 after:transition-transform checked:after:translate-x-3 checked:after:bg-bg",
        // The pressable area is larger than the drawn switch: a finger needs more room.
        "touch:before:absolute touch:before:-inset-x-2 touch:before:-inset-y-3",
        changed ? "checked:border-accent checked:bg-accent" : "checked:border-t2 checked:bg-t2",
      )}
      onChange={({ currentTarget }) => onCheckedChange(currentTarget.checked)}
      {...props}
    />
  );
}
