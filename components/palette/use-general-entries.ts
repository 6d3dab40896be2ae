import { useTheme } from "next-themes";
import { useTranslations } from "use-intl";
import { isServed } from "@/lib/api/transport";
import type { PaletteEntry } from "./entries";

const PAGES = { sessions: "/", compare: "/compare", insights: "/insights" } as const;
const THEMES = ["light", "dark", "system"] as const;

/** What every page offers: the other pages, and how it looks. */
export function useGeneralEntries(): readonly PaletteEntry[] {
  const t = useTranslations("common");
  const { theme, setTheme } = useTheme();
  const pages = Object.entries(PAGES).map(([id, href]): PaletteEntry => {
    return { id: `page ${id}`, group: "page", title: t(`nav.${id as keyof typeof PAGES}`), action: { href } }; // a key of PAGES
  });
  const themes = THEMES.map((id): PaletteEntry => {
    return {
      id: `theme ${id}`,
      group: "theme",
      title: t(`palette.theme.${id}`),
      isCurrent: theme === id,
      action: () => setTheme(id),
    };
  });
  return [...(isServed() ? pages : []), ...themes];
}
