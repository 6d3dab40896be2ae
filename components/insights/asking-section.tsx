import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { UnderWayStatus } from "@/components/format/under-way";
import { useFormat } from "@/components/format/use-format";
import { useCopy } from "@/components/hooks/use-copy";
import { useErrorText } from "@/components/hooks/use-error-text";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/chip";
import { isSame } from "./selection";
import type { Answered, AnswerOver } from "./use-answer";

interface AskingSectionProps<Wanted extends object, Answer extends AnswerOver> {
  readonly name: "advice" | "policies";
  readonly answered: Answered<Wanted, Answer>;
  /** The query; `undefined` if there is none to ask. */
  readonly wanted: Wanted | undefined;
  readonly onStart: (wanted: Wanted) => void;
  readonly onStop: () => void;
  /** The key that presses the button. */
  readonly shortcut?: string;
  readonly controls?: ReactNode;
  readonly children: (answer: Answer, asked: Wanted) => ReactNode;
}

/** A query over the sessions that the address selects: a button sends it, and the server runs it. */
export function AskingSection<Wanted extends object, Answer extends AnswerOver>(
  props: AskingSectionProps<Wanted, Answer>,
) {
  const { name, answered, wanted, onStart, onStop, shortcut, controls, children } = props;
  const t = useTranslations("insights");
  const running = answered.state === "running";
  const press = () => {
    if (running) return onStop();
    return wanted === undefined ? false : onStart(wanted);
  };
  useShortcuts(shortcut === undefined ? {} : { [shortcut]: press });
  return (
    <section
      aria-labelledby={`insights-${name}`}
      aria-busy={running}
      className="border-b border-line px-4 py-4"
      data-testid={name}
    >
      <h2 id={`insights-${name}`} className="text-base font-semibold">
        {t(`${name}.title`)}
      </h2>
      <p className="max-w-180 pb-1 text-sm text-t2">{t(`${name}.lead`)}</p>
      {controls}
      <div className="flex min-h-10 flex-wrap items-center gap-3 py-2">
        <Button
          variant={shortcut === undefined || running ? "outline" : "primary"}
          disabled={!running && wanted === undefined}
          onClick={press}
        >
          {t(running ? "stop" : `${name}.start`)}
          {shortcut !== undefined && (
            <Kbd className="border-current/40 bg-transparent text-current touch:hidden">{shortcut}</Kbd>
          )}
        </Button>
        <AnswerStatus answered={answered} />
        {answered.state === "done" && (
          <>
            {!isSame(answered.wanted, wanted) && <span className="text-sm text-t2">{t("stale")}</span>}
            <CopyAnswer answer={{ ...answered.wanted, ...answered.answer }} />
          </>
        )}
      </div>
      {answered.state === "done" && (
        <>
          {answered.answer.asked.unread > 0 && (
            <p className="pb-2 text-sm text-t2">{t("unread", { count: answered.answer.asked.unread })}</p>
          )}
          {children(answered.answer, answered.wanted)}
        </>
      )}
    </section>
  );
}

/** Progress of an answer, or the reason why there is none. */
function AnswerStatus({ answered }: { readonly answered: Answered<unknown, unknown> }) {
  const t = useTranslations("insights");
  const format = useFormat();
  const errorText = useErrorText();
  if (answered.state === "failed" || answered.state === "refused") {
    const failure = answered.state === "failed" ? errorText(answered.error) : answered.detail;
    return <UnderWayStatus testId="answer-status" failure={failure} />;
  }
  if (answered.state === "running") {
    const { done, total, of } = answered;
    const text = total > 0 ? t(`progress.${of}`, { done: format.count(done), total }) : "";
    return <UnderWayStatus testId="answer-status" running={{ done, total, label: t(`running.${of}`), text }} />;
  }
  return (
    <UnderWayStatus testId="answer-status">
      {answered.state === "stopped" && t(`stopped.${answered.of}`, { done: answered.done, total: answered.total })}
    </UnderWayStatus>
  );
}

/** Copies an answer with its full query, its sessions included, as JSON: it can be repeated and compared. */
function CopyAnswer({ answer }: { readonly answer: object }) {
  const t = useTranslations("insights");
  const [result = "copy", copy] = useCopy();
  return (
    <Button variant="ghost" onClick={() => copy(JSON.stringify(answer, undefined, 2))}>
      <span aria-live="polite">{t(`json.${result}`)}</span>
    </Button>
  );
}
