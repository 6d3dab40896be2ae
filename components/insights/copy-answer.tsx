import { useTranslations } from "use-intl";
import { useCopy } from "@/components/hooks/use-copy";
import { Button } from "@/components/ui/button";

/** Copies an answer with everything that was asked, its sessions included, as JSON: it can be asked again and compared. */
export function CopyAnswer({ answer }: { readonly answer: object }) {
  const t = useTranslations("insights");
  const [said = "copy", copy] = useCopy();
  return (
    <Button variant="ghost" onClick={() => copy(JSON.stringify(answer, undefined, 2))}>
      <span aria-live="polite">{t(`json.${said}`)}</span>
    </Button>
  );
}
