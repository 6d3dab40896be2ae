import type { ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import { Progress } from "@/components/ui/status";

/** A long request to the server. Another request, `stop` and leaving the page abort it. */
interface UnderWay<State> {
  readonly state: State;
  /**
   * Sends a request and aborts the one before.
   * @param ask sends the request and reports every new state by `tell`, which ignores states after an abort
   * @param failed returns the state after an error
   */
  readonly begin: (
    ask: (signal: AbortSignal, tell: (state: State) => void) => Promise<void>,
    failed: (error: unknown) => State,
  ) => Promise<void>;
  readonly stop: (stopped: (now: State) => State) => void;
}

/** @param idle the state before the first request */
export function useUnderWay<State>(idle: State): UnderWay<State> {
  const [state, setState] = useState(idle);
  const last = useRef<AbortController | null>(null);
  useEffect(() => () => last.current?.abort(), []);
  return {
    state,
    begin: async (ask, failed) => {
      const own = new AbortController();
      last.current?.abort();
      last.current = own;
      const tell = (next: State) => {
        if (!own.signal.aborted) setState(() => next);
      };
      try {
        await ask(own.signal, tell);
      } catch (error) {
        tell(failed(error));
      }
    },
    stop: (stopped) => {
      last.current?.abort();
      setState(stopped);
    },
  };
}

interface UnderWayStatusProps {
  readonly testId: string;
  /** Error; absent unless the request failed. */
  readonly failure?: string | undefined;
  /** Progress while it runs, as numbers and in words (`text`). */
  readonly running?:
    | { readonly done: number; readonly total: number; readonly label: string; readonly text: string }
    | undefined;
  /** Result, or any other text; hidden by an error. */
  readonly children?: ReactNode;
}

/** Progress, error or result of a long request. */
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
