import { Command } from "lucide-react";
import { useTranslations } from "use-intl";
import { openPalette } from "@/components/palette/palette-key";
import { Button } from "@/components/ui/button";

/** Opens the palette where there is no keyboard, and tells its key where there is one. */
export function PaletteButton() {
  const t = useTranslations("common.palette");
  return (
    <Button
      variant="ghost"
      size="icon"
      aria-label={t("title")}
      title={t("key")}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={openPalette}
    >
      <Command aria-hidden />
    </Button>
  );
}
