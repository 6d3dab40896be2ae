import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn";

interface ProgressProps {
  readonly value: number;
  readonly max: number;
  /** The task in progress. */
  readonly label: string;
  /** Text for screen readers instead of a percentage. */
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

interface NoticeProps extends Omit<ComponentProps<"div">, "title"> {
  /** The event, such as a failure. */
  readonly title: string;
  /** `h1` if it is the page's only content. */
  readonly heading?: "h1" | "p";
  /** Its reason, and possible next steps. */
  readonly body?: ReactNode;
  /** Buttons for the next step. */
  readonly children?: ReactNode;
}

/** Replaces content that is missing or failed to load. For a failure give it `role="alert"`. */
export function Notice({ title, heading: Heading = "p", body, children, className, ...props }: NoticeProps) {
  return (
    <div className={cn("mx-auto flex max-w-120 flex-col items-start gap-2 px-4 py-16", className)} {...props}>
      <Heading className="text-lg font-semibold">{title}</Heading>
      {body !== undefined && <div className="text-t2 [overflow-wrap:anywhere]">{body}</div>}
      {children !== undefined && <div className="mt-2 flex flex-wrap gap-2">{children}</div>}
    </div>
  );
}

/** Reserves the space of loading content, at its final size. Hidden from screen readers: the region around it says "loading". */
export function Skeleton({ className, ...props }: ComponentProps<"span">) {
  return <span aria-hidden className={cn("block animate-pulse rounded-sm bg-line/70", className)} {...props} />;
}
