import { useTranslations } from "use-intl";
import { useCopy } from "@/components/hooks/use-copy";
import { Button } from "@/components/ui/button";
import { getWholeItem } from "@/lib/api/client";
import { useSession } from "../state/session-data";

interface CopyTextProps {
  readonly item: number;
  /** All of it, where it has been loaded. */
  readonly text: string | undefined;
}

/** Copies all of an item's text as it stands in the file, also where only its beginning is shown. */
export function CopyText({ item, text }: CopyTextProps) {
  const t = useTranslations("session.copy");
  const { id, version } = useSession();
  const [said, copy] = useCopy();
  const whole = async () => text ?? (await getWholeItem(id, { item, at: version }).catch(() => null))?.text;
  return (
    <Button variant="ghost" onClick={async () => copy(await whole())}>
      <span aria-live="polite">{t(said ?? "text")}</span>
    </Button>
  );
}
