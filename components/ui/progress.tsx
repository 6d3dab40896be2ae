import { cn } from "./cn";

interface ProgressProps {
  readonly value: number;
  readonly max: number;
  /** What is in progress. */
  readonly label: string;
  /** What a screen reader says instead of a percentage. */
  readonly valueText?: string;
  readonly className?: string;
}

export function Progress({ value, max, label, valueText, className }: ProgressProps) {
  const safeMax = Math.max(1, max);
  const safeValue = Math.min(Math.max(0, value), safeMax);
  const share = safeValue / safeMax;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={safeMax}
      aria-valuenow={safeValue}
      aria-valuetext={valueText ?? `${Math.round(share * 100)}%`}
      className={cn("h-1 w-30 shrink-0 overflow-hidden rounded-full bg-line", className)}
    >
      <div className="h-full origin-left bg-accent transition-transform" style={{ transform: `scaleX(${share})` }} />
    </div>
  );
}
