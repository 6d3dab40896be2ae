import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Info } from "@/components/glossary/info";
import { useCopy } from "@/components/hooks/use-copy";
import { Button } from "@/components/ui/button";
import type { Tokens } from "@/lib/core/base/units";
import type { SettingLine } from "@/lib/core/compaction/policy/setting-to-type";
import { usePolicyWords } from "./use-words";

interface PasteLinesProps {
  readonly lines: readonly SettingLine[];
  readonly window: Tokens;
  /** Text before the lines; by default "Setting to paste". */
  readonly label?: string | undefined;
}

/** The settings to type into the real agent, copied together. */
export function PasteLines({ lines, window, label }: PasteLinesProps) {
  const t = useTranslations("replay.verdict.paste");
  const [copyState, copy] = useCopy();
  const texts = lines.flatMap(({ text }) => text ?? []);
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-t2" data-testid="setting-to-paste">
      <span className="max-md:order-first">{label ?? t("label")}</span>
      {lines.map((line) => (
        <Line key={line.key} line={line} window={window} />
      ))}
      {texts.length > 0 && (
        <Button variant="ghost" className="h-6 px-1.5 max-md:order-first" onClick={() => copy(texts.join("\n"))}>
          <span aria-live="polite">{t(copyState ?? "copy")}</span>
        </Button>
      )}
    </p>
  );
}

interface LineProps {
  readonly line: SettingLine;
  readonly window: Tokens;
}

function Line({ line: { key, text, file, source, percentOf, reaches }, window }: LineProps) {
  const t = useTranslations("replay.verdict.paste");
  const format = useFormat();
  const kind = useTranslations("replay.source");
  const words = usePolicyWords();
  const tokens = format.count(reaches?.threshold ?? 0);
  if (text === undefined) {
    const name = words.setting({ key, label: key });
    if (reaches === undefined) return <span>{t("none", { name })}</span>;
    return <span>{t(reaches.asked > reaches.threshold ? "upTo" : "downTo", { name, tokens })}</span>;
  }
  return (
    <span className="inline-flex items-center">
      <code className="rounded-sm bg-sunk px-1 break-all text-t1">{text}</code>
      {file !== undefined && ` ${t("in", { file })}`}
      {percentOf !== undefined && (
        <span className="ml-2" data-testid="percent-of">
          {t("percentOf", {
            percent: format.percent(percentOf.percent / 100),
            usable: format.short(percentOf.base),
            tokens: format.short(percentOf.threshold),
            share: format.percent(percentOf.threshold / window),
          })}
        </span>
      )}
      {reaches !== undefined && (
        <span className="ml-2" data-testid="rounded-to">
          {t("roundedTo", { tokens, asked: format.count(reaches.asked) })}
        </span>
      )}
      {source !== undefined && (
        <Info label={kind(source.kind)}>
          <p className="break-words">{source.text}</p>
        </Info>
      )}
    </span>
  );
}
