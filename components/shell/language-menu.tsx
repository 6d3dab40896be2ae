import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";

const YEAR_SECONDS = 31_536_000;

/** Switches the language. The choice is kept in a cookie, so that the server answers in that language. */
export function LanguageMenu({ locales }: { readonly locales: Readonly<Record<string, string>> }) {
  const t = useTranslations("common.language");
  const locale = useLocale();
  const router = useRouter();

  const choose = (next: string) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox before 140 and in Safari before 18.4
    document.cookie = `locale=${next}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
    router.refresh();
  };

  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon"
          aria-label={t("label")}
          className="w-auto px-1 text-sm touch:w-auto touch:px-2"
        >
          <span aria-hidden>文/A</span>
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuRadioGroup value={locale} onValueChange={choose}>
          {Object.entries(locales).map(([code, name]) => (
            <DropdownMenuRadioItem key={code} value={code} lang={code}>
              {name}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
