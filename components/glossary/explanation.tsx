import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import type English from "@/app/i18n/glossary/en.json";
import type { AppLocale } from "@/app/i18n/locales";
import { Button } from "@/components/ui/button";

/** The terms that the page explains, each in one sentence (`short`) and in detail (`more`). */
type Glossary = Readonly<Record<keyof typeof English, { readonly short: string; readonly more: string }>>;

export type TermId = keyof Glossary;

/** The glossary of a language. It is not part of the messages, which every page loads: it is loaded on first use. */
export const GLOSSARIES: Readonly<Record<AppLocale, () => Promise<Glossary>>> = {
  en: async () => (await import("@/app/i18n/glossary/en.json")).default,
  "zh-CN": async () => (await import("@/app/i18n/glossary/zh-CN.json")).default,
};

/** Explanation of a term: a sentence, and details behind a button. */
export function Explanation({ id }: { readonly id: TermId }) {
  const t = useTranslations("common.term");
  const locale = useLocale();
  const [isMore, setMore] = useState(false);
  const { data, isError } = useQuery({
    queryKey: ["glossary", locale],
    queryFn: GLOSSARIES[locale],
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isError) return <p role="alert">{t("failed")}</p>;
  if (data === undefined) return <span className="block h-8" />;
  const { short, more } = data[id];
  return (
    <>
      <p>{short}</p>
      {isMore ? (
        <p className="mt-2 text-t2">{more}</p>
      ) : (
        <Button className="mt-2" onClick={() => setMore(true)}>
          {t("more")}
        </Button>
      )}
    </>
  );
}
