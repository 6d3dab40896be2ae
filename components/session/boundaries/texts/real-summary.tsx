import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import { Dialog, DialogTrigger } from "@/components/ui/dialog";
import { ask } from "@/lib/queries/client/client";
import { makeSummaries } from "@/lib/queries/client/event-answers";
import type { MadeSummary, SummaryEvent, SummaryPreviewAnswer } from "@/lib/queries/contract/types";
import { asksForSummary, type BoundaryEntry } from "../../shared/boundaries/entries";
import { useReplay, useReplayActions, useSession } from "../../shared/state/stores";
import { useBoundaryRequest } from "./boundary-texts";
import { afterEvent, SendDialog, type Sending, STARTED, spreadOf } from "./send-dialog";

/** Requests a summary of this boundary from the endpoint that `serve` was given. Empty without an endpoint. */
export function RealSummary({ entry }: { readonly entry: BoundaryEntry }) {
  const summarizer = useSummarizer();
  const isAsked = entry.kind === "recorded" || asksForSummary(entry.what, entry.compaction.summaryCallTokens);
  return summarizer === null || !isAsked ? null : (
    <Offered entry={entry} host={summarizer.host} model={summarizer.model} />
  );
}

interface OfferedProps {
  readonly entry: BoundaryEntry;
  readonly host: string;
  readonly model: string;
}

function Offered({ entry, host, model }: OfferedProps) {
  const t = useTranslations("session.realSummary");
  const [isAsked, ask] = useState(false);
  const { query, sending, send, stop } = useRealSummary(entry, isAsked);
  const { data } = query;
  return (
    <section className="mt-6" aria-labelledby="real-summary" data-testid="real-summary">
      <h3 id="real-summary" className="font-semibold">
        {t("title")}
      </h3>
      <Dialog onOpenChange={(isOpen) => isOpen && ask(true)}>
        <DialogTrigger asChild>
          <Button className="mt-2">{t("preview")}</Button>
        </DialogTrigger>
        <SendDialog query={query} sending={sending} onSend={(samples) => void send(samples)} onStop={stop} />
      </Dialog>
      {data !== undefined && data.made.length > 0 && <MadeSummaries answer={data} />}
      <p className="mt-1 max-w-180 text-sm text-t3">{t("note", { host, model })}</p>
    </section>
  );
}

/** The summaries from the endpoint: sizes, texts, and the later-used files that each one names. */
function MadeSummaries({ answer }: { readonly answer: SummaryPreviewAnswer }) {
  const t = useTranslations("session.realSummary");
  const format = useFormat();
  const { made, summaryTokens } = answer;
  const [least, most] = spreadOf(made) ?? [];
  const own = format.count(summaryTokens);
  return (
    <div className="mt-3 max-w-180" data-testid="made-summaries">
      <p className="text-sm text-t2">
        {least === undefined || most === undefined
          ? t("made", { count: made.length, own })
          : t("madeSpread", { count: made.length, least: format.count(least), most: format.count(most), own })}
      </p>
      <ul className="mt-2 border-t border-line">
        {made.map((summary) => (
          <Made key={summary.id} summary={summary} />
        ))}
      </ul>
    </div>
  );
}

function Made({ summary }: { readonly summary: MadeSummary }) {
  const t = useTranslations("session.realSummary");
  const l = useTranslations("session.ledger");
  const format = useFormat();
  const { tokens, usage, isCut, score, text } = summary;
  return (
    <li className="border-b border-line py-2 text-sm text-t2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-semibold text-t1">{t("size", { tokens: format.count(tokens) })}</span>
        <span>{usage.output !== null && t("usage", { tokens: format.count(usage.output) })}</span>
        <UseSize tokens={tokens} />
      </div>
      {isCut && <p>{t("cut")}</p>}
      {score !== null && <p>{l("summaryPaths", { ...score.paths })}</p>}
      {score !== null && <p>{l("summaryNames", { ...score.names })}</p>}
      <details className="mt-1">
        <summary className="cursor-pointer underline touch:min-h-10">{t("text")}</summary>
        <p className="mt-1 break-words whitespace-pre-wrap">{text}</p>
      </details>
    </li>
  );
}

/** Replaces the assumed size by the measured one, if the current policy has such a setting. */
function UseSize({ tokens }: { readonly tokens: number }) {
  const t = useTranslations("session.realSummary");
  const { choice } = useReplay("choice");
  const { setSetting } = useReplayActions();
  if (!choice.specs.some(({ key }) => key === "summaryTokens")) return null;
  const isUsed = choice.settings.summaryTokens === tokens;
  return (
    <Button disabled={isUsed} onClick={() => setSetting("summaryTokens", tokens)}>
      {t(isUsed ? "used" : "use")}
    </Button>
  );
}

/** The endpoint that `serve` was given; `null` without one, the usual case. */
function useSummarizer() {
  const { data } = useQuery({
    queryKey: ["summarizer"],
    queryFn: async ({ signal }) => (await ask("summarizer", {}, signal)).summarizer,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data ?? null;
}

/** The text to send for a boundary's summary, fetched when the user opens the preview, and the function that sends it. */
function useRealSummary(entry: BoundaryEntry, isAsked: boolean) {
  const { id } = useSession("id");
  const wanted = useBoundaryRequest(entry);
  const queryKey = ["session", id, "summary", wanted];
  const queryFn = () => ask("summaryPreview", { id, body: wanted });
  const query = useQuery({ queryKey, queryFn, enabled: isAsked, staleTime: Number.POSITIVE_INFINITY, retry: false });
  const client = useQueryClient();
  const [sending, setSending] = useState<Sending>();
  const running = useRef<AbortController>(undefined);
  // Selecting another boundary aborts the request.
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
