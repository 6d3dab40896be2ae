import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { GLOSSARIES, type TermId } from "./glossary";

/** What a term means: a sentence, and more where somebody asks for it. */
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
