import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Progress } from "@/components/ui/progress";
import type { Answered } from "./use-answer";

/** How far an answer is, or why there is none. */
export function AnswerStatus({ answered }: { readonly answered: Answered<unknown, unknown> }) {
  const t = useTranslations("insights");
  const format = useFormat();
  const errorText = useErrorText();
  if (answered.state === "failed" || answered.state === "refused") {
    return (
      <p role="alert" className="text-sm text-danger">
        {answered.state === "failed" ? errorText(answered.error) : answered.detail}
      </p>
    );
  }
  return (
    <span className="flex items-center gap-2 text-sm text-t2" aria-live="polite" data-testid="answer-status">
      {answered.state === "running" && (
        <>
          <Progress value={answered.done} max={answered.total} label={t(`running.${answered.of}`)} />
          {answered.total > 0 &&
            t(`progress.${answered.of}`, { done: format.count(answered.done), total: answered.total })}
        </>
      )}
      {answered.state === "stopped" && t(`stopped.${answered.of}`, { done: answered.done, total: answered.total })}
    </span>
  );
}
