import { useState } from "react";
import { useTranslations } from "use-intl";
import { copyText } from "@/components/hooks/copy-text";
import { Button } from "@/components/ui/button";
import { getWholeItem } from "@/lib/api/client";
import { useSession } from "../../state/session-data";

interface CopyTextProps {
  readonly item: number;
  /** All of it, where it has been loaded. */
  readonly text: string | undefined;
}

/** Copies all of an item's text as it stands in the file, also where only its beginning is shown. */
export function CopyText({ item, text }: CopyTextProps) {
  const t = useTranslations("session.copy");
  const { id } = useSession();
  const [said, setSaid] = useState<"text" | "copied" | "refused">("text");
  const copy = async (): Promise<void> => {
    const whole = text ?? (await getWholeItem(id, item).catch(() => null))?.text;
    setSaid(whole !== undefined && (await copyText(whole)) ? "copied" : "refused");
    setTimeout(() => setSaid("text"), 2000);
  };
  return (
    <Button variant="ghost" onClick={copy}>
      <span aria-live="polite">{t(said)}</span>
    </Button>
  );
}
