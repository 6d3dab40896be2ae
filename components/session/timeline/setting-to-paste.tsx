import { useTranslations } from "use-intl";
import { Info } from "@/components/glossary/info";
import { useCopy } from "@/components/hooks/use-copy";
import { Button } from "@/components/ui/button";
import { type SettingLine, settingToType } from "@/lib/core/compaction/policy/setting-to-type";
import { useReplay } from "../shared/state/stores";

/** The settings to type into the real agent, copied together. */
export function SettingToPaste() {
  const t = useTranslations("replay.verdict.paste");
  const [said, copy] = useCopy();
  const { choice } = useReplay("choice");
  const lines = settingToType(choice, choice.settings, choice.window.tokens);
  if (lines === undefined) return null;
  const texts = lines.flatMap(({ text }) => text ?? []);
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-t2" data-testid="setting-to-paste">
      <span className="max-md:order-first">{t("label")}</span>
      {lines.map((line) => (
        <Line key={line.key} line={line} />
      ))}
      {texts.length > 0 && (
        <Button variant="ghost" className="h-6 px-1.5 max-md:order-first" onClick={() => copy(texts.join("\n"))}>
          <span aria-live="polite">{t(said ?? "copy")}</span>
        </Button>
      )}
    </p>
  );
}

function Line({ line: { text, file, source } }: { readonly line: SettingLine }) {
  const t = useTranslations("replay.verdict.paste");
  const kind = useTranslations("replay.source");
  if (text === undefined) return <span>{t("none")}</span>;
  return (
    <span className="inline-flex items-center">
      <code className="rounded-sm bg-sunk px-1 break-all text-t1">{text}</code>
      {file !== undefined && ` ${t("in", { file })}`}
      {source !== undefined && (
        <Info label={kind(source.kind)}>
          <p className="break-words">{source.text}</p>
        </Info>
      )}
    </span>
  );
}
