import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { copyText } from "@/components/hooks/use-copy";
import { Button } from "@/components/ui/button";
import { profileOf } from "@/lib/agents/policies";
import { fileLabel } from "@/lib/core/compaction/policy/policy";
import { ask } from "@/lib/queries/client/client";
import type { BoundaryAnswer, BoundaryRequest, SummaryPrompt } from "@/lib/queries/contract/types";
import { asksForSummary, type BoundaryEntry, sizeAfter } from "../../shared/boundaries/entries";
import { PrintedText } from "../../shared/context/printed-text";
import { Clipped } from "../../shared/reading/clipped";
import { useReplay, useSession } from "../../shared/state/stores";

/** The context after a compaction, for download, and the agent's prompt for the summary. Fetched on request. */
export function BoundaryTexts({ entry }: { readonly entry: BoundaryEntry }) {
  const t = useTranslations("session.boundary");
  const query = useBoundaryTexts(entry);
  const client = useQueryClient();
  const [shown, setShown] = useState(false);
  const hasPrompt = entry.kind === "simulated" && asksForSummary(entry.what, entry.compaction.summaryCallTokens);
  const { data, isError, isFetching } = useQuery({ ...query, enabled: shown });
  const [copyFailure, setFailure] = useState<"textsFailed" | "copyRefused">();
  const failure = isError ? "textsFailed" : copyFailure;
  const copy = async (textOf: (answer: BoundaryAnswer) => string): Promise<boolean> => {
    const answer = await client.fetchQuery(query).catch(() => undefined);
    setFailure(answer === undefined ? "textsFailed" : undefined);
    if (answer === undefined) return false;
    const copied = await copyText(textOf(answer));
    if (!copied) setFailure("copyRefused");
    return copied;
  };
  return (
    <section className="mt-6" aria-labelledby="boundary-texts">
      <h3 id="boundary-texts" className="font-semibold">
        {t("textsTitle")}
      </h3>
      <div className="mt-2 flex flex-wrap gap-2">
        <CopyButton label={t("copyContext")} onCopy={() => copy(contextJson)} />
        {hasPrompt && (
          <Button aria-expanded={shown} onClick={() => setShown(!shown)}>
            {t("showTexts")}
          </Button>
        )}
        {shown && data?.prompt != null && (
          <CopyButton label={t("copyPrompt")} onCopy={() => copy(({ prompt }) => promptOf(prompt))} />
        )}
      </div>
      <div role="status">{failure !== undefined && <p className="mt-1 text-sm text-danger">{t(failure)}</p>}</div>
      {shown && isFetching && <p className="mt-2 text-sm text-t3">{t("textsLoading")}</p>}
      {shown && data !== undefined && <Texts answer={data} />}
      <p className="mt-1 max-w-180 text-sm text-t3">{t("textsNote")}</p>
    </section>
  );
}

/** The message that the agent prints after a compaction: the recording's agent after a recorded one, the policy's agent after a simulated one. */
export function CompactionReport({ entry }: { readonly entry: BoundaryEntry }) {
  const t = useTranslations("session.boundary");
  const { summary, columns } = useSession("summary", "columns");
  const { choice } = useReplay("choice");
  const { compaction, ordinal } = entry;
  const { outcome, added } = compaction;
  const isRecorded = entry.kind === "recorded";
  const recorded = isRecorded ? summary.compactions[ordinal] : undefined;
  const profile = profileOf(isRecorded ? summary.agent : choice.policy.id);
  const tokensAfter = recorded?.tokensAfter ?? sizeAfter(compaction, columns);
  if (profile?.compactionReport === undefined || tokensAfter === null) return null;
  const text = profile.compactionReport({
    preset: isRecorded ? (profile.presetFor?.(summary.agentVersion ?? undefined) ?? "") : choice.preset,
    outcome,
    tokensBefore: compaction.tokensBefore,
    tokensAfter,
    files: recorded?.filesIncluded ?? added.flatMap(({ files = [] }) => files.map(fileLabel)),
  });
  if (text === undefined) return null;
  const title = t("reportText", { agent: profile.label });
  return <PrintedText title={title} text={text} className="mt-4 max-w-180" testId="compaction-report" />;
}

