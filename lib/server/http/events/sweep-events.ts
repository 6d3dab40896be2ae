import { setImmediate } from "node:timers/promises";
import { sweepReplays } from "@/lib/core/analysis/grid";
import { type SweepInput, type SweptInput, sweepAll } from "@/lib/queries/answers/sweep";
import type { SweepEvent, SweepRequest } from "@/lib/queries/contract/schemas";
import { requireChoice } from "@/lib/queries/session/session-context";
import { requireEstimator } from "../../read/numbers/estimators";
import type { AppServer } from "../../server";
import { sentenceOf } from "../handler";
import { eventResponse, eventText, Progress, writeText } from "./events";

/** Rows per text chunk. */
const ROWS_AT_ONCE = 250;

/**
 * A sweep over sessions as server-sent events, with status 202: progress, the rows of every session, the end. Closing the connection ends the sweep.
 * Throws for an invalid request.
 */
export function sweepEvents(request: Request, server: AppServer, wanted: SweepRequest): Response {
  const { sessions, ...query } = wanted;
  requireSwept(wanted, server);
  const total = sweepReplays(wanted.vary, sessions.length);
  const ended = new AbortController();
  request.signal.addEventListener("abort", () => ended.abort(), { once: true });
  const progress = new Progress(total);
  const listener = { signal: ended.signal, onReplays: (count: number) => progress.add(count) };
  const inputs: readonly SweepInput[] = sessions.map((id) => ({
    id,
    use: async (work) => {
      const { session, profile } = await server.openWithProfile(id, "background");
      return work(session, profile);
    },
  }));
  const swept = sweepAll(inputs, query, server.background, listener);
  return eventResponse(streamOf(swept, progress, ended));
}

/** The events of a sweep as bytes. The sweep continues only while the reader keeps up, so that unread rows do not pile up. */
function streamOf(
  swept: AsyncGenerator<SweptInput>,
  progress: Progress,
  ended: AbortController,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      progress.start((event) => writeText(controller, eventText(event)), ended.signal);
    },
    async pull(controller) {
      const next = await swept.next();
      if (ended.signal.aborted) return;
      if (next.done === true) {
        progress.tell();
        writeText(controller, eventText<SweepEvent>({ type: "end" }));
        // Other parts of a failed recording may still run.
        ended.abort();
        progress.end();
        controller.close();
        return;
      }
      // An event is sent in several parts, so no progress event may come between them.
      progress.hold();
      for (const part of partsOf(next.value)) {
        writeText(controller, part);
        // Other requests are answered between two parts.
        await setImmediate();
        if (ended.signal.aborted) return;
      }
      progress.goOn();
    },
    cancel() {
      ended.abort();
      progress.end();
    },
  });
}

/** Checks a sweep as far as possible before any session is read. Throws `ChoiceError`, `SettingError` and `UnknownEstimatorError`. */
export function requireSwept(wanted: Omit<SweepRequest, "sessions">, server: AppServer): void {
  if (!server.isOwnPolicy(wanted.policy))
    for (const end of ["from", "to"] as const) requireChoice({ ...wanted, settings: settingsAt(wanted, end) });
  if (wanted.estimator !== undefined) requireEstimator(wanted.estimator);
}

/** The settings at one end of the ranges. */
function settingsAt({ settings, vary }: Pick<SweepRequest, "settings" | "vary">, end: "from" | "to") {
  return { ...settings, ...Object.fromEntries(vary.map((range) => [range.key, range[end]])) };
}

/** The events of one recording, in parts if it has many rows: making a part blocks all other answers. */
export function* partsOf({ id, result }: SweptInput): Generator<string> {
  if (result instanceof Error) {
    return yield eventText<SweepEvent>({
      type: "failed",
      session: id,
      detail: sentenceOf(result, "It could not be swept."),
    });
  }
  const end = "]}\n\n";
  let part = eventText<SweepEvent>({ type: "rows", session: id, rows: [] }).slice(0, -end.length);
  let rows = 0;
  for (const row of result) {
    part += rows === 0 ? row : `,${row}`;
    rows += 1;
    if (rows % ROWS_AT_ONCE > 0) continue;
    yield part;
    part = "";
  }
  yield `${part}${end}`;
}
