import type { InsightsListener } from "../../insights/insights";
import { sentenceOf } from "../handler";
import { eventResponse, eventText, Progress, writeText } from "./events";

/**
 * The answer to a query over sessions as server-sent events, with status 202: progress in files and sessions, then the answer, or the reason for its
 * absence. Closing the connection ends the work.
 */
export function answerEvents(request: Request, ask: (listener: InsightsListener) => Promise<object>): Response {
  const ended = new AbortController();
  request.signal.addEventListener("abort", () => ended.abort(), { once: true });
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = <Event extends { readonly type: string }>(event: Event) => {
        if (!ended.signal.aborted) writeText(controller, eventText(event));
      };
      const progress = new Progress();
      let of: "files" | "sessions" = "files";
      progress.start((event) => send({ ...event, of }), ended.signal);
      const progressOf = (what: typeof of) => (done: number, total: number) => {
        of = what;
        progress.at(done, total);
      };
      try {
        const answer = await ask({
          onFiles: progressOf("files"),
          onSessions: progressOf("sessions"),
          signal: ended.signal,
        });
        progress.tell();
        send({ type: "answer", answer });
      } catch (error) {
        if (ended.signal.aborted) return;
        send({ type: "failed", detail: sentenceOf(error, "It could not be answered.") });
      } finally {
        progress.end();
      }
      if (!ended.signal.aborted) controller.close();
    },
    cancel() {
      ended.abort();
    },
  });
  return eventResponse(stream);
}
