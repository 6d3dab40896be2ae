import { usePathname, useRouter } from "next/navigation";
import { type FormEvent, useRef } from "react";
import { useTranslations } from "use-intl";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { SearchField } from "@/components/ui/search-field";

/** A search field for every page. It opens the session list with the results. */
export function SearchJump() {
  const t = useTranslations("common.search");
  const router = useRouter();
  const field = useRef<HTMLInputElement>(null);
  // On the page of a session the key belongs to the search in that session.
  const isElsewhere = !usePathname().startsWith("/sessions/");
  useShortcuts({ "/": () => field.current?.focus() }, isElsewhere);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const query = field.current?.value.trim() ?? "";
    router.push(query === "" ? "/" : `/?${new URLSearchParams({ q: query })}`);
  };

  return (
    <form onSubmit={submit} className="w-70 max-md:hidden">
      <search>
        <SearchField
          ref={field}
          label={t("label")}
          placeholder={t("placeholder")}
          {...(isElsewhere && { shortcut: "/" })}
          className="h-8"
        />
      </search>
    </form>
  );
}
