import "./globals.css";
import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { TopBar } from "@/components/shell/top-bar";
import { compiledMessages } from "./i18n/compiled";
import { LOCALES } from "./i18n/locales";
import { requestLocale, requestTranslator } from "./i18n/request";
import { Providers } from "./providers";

/**
 * Inter, Latin, in all weights. Served from here, so that text has the same width on every system. Characters that it lacks, mostly Chinese ones, use
 * the system's typefaces. It is preloaded and `optional`: if it does not arrive in time, the page keeps the system's typeface while it is open, so
 * that no text ever moves.
 */
const inter = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  weight: "100 900",
  style: "normal",
  display: "optional",
  preload: true,
  adjustFontFallback: false,
  variable: "--font-inter",
});

/** Page icon: a context that fills up, is compacted and fills again. Dark shapes in a light window, light ones in a dark window. */
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 18 18" width="32" height="32">
  <title>Context Replay</title>
  <style>path{fill:#18181b}.later{opacity:.45}.mark{fill:none;stroke:#c2410c;stroke-width:1.5}@media (prefers-color-scheme:dark){path{fill:#ededef}.mark{fill:none;stroke:#ff8a4c}}</style>
  <path d="M1 16V13L9 5V16Z"/>
  <path class="later" d="M10 16V12L17 7V16Z"/>
  <path class="mark" d="M9.5 1V17"/>
</svg>`;

/**
 * The icon of every page. It is part of the page itself, because browsers request the icon again for each new address, and the address changes
 * with every step of a slider. It is in the layout's `<head>`: metadata is streamed after the page's body, and a browser that has not seen it
 * by then requests `/favicon.ico`, which does not exist.
 */
const PAGE_ICON = `data:image/svg+xml,${encodeURIComponent(DRAWING.replace(/\n\s*/g, ""))}`;

export async function generateMetadata(): Promise<Metadata> {
  const t = await requestTranslator();
  return {
    title: { default: t("common.product"), template: `%s · ${t("common.product")}` },
    description: t("common.description"),
    referrer: "no-referrer",
    robots: { index: false, follow: false },
  };
}

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#0e0f11" },
  ],
};

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  const [locale, sent] = await Promise.all([requestLocale(), headers()]);
  // A script sets the theme's class before React hydrates the page, hence the suppressed warning.
  return (
    <html lang={locale} className={inter.variable} suppressHydrationWarning>
      <head>
        <link rel="icon" type="image/svg+xml" sizes="any" href={PAGE_ICON} />
      </head>
      <body className="flex h-dvh flex-col">
        <Providers locale={locale} messages={compiledMessages(locale)} nonce={sent.get("x-nonce") ?? undefined}>
          <TopBar locales={LOCALES} />
          {children}
        </Providers>
      </body>
    </html>
  );
}
