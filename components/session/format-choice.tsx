import { useRouter } from "next/navigation";
import { useId } from "react";
import { useTranslations } from "use-intl";
import { useFormatLabel } from "@/components/hooks/use-format-label";
import { Choice } from "@/components/ui/choice";
import type { ApiError } from "@/lib/queries/client/api-error";

interface FormatChoiceProps {
  readonly id: string;
  /** Those that find most messages come first. */
  readonly formats: ApiError["formats"];
}

/** The most likely format of a file that no reader recognised, and a menu of all formats, likely ones first. */
export function FormatChoice({ id, formats }: FormatChoiceProps) {
  const t = useTranslations("session.format");
  const label = useFormatLabel();
  const router = useRouter();
  const name = useId();
  const [likely] = formats;
  return (
    <div className="mt-2 flex w-full flex-col gap-3">
      <p className="text-t2" data-testid="likely-format">
        {likely === undefined || likely.messages === 0
          ? t("none")
          : t("likely", { format: label(likely.format), count: likely.messages })}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={name} className="text-sm text-t2">
          {t("title")}
        </label>
        <Choice
          id={name}
          value={undefined}
          placeholder={t("choose")}
          options={formats.map(({ format, messages }) => [
            format,
            messages === 0 ? label(format) : t("finds", { format: label(format), count: messages }),
          ])}
          onChange={(format) => router.push(hrefOf(id, format))}
        />
      </div>
    </div>
  );
}

/** Address of the same file, read as that format. */
function hrefOf(id: string, format: string): string {
  return `/sessions/${encodeURIComponent(`${id.split("~", 1)[0]}~${format}`)}`;
}
