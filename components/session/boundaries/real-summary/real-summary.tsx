import { useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { Dialog, DialogTrigger } from "@/components/ui/dialog";
import type { BoundaryEntry } from "../entries";
import { asksForSummary } from "../kinds";
import { MadeSummaries } from "./made-summaries";
import { SendDialog } from "./send-dialog";
import { useRealSummary, useSummarizer } from "./use-real-summary";

/** A summary of this boundary by the endpoint that `serve` was given. Without one there is nothing to see here. */
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
      <p className="mt-1 max-w-180 text-xs text-t3">{t("note", { host, model })}</p>
    </section>
  );
}
