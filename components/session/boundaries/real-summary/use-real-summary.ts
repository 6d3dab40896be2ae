import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { getSummarizer, getSummaryPreview } from "@/lib/api/client";
import { makeSummaries } from "@/lib/api/event-answers";
import type { SummaryEvent, SummaryPreviewAnswer } from "@/lib/api/types";
import { useSession } from "../../state/session-data";
import type { BoundaryEntry } from "../entries";
import { useBoundaryRequest } from "../texts/use-boundary-texts";
import { afterEvent, type Sending, STARTED } from "./sending";

/** The endpoint that `serve` was given; `null` where it was given none, which is what most people have. */
export function useSummarizer() {
  const { data } = useQuery({
    queryKey: ["summarizer"],
    queryFn: ({ signal }) => getSummarizer(signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data ?? null;
}

/** What would be sent for a boundary's summary, fetched when somebody asks, and the sending of it. */
export function useRealSummary(entry: BoundaryEntry, isAsked: boolean) {
  const { id } = useSession();
  const wanted = useBoundaryRequest(entry);
  const queryKey = ["session", id, "summary", wanted];
  const queryFn = () => getSummaryPreview(id, wanted);
  const query = useQuery({ queryKey, queryFn, enabled: isAsked, staleTime: Number.POSITIVE_INFINITY, retry: false });
  const client = useQueryClient();
  const [sending, setSending] = useState<Sending>();
  const running = useRef<AbortController>(undefined);
  // Whoever looks at another boundary waits for this one no longer.
  useEffect(() => () => running.current?.abort(), []);

  const keep = (event: SummaryEvent) => {
    setSending((before) => afterEvent(before ?? STARTED, event));
    if (event.type !== "made") return;
    client.setQueryData<SummaryPreviewAnswer>(queryKey, (answer) => answer && withMade(answer, event.summary));
  };
  const send = async (samples: number): Promise<void> => {
    const digest = query.data?.preview?.digest;
    if (digest === undefined) return;
    const controller = new AbortController();
    running.current = controller;
    setSending({ ...STARTED, samples });
    try {
      const events = makeSummaries(id, { ...wanted, digest, samples }, controller.signal);
      for await (const event of events) keep(event);
    } catch (error) {
      setSending((before) => ({
        ...(before ?? STARTED),
        isOver: true,
        error: controller.signal.aborted ? undefined : error,
      }));
    }
  };
  return { query, sending, send, stop: () => running.current?.abort() };
}

function withMade(answer: SummaryPreviewAnswer, summary: SummaryPreviewAnswer["made"][number]): SummaryPreviewAnswer {
  return { ...answer, made: [...answer.made, summary] };
}
