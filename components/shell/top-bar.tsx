"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { lazy } from "react";
import { useTranslations } from "use-intl";
import { PaletteKey } from "@/components/palette/palette-key";
import { cn } from "@/components/ui/cn";
import { HelpDialog } from "./help-dialog";
import { LanguageMenu } from "./language-menu";
import { Logo } from "./logo";
import { PaletteButton } from "./palette-button";
import { SearchJump } from "./search-jump";
import { ThemeMenu } from "./theme-menu";

const PagePalette = lazy(async () => ({ default: (await import("@/components/palette/page-palette")).PagePalette }));

interface TopBarProps {
  /** Languages of the interface, each under its own name. */
  readonly locales: Readonly<Record<string, string>>;
}

/** The bar at the top of every page. */
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
        className="flex items-center gap-2 rounded-md font-semibold whitespace-nowrap touch:h-10"
      >
        <Logo />
        {t("product")}
      </Link>
      <nav aria-label={t("nav.label")} className="flex gap-1 max-sm:hidden">
        <NavLink href="/" isCurrent={inList} isMarked={inList || path.startsWith("/sessions")}>
          {t("nav.sessions")}
        </NavLink>
        <NavLink href="/compare" isCurrent={path === "/compare"} isMarked={path === "/compare"}>
          {t("nav.compare")}
        </NavLink>
        <NavLink href="/insights" isCurrent={path === "/insights"} isMarked={path === "/insights"}>
          {t("nav.insights")}
        </NavLink>
      </nav>
      <div className="min-w-0 grow" />
      {!inList && <SearchJump />}
      <div className="flex items-center gap-1 max-md:-mr-2 max-md:gap-0">
        <PaletteButton />
        {/* A session's page has one of its own, with what it can do. */}
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
  /** Whether the page, or one below it, is open. */
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
