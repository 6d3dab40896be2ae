import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useErrorText } from "@/components/hooks/use-error-text";
import { UnderWayStatus } from "@/components/ui/under-way-status";
import type { Answered } from "./use-answer";

/** How far an answer is, or why there is none. */
export function AnswerStatus({ answered }: { readonly answered: Answered<unknown, unknown> }) {
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
