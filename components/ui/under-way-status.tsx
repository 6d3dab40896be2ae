import type { ReactNode } from "react";
import { Progress } from "./progress";

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
