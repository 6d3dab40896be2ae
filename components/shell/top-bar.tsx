"use client";

import { CircleHelp, Command, Moon, Sun } from "lucide-react";
import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { type FormEvent, lazy, useRef, useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { openPalette, PaletteKey } from "@/components/palette/palette-key";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from "@/components/ui/dialog";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { SearchField } from "@/components/ui/input";
import { loadedLater } from "@/components/ui/overlay";

const keys = loadedLater(() => import("./keys"));
const PagePalette = lazy(async () => ({ default: (await import("@/components/palette/page-palette")).PagePalette }));

interface TopBarProps {
  /** Languages of the interface, each under its own name. */
  readonly locales: Readonly<Record<string, string>>;
}

export function TopBar({ locales }: TopBarProps) {
  const t = useTranslations("common");
  const path = usePathname();
  const inList = path === "/";
  return (
    <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-4 md:gap-6 print:hidden">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-t1 focus:px-3 focus:py-2 focus:text-bg"
      >
        {t("skipToContent")}
      </a>
      <Link
        href="/"
        prefetch={false}
        className="flex items-center gap-2 rounded-md font-semibold whitespace-nowrap max-sm:tracking-tight touch:h-10"
      >
        <Logo />
        {t("product")}
      </Link>
      <button type="button" popoverTarget="nav" aria-label={t("nav.label")} className="size-10 text-lg sm:hidden">
        ☰
      </button>
      {/* On phones a popover: the browser closes it on a press elsewhere, the key when another page opens. */}
      <nav
        key={path}
        id="nav"
        popover="auto"
        aria-label={t("nav.label")}
        className="gap-1 text-t1 sm:static sm:flex sm:size-auto sm:overflow-visible sm:bg-transparent max-sm:floating max-sm:top-12 max-sm:left-2 max-sm:w-48 max-sm:flex-col max-sm:p-2 max-sm:open:flex"
      >
        <NavLink href="/" isCurrent={inList} isMarked={inList || path.startsWith("/sessions")}>
          {t("nav.sessions")}
        </NavLink>
        <NavLink href="/compare" isCurrent={path === "/compare"} isMarked={path === "/compare"}>
          {t("nav.compare")}
        </NavLink>
        <NavLink href="/insights" isCurrent={path === "/insights"} isMarked={path === "/insights"}>
          {t("nav.insights")}
        </NavLink>
        <NavLink href="/systems" isCurrent={path === "/systems"} isMarked={path === "/systems"}>
          {t("nav.systems")}
        </NavLink>
      </nav>
      <div className="min-w-0 grow" />
      {!inList && <SearchJump />}
      <div className="flex items-center gap-1 max-md:-mr-2 max-md:gap-0">
        <PaletteButton />
        {/* A session's page has its own palette, with its own actions. */}
        {!path.startsWith("/sessions/") && <PaletteKey palette={PagePalette} />}
        <ThemeMenu />
        <LanguageMenu locales={locales} />
        <HelpDialog />
      </div>
    </header>
  );
}

interface NavLinkProps {
  readonly href: string;
  readonly isCurrent: boolean;
  /** True if the page, or one below it, is open. */
  readonly isMarked: boolean;
  readonly children: string;
}

function NavLink({ href, isCurrent, isMarked, children }: NavLinkProps) {
  return (
    <Link
      prefetch={false}
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      className={cn(
        "flex items-center rounded-md px-2 py-1 font-medium text-t2 hover:text-t1 touch:h-10",
        isMarked && "bg-sunk text-t1",
      )}
    >
      {children}
    </Link>
  );
}

/** Lists every key; opened with `?`. */
function HelpDialog() {
  const t = useTranslations("common.help");
  const [open, setOpen] = useState(false);
  useShortcuts({ "?": () => setOpen(true) });
  const module = keys.useModule(open);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t("label")} aria-keyshortcuts="?">
          <CircleHelp aria-hidden />
        </Button>
      </DialogTrigger>
      <DialogContent>
        <DialogTitle>{t("title")}</DialogTitle>
        <DialogDescription>{t("about")}</DialogDescription>
        {module !== undefined && <module.Keys />}
      </DialogContent>
    </Dialog>
  );
}

const YEAR_SECONDS = 31_536_000;

/** Switches the language. The choice is stored in a cookie, so that the server answers in that language. */
function LanguageMenu({ locales }: { readonly locales: Readonly<Record<string, string>> }) {
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

/** The logo: two climbs with a boundary between them. */
function Logo() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" className="shrink-0">
      <path d="M1 16V13L9 5V16Z" className="fill-t1" />
      <path d="M10 16V12L17 7V16Z" className="fill-t1 opacity-45" />
      <path d="M9.5 1V17" className="fill-none stroke-accent" strokeWidth="1.5" />
    </svg>
  );
}

/** Opens the palette without a keyboard, and shows its key. */
function PaletteButton() {
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

/** A search field for every page. It opens the session list with the results. */
function SearchJump() {
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

/** Selects light, dark, or the system's theme. */
function ThemeMenu() {
  const t = useTranslations("common.theme");
  const { theme, setTheme } = useTheme();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t("label")}>
          <Sun aria-hidden className="dark:hidden" />
          <Moon aria-hidden className="not-dark:hidden" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuRadioGroup {...(theme !== undefined && { value: theme })} onValueChange={setTheme}>
          <DropdownMenuRadioItem value="light">{t("light")}</DropdownMenuRadioItem>
          <DropdownMenuRadioItem value="dark">{t("dark")}</DropdownMenuRadioItem>
          <DropdownMenuRadioItem value="system">{t("system")}</DropdownMenuRadioItem>
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
