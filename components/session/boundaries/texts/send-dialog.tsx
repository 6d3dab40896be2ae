import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { ScrollRegion } from "@/components/ui/table";
import type { SummaryEvent, SummaryFailure, SummaryPreview, SummaryPreviewAnswer } from "@/lib/queries/contract/types";

interface SendDialogProps {
  readonly query: UseQueryResult<SummaryPreviewAnswer>;
  readonly sending: Sending | undefined;
  readonly onSend: (samples: number) => void;
  readonly onStop: () => void;
}

/** Shows exactly the texts that would be sent, and their destination. Nothing is sent before a button is pressed here. */
export function SendDialog({ query: { data, error, refetch }, sending, onSend, onStop }: SendDialogProps) {
  const t = useTranslations("session.realSummary");
  const action = useTranslations("common.action");
  const errorText = useErrorText();
  return (
    <DialogContent className="flex w-[min(760px,calc(100vw-16px))] flex-col" data-testid="send-dialog">
      <DialogTitle>{t("dialogTitle")}</DialogTitle>
      <DialogDescription className="text-sm">{t("dialogNote")}</DialogDescription>
      {error !== null && (
        <p role="alert" className="mt-3 flex items-center gap-3 text-sm text-danger">
          {errorText(error)}
          <Button onClick={() => void refetch()}>{action("retry")}</Button>
        </p>
      )}
      {data === undefined && error === null && (
        <p role="status" className="mt-3 text-sm text-t3">
          {t("loading")}
        </p>
      )}
      {data?.unknown != null && <Unknown answer={data} />}
      {data?.preview != null && (
        <>
          <PreviewFacts answer={data} preview={data.preview} />
          <PreviewText preview={data.preview} />
          <Controls host={data.summarizer.host} sending={sending} onSend={onSend} onStop={onStop} />
        </>
      )}
    </DialogContent>
  );
}

/** The reason why there is nothing to send. */
function Unknown({ answer: { unknown } }: { readonly answer: SummaryPreviewAnswer }) {
  const t = useTranslations("session.realSummary");
  const note = useTranslations("session.boundary.promptNote");
  if (unknown === null) return null;
  return (
    <p className="mt-3 text-sm" data-testid="summary-unknown">
      {unknown === "policy" || unknown === "noCall" ? t(`unknown.${unknown}`) : `${note(unknown)} ${t("unknown.part")}`}
    </p>
  );
}

interface ControlsProps extends Pick<SendDialogProps, "sending" | "onSend" | "onStop"> {
  readonly host: string;
}

function Controls({ host, sending, onSend, onStop }: ControlsProps) {
  const t = useTranslations("session.realSummary");
  const isRunning = sending !== undefined && !sending.isOver;
  return (
    <>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {isRunning ? (
          <Button onClick={onStop}>{t("stop")}</Button>
        ) : (
          <>
            <Button variant="primary" onClick={() => onSend(1)}>
              {t("send", { host })}
            </Button>
            <Button onClick={() => onSend(3)}>{t("sendThree")}</Button>
          </>
        )}
        <SendingState sending={sending} />
      </div>
      {sending !== undefined && sending.text !== "" && (
        <p
          className="mt-2 max-h-40 overflow-auto border-y border-line py-1 text-sm break-words whitespace-pre-wrap"
          data-testid="incoming"
        >
          {sending.text}
        </p>
      )}
    </>
  );
}

/** The progress or the error, in one sentence. */
function SendingState({ sending }: Pick<SendDialogProps, "sending">) {
  const t = useTranslations("session.realSummary");
  const errorText = useErrorText();
  return (
    <div role="status" className="min-w-0 text-sm [overflow-wrap:anywhere]">
      {sending !== undefined &&
        !sending.isOver &&
        t("sending", { sample: sending.sample + 1, samples: sending.samples })}
      {sending?.isOver === true && sending.failure === undefined && (
        <span>
          {sending.error === undefined
            ? t(sending.sample < sending.samples ? "stopped" : "done")
            : errorText(sending.error)}
        </span>
      )}
      {sending?.failure !== undefined && <Failure {...sending.failure} />}
    </div>
  );
}

