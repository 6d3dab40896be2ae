import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import type { SummaryPreviewAnswer } from "@/lib/api/types";
import { PreviewFacts, PreviewText } from "./preview";
import type { Sending } from "./sending";

interface SendDialogProps {
  readonly query: UseQueryResult<SummaryPreviewAnswer>;
  readonly sending: Sending | undefined;
  readonly onSend: (samples: number) => void;
  readonly onStop: () => void;
}

/** Shows exactly what would go where. Nothing is sent until somebody presses a button here. */
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

/** Why there is nothing to send. */
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

/** How far it is, or what went wrong, in one sentence. */
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
