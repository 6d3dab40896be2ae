import type { z } from "zod";
import { boundaryPromptOfSession } from "@/lib/queries/answers/session-answers";
import type { BoundaryRequest, SummaryEvent, summaryRequest } from "@/lib/queries/contract/schemas";
import type { AppServer } from "../../server";
import { isEndpointError } from "../../summarizer/endpoint-error";
import type { PreparedSummary, Summarizer } from "../../summarizer/summarizer";
import { HttpError } from "../http-error";

/** The request for a boundary's summary. Rejects with `HttpError` if no endpoint was named. */
export async function preparedSummary(
  server: AppServer,
  id: string,
  wanted: BoundaryRequest,
): Promise<{ readonly summarizer: Summarizer; readonly prepared: PreparedSummary }> {
  const { summarizer } = server;
  if (summarizer === undefined) {
    throw new HttpError(404, "No endpoint for summaries was named; serve takes one with --summarizer.");
  }
  const { session, profile } = await server.openWithProfile(id);
  return { summarizer, prepared: await summarizer.prepare(await boundaryPromptOfSession(session, wanted, profile)) };
}

/**
 * Sends the previewed request to the endpoint, and reports its answer as server-sent events, with status 202. Closing the connection ends the call.
 * Rejects with `HttpError` if the request differs from the preview.
 */
export async function summaryEvents(
  request: Request,
  server: AppServer,
  id: string,
  { digest, samples, ...wanted }: z.output<typeof summaryRequest>,
): Promise<Response> {
  const { summarizer, prepared } = await preparedSummary(server, id, wanted);
  if (prepared.answer.preview?.digest !== digest) {
    throw new HttpError(409, "What would be sent is no longer what was shown; look at it again.");
  }
  const ended = new AbortController();
  request.signal.addEventListener("abort", () => ended.abort(), { once: true });
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      const tell = (event: SummaryEvent) => {
        if (!ended.signal.aborted) controller.enqueue(ENCODER.encode(textOf(event)));
      };
      // The answer begins before the endpoint responds.
      tell({ type: "text", sample: 0, text: "" });
      await made(summarizer, prepared, samples, ended.signal, tell);
      if (!ended.signal.aborted) controller.close();
    },
    cancel() {
      ended.abort();
    },
  });
  const headers = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };
  return new Response(stream, { status: 202, headers });
}

async function made(
  summarizer: Summarizer,
  prepared: PreparedSummary,
  samples: number,
  signal: AbortSignal,
  tell: (event: SummaryEvent) => void,
): Promise<void> {
  try {
    await summarizer.make(prepared, samples, {
      signal,
      onText: (sample, text) => tell({ type: "text", sample, text }),
      onMade: (sample, summary) => tell({ type: "made", sample, summary }),
    });
    tell({ type: "end" });
  } catch (error) {
    if (signal.aborted) return;
    if (!isEndpointError(error)) throw error;
    tell({ type: "failed", host: error.host, failure: error.failure });
  }
}

const ENCODER = new TextEncoder();

function textOf(event: SummaryEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
