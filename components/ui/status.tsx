import type { ComponentProps, ReactNode } from "react";
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

interface NoticeProps extends Omit<ComponentProps<"div">, "title"> {
  /** What happened. */
  readonly title: string;
  /** `h1` where it is all that the page says. */
  readonly heading?: "h1" | "p";
  /** Why it happened, and what can be done. */
  readonly body?: ReactNode;
  /** Buttons for the next step. */
  readonly children?: ReactNode;
}

/** Takes the place of content that is missing or failed to load. For a failure give it `role="alert"`. */
export function Notice({ title, heading: Heading = "p", body, children, className, ...props }: NoticeProps) {
  return (
    <div className={cn("mx-auto flex max-w-120 flex-col items-start gap-2 px-4 py-16", className)} {...props}>
      <Heading className="text-lg font-semibold">{title}</Heading>
      {body !== undefined && <div className="text-t2 [overflow-wrap:anywhere]">{body}</div>}
      {children !== undefined && <div className="mt-2 flex flex-wrap gap-2">{children}</div>}
    </div>
  );
}

/** Holds the place of content that is loading, at its final size. Hidden from screen readers: the region around it says "loading". */
export function Skeleton({ className, ...props }: ComponentProps<"span">) {
  return <span aria-hidden className={cn("block animate-pulse rounded-sm bg-line/70", className)} {...props} />;
}

interface UnderWayStatusProps {
  readonly testId: string;
  /** Why there is nothing; absent where nothing went wrong. */
  readonly failure?: string | undefined;
  /** How far it is, while it runs. `text` says the same in words. */
  readonly running?:
    | { readonly done: number; readonly total: number; readonly label: string; readonly text: string }
    | undefined;
  /** What there is to say otherwise. */
  readonly children?: ReactNode;
}

/** How far something is that takes a while, why it failed, or what it came to. */
export function UnderWayStatus({ testId, failure, running, children }: UnderWayStatusProps) {
  if (failure !== undefined) {
    return (
      <p role="alert" className="text-sm text-danger">
        {failure}
      </p>
    );
  }
  return (
    <span className="flex items-center gap-2 text-sm text-t2" aria-live="polite" data-testid={testId}>
      {running && (
        <>
          <Progress value={running.done} max={running.total} label={running.label} />
          {running.text}
        </>
      )}
      {children}
    </span>
  );
}