function contextJson({ messages }: BoundaryAnswer): string {
  return JSON.stringify(
    messages.map(({ role, text }) => ({ role, content: text })),
    null,
    2,
  );
}

function promptOf(prompt: BoundaryAnswer["prompt"]): string {
  if (prompt === null) return "";
  const { system, messages, text } = prompt;
  return [system, messages.length === 0 ? null : historyText(messages), text]
    .filter((part) => part !== null && part !== "")
    .join("\n\n");
}

/** The history in the prompt, as messages with their roles. */
function historyText(messages: BoundaryAnswer["messages"]): string {
  return messages.map(({ role, text }) => `[${role}]\n${text}`).join("\n\n");
}

function CopyButton({ label, onCopy }: { readonly label: string; readonly onCopy: () => Promise<boolean> }) {
  const t = useTranslations("session.boundary");
  const [copied, setCopied] = useState(false);
  const press = async (): Promise<void> => {
    if (!(await onCopy())) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <Button onClick={press}>
      <span aria-live="polite">{copied ? t("copied") : label}</span>
    </Button>
  );
}

/** Policies with a message that explains why their prompt is not shown. */
const REASONS = ["claude-code", "custom", "rent-to-buy"] as const;

function Texts({ answer }: { readonly answer: BoundaryAnswer }) {
  const t = useTranslations("session.boundary");
  const { prompt, policy } = answer;
  const reason = REASONS.find((one) => one === policy);
  return (
    <div className="mt-2 flex max-w-180 flex-col gap-3" data-testid="boundary-texts">
      {prompt?.system != null && <Text title={t("promptSystem")} text={prompt.system} />}
      {prompt !== null && <Prompt prompt={prompt} />}
      {prompt === null && (
        <p className="text-sm text-t2">{reason === undefined ? t("promptUnknown") : t(`promptReason.${reason}`)}</p>
      )}
    </div>
  );
}

/** The history in the prompt, then the instruction, and the unknown parts of both. */
function Prompt({ prompt }: { readonly prompt: SummaryPrompt }) {
  const t = useTranslations("session.boundary");
  const { messages, text, notes } = prompt;
  return (
    <>
      {messages.length > 0 && (
        <Text title={t("promptHistory", { count: messages.length })} text={historyText(messages)} />
      )}
      {text !== "" && <Text title={t("promptText")} text={text} />}
      {notes.length > 0 && (
        <ul className="list-disc pl-4 text-sm text-t2" data-testid="prompt-notes">
          {notes.map((note) => (
            <li key={note}>{t(`promptNote.${note}`)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Characters of a prompt that are shown: it holds the whole history. */
const SHOWN_CHARS = 20_000;

function Text({ title, text }: { readonly title: string; readonly text: string }) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  return (
    <div>
      <h4 className="text-sm font-medium text-t2">{title}</h4>
      <Clipped height="max-h-60" className="mt-1 border-y border-line">
        <pre className="py-1 font-mono text-sm break-words whitespace-pre-wrap">{text.slice(0, SHOWN_CHARS)}</pre>
      </Clipped>
      {text.length > SHOWN_CHARS && (
        <p className="mt-1 text-sm text-t3">
          {t("clipped", { shown: format.count(SHOWN_CHARS), all: format.count(text.length) })}
        </p>
      )}
    </div>
  );
}

/** Request for a compaction of the replay that the page shows. */
export function useBoundaryRequest({ kind, compaction }: BoundaryEntry): BoundaryRequest {
  const { counted } = useSession("counted");
  const { choice } = useReplay("choice");
  const at = { at: compaction.request, estimator: counted.estimator };
  if (kind === "recorded") return { ...at, policy: "recorded" };
  const { policy, preset, settings, window, counting } = choice;
  return { ...at, policy: policy.id, preset, settings: { ...settings }, window: window.tokens, counting };
}

/** The parameters for fetching a compaction's texts. */
function useBoundaryTexts(entry: BoundaryEntry) {
  const { id } = useSession("id");
  const wanted = useBoundaryRequest(entry);
  return queryOptions({
    queryKey: ["session", id, "boundary", wanted],
    queryFn: () => ask("boundary", { id, body: wanted }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}
