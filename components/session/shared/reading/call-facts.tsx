import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Chip } from "@/components/ui/chip";
import { cn } from "@/components/ui/cn";
import { exitCode, readingOf } from "./reading";

interface CallFactsProps {
  readonly call: string;
  readonly result: string;
  readonly failed: boolean;
}

/** The outcome of a call in its line: the lines that it changed, the exit code of its command. */
export function CallFacts({ call, result, failed }: CallFactsProps) {
  const t = useTranslations("session.reading");
  const format = useFormat();
  const reading = useMemo(() => readingOf({ word: "call" }, call), [call]);
  if (reading.as === "changes" && !failed) {
    const lines = reading.changes.flatMap((change) => change.lines);
    const count = (sign: "+" | "-") => format.count(lines.filter((line) => line.sign === sign).length);
    return (
      <span className="text-sm whitespace-nowrap">
        <span className="text-[color-mix(in_srgb,var(--c-builtin)_75%,var(--t1))]">+{count("+")}</span>{" "}
        <span className="text-danger">−{count("-")}</span>
        <span className="sr-only">{t("changedLines")}</span>
      </span>
    );
  }
  const code = reading.as === "command" ? exitCode(result) : undefined;
  return (
    code !== undefined && <Chip className={cn(code !== 0 && "text-danger")}>{t("exit", { code: String(code) })}</Chip>
  );
}
