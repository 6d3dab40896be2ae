import type { ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import { Progress } from "@/components/ui/status";

/** Something that was asked of the server and takes a while. Asking again, stopping it and leaving the page end what is under way. */
interface UnderWay<State> {
  readonly state: State;
  /**
   * Asks, in place of what was asked before.
   * @param ask tells how far it is; nothing that it tells after it was ended counts
   * @param failed what an error comes to
   */
  readonly begin: (
    ask: (signal: AbortSignal, tell: (state: State) => void) => Promise<void>,
    failed: (error: unknown) => State,
  ) => Promise<void>;
  readonly stop: (stopped: (now: State) => State) => void;
}

/** @param idle as long as nothing was asked */
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