function Failure({ host, failure }: NonNullable<Sending["failure"]>) {
  const t = useTranslations("session.realSummary");
  const { code, status, seconds, detail } = failure;
  const values = { host, status: status ?? 0, hasSeconds: seconds === null ? "no" : "yes", seconds: seconds ?? 0 };
  return (
    <span className="text-danger">
      {t(`failure.${code}`, values)}
      {detail !== null && ` ${code === "unreachable" ? `(${detail})` : t("detail", { detail })}`}
    </span>
  );
}

interface PreviewFactsProps {
  readonly answer: SummaryPreviewAnswer;
  readonly preview: SummaryPreview;
}

/** Destination, size, cost, and masked secrets. */
function PreviewFacts({ answer, preview }: PreviewFactsProps) {
  const t = useTranslations("session.realSummary");
  const note = useTranslations("session.boundary.promptNote");
  const format = useFormat();
  const { host, address, model, encrypted, hasKey } = answer.summarizer;
  const { bytes, tokens, usd, masked, notes, system } = preview;
  const count = masked.reduce((sum, one) => sum + one.count, 0);
  const rules = masked.map((one) => `${one.rule} ${format.count(one.count)}`).join(", ");
  const summary = format.count(answer.summaryTokens);
  return (
    <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      <Fact name={t("where")}>
        <span className="font-semibold">{host}</span> <span className="font-mono text-sm text-t2">{address}</span>
        <span className="block text-t2">
          {[t(encrypted ? "encrypted" : "notEncrypted"), t(hasKey ? "withKey" : "withoutKey")].join(" · ")}
        </span>
      </Fact>
      <Fact name={t("model")}>{model}</Fact>
      <Fact name={t("amount")}>
        {t("amountOf", { bytes: format.count(bytes), tokens: format.count(tokens), estimator: answer.estimator })}
      </Fact>
      <Fact name={t("price")}>
        {usd === null
          ? t("noPrice")
          : t("priceOf", { prompt: format.usd(usd.prompt), answer: format.usd(usd.answer), tokens: summary })}
      </Fact>
      <Fact name={t("secrets")}>{count === 0 ? t("noSecrets") : t("masked", { count, rules })}</Fact>
      {notes.length > 0 && (
        <Fact name={t("prompt")}>
          {notes.map((one) => note(one)).join(" ")}
          {notes.includes("systemOwn") && system === null && ` ${t("noSystem")}`}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-t2">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}

/** Every text that is sent, in full, with its role. */
function PreviewText({ preview: { system, messages } }: Pick<PreviewFactsProps, "preview">) {
  const t = useTranslations("session.realSummary");
  const texts = system === null ? messages : [{ role: "system" as const, content: system }, ...messages];
  return (
    <ScrollRegion
      aria-label={t("text")}
      className="mt-3 min-h-40 shrink overflow-auto border-y border-line py-1"
      data-testid="sent-text"
    >
      {texts.map(({ role, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity beyond their place
        <div key={index} className="[content-visibility:auto]">
          <h3 className="pt-1 text-sm font-medium text-t3">{role}</h3>
          <pre className="font-mono text-sm break-words whitespace-pre-wrap">{content}</pre>
        </div>
      ))}
    </ScrollRegion>
  );
}

/** State of the requests to the endpoint. */
export interface Sending {
  /** Number of requested summaries, and the index of the current one, from 0. */
  readonly samples: number;
  readonly sample: number;
  /** Text of the current summary so far. */
  readonly text: string;
  readonly isOver: boolean;
  /** Error of the endpoint. */
  readonly failure?: { readonly host: string; readonly failure: SummaryFailure } | undefined;
  /** Error of this program's own server. */
  readonly error?: unknown;
}

export const STARTED: Sending = { samples: 1, sample: 0, text: "", isOver: false };

/** The state after an event. An error keeps the text that arrived before it. */
export function afterEvent(before: Sending, event: SummaryEvent): Sending {
  switch (event.type) {
    case "text": {
      const isSame = event.sample === before.sample;
      return { ...before, sample: event.sample, text: isSame ? before.text + event.text : event.text };
    }
    case "made":
      return { ...before, sample: event.sample + 1, text: "" };
    case "failed":
      return { ...before, isOver: true, failure: { host: event.host, failure: event.failure } };
    case "end":
      return { ...before, isOver: true };
  }
}

/** The smallest and the largest summary; absent if all have the same size. */
export function spreadOf(made: readonly { readonly tokens: number }[]): readonly [number, number] | undefined {
  const sizes = made.map(({ tokens }) => tokens);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  return least < most ? [least, most] : undefined;
}
