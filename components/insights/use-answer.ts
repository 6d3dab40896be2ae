import { useUnderWay } from "@/components/format/under-way";
import type { AskedSessions } from "@/lib/queries/contract/types";

/** Common part of answers over sessions. */
export interface AnswerOver {
  readonly asked: AskedSessions;
}

/** Progress of an answer: first of reading files, then of sessions. */
interface Done {
  readonly done: number;
  readonly total: number;
  readonly of: "files" | "sessions";
}

/** Messages of a route that answers a query over sessions. */
type AnswerEvent<Answer> =
  | ({ readonly type: "progress" } & Done)
  | { readonly type: "failed"; readonly detail: string }
  | { readonly type: "answer"; readonly answer: Answer };

export type Answered<Wanted, Answer> =
  | { readonly state: "idle" }
  | ({ readonly state: "running" } & Done)
  /** Stopped by the user, when this much was done. */
  | ({ readonly state: "stopped" } & Done)
  /** An error between page and server, or the server's own sentence. */
  | { readonly state: "failed"; readonly error: unknown }
  | { readonly state: "refused"; readonly detail: string }
  | { readonly state: "done"; readonly wanted: Wanted; readonly answer: Answer };

/** A query over sessions that the server answers on request; leaving the page or pressing stop aborts it. */
export function useAnswer<Wanted, Answer>(
  ask: (wanted: Wanted, signal: AbortSignal) => AsyncGenerator<AnswerEvent<Answer>>,
) {
  const { state: answered, begin, stop } = useUnderWay<Answered<Wanted, Answer>>({ state: "idle" });
  const start = (wanted: Wanted): Promise<void> =>
    begin(
      async (signal, tell) => {
        tell({ state: "running", done: 0, total: 0, of: "files" });
        for await (const event of ask(wanted, signal)) {
          if (event.type === "progress") tell({ ...event, state: "running" });
          else if (event.type === "failed") tell({ state: "refused", detail: event.detail });
          else tell({ state: "done", wanted, answer: event.answer });
        }
      },
      (error) => ({ state: "failed", error }),
    );
  return {
    answered,
    start,
    stop: () => stop((now) => (now.state === "running" ? { ...now, state: "stopped" } : now)),
  };
}
