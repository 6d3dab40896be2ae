import { Slider as Primitive, Switch as SwitchPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn";

interface SliderProps extends Omit<ComponentProps<typeof Primitive.Root>, "aria-label" | "aria-valuetext"> {
  /** Name of each thumb, in order. */
  readonly labels: readonly string[];
  /** What a screen reader says instead of the bare number, with its unit. */
  readonly valueText?: string;
  /** Whether the value differs from the documented one; it is then drawn in the accent. */
  readonly changed?: boolean;
  /** Position of a 2 px tick at the documented default, as a share of the track. */
  readonly tick?: number;
  /** A pale band for an observed range, as shares of the track. */
  readonly band?: readonly [number, number];
}

/** A slider: grey at the documented value, in the accent when changed. */
export function Slider({ className, labels, valueText, changed = false, tick, band, ...props }: SliderProps) {
  const tone = changed ? "bg-accent" : "bg-t2";
  return (
    <Primitive.Root
      className={cn("relative flex h-5 w-full touch-none items-center select-none touch:h-10", className)}
      {...props}
    >
      <Primitive.Track className="relative mx-1.25 h-0.5 grow rounded-full bg-line2">
        <Primitive.Range className={cn("absolute h-full rounded-full", tone)} />
      </Primitive.Track>
      {/* The thumb's middle goes from half its size to half its size before the end, and what marks values does so too. */}
      <span className="absolute inset-x-3 inset-y-0 flex items-center">
        {band && (
          <span
            className="absolute h-2 rounded-sm bg-t1/10"
            style={{ left: percent(band[0]), width: percent(band[1] - band[0]) }}
          />
        )}
        {/* No tick at the default value: the thumb is there. */}
        {tick !== undefined && changed && (
          <span className="absolute h-2 w-0.5 -translate-x-1/2 bg-t1" style={{ left: percent(tick) }} />
        )}
      </span>
      {labels.map((label) => (
        <Primitive.Thumb
          key={label}
          aria-label={label}
          aria-valuetext={valueText}
          className="grid size-6 place-items-center rounded-full"
        >
          <span
            className={cn(
              "block size-3.5 rounded-full border-2 bg-bg touch:size-5",
              changed ? "border-accent" : "border-t2",
            )}
          />
        </Primitive.Thumb>
      ))}
    </Primitive.Root>
  );
}

function percent(share: number): string {
  return `${Math.min(1, Math.max(0, share)) * 100}%`;
}

interface SwitchProps extends ComponentProps<typeof SwitchPrimitive.Root> {
  /** Whether the value differs from the documented one; it is then drawn in the accent. */
  readonly changed?: boolean;
}

export function Switch({ className, changed = false, ...props }: SwitchProps) {
  return (
    <SwitchPrimitive.Root
      className={cn(
        "relative inline-flex h-4 w-7 shrink-0 items-center rounded-full border border-line2 bg-sunk px-0.5 disabled:opacity-50",
        // The pressable area is larger than the drawn switch: a finger needs more room.
        "touch:before:absolute touch:before:-inset-x-2 touch:before:-inset-y-3",
        changed
          ? "data-[state=checked]:border-accent data-[state=checked]:bg-accent"
          : "data-[state=checked]:border-t2 data-[state=checked]:bg-t2",
        className,
      )}
      {...props}
    >
      <SwitchPrimitive.Thumb className="size-2.5 rounded-full bg-t2 transition-transform data-[state=checked]:translate-x-3 data-[state=checked]:bg-bg" />
    </SwitchPrimitive.Root>
  );
}
