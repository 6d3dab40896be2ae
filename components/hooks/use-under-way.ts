import { useEffect, useRef, useState } from "react";

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
