import { useState } from "react";
import { useTranslations } from "use-intl";
import { copyText } from "@/components/hooks/copy-text";
import { Button } from "@/components/ui/button";

/** Copies an answer with everything that was asked, its sessions included, as JSON: it can be asked again and compared. */
export function CopyAnswer({ answer }: { readonly answer: object }) {
  const t = useTranslations("insights");
  const [state, setState] = useState<"copy" | "copied" | "notCopied">("copy");
  return (
    <Button
      variant="ghost"
      onClick={async () => setState((await copyText(JSON.stringify(answer, undefined, 2))) ? "copied" : "notCopied")}
    >
      <span aria-live="polite">{t(`json.${state}`)}</span>
    </Button>
  );
}
