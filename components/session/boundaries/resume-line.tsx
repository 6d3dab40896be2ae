import { RotateCcw } from "lucide-react";
import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { sessionResume } from "@/lib/questions/session/resume";
import { useRecorded } from "../state/recorded-data";

/** What resuming this file would load, and where that differs from what the session had. Nothing where its agent cannot resume sessions. */
export function ResumeLine() {
  const t = useTranslations("session.resume");
  const format = useFormat();
  const { recording } = useRecorded();
  const resume = useMemo(() => sessionResume(recording), [recording]);
  if (resume === null) return null;
  const { messages, missing, extra } = resume;
  return (
    <section data-testid="resume" className="flex gap-2 px-4 py-3 text-sm text-t2">
      <RotateCcw aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <div>
        <p className="text-t1">{t("loads", { count: messages, tokens: format.count(resume.tokens) })}</p>
        {missing.items > 0 && <p>{t("missing", { count: missing.items, tokens: format.count(missing.tokens) })}</p>}
        {extra.items > 0 && <p>{t("extra", { count: extra.items, tokens: format.count(extra.tokens) })}</p>}
        {missing.items + extra.items === 0 && <p>{t("same")}</p>}
      </div>
    </section>
  );
}
