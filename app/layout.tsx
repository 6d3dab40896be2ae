import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { TopBar } from "@/components/shell/top-bar";
import { inter } from "./fonts";
import "./globals.css";
import { compiledMessages } from "./i18n/compiled";
import { LOCALES } from "./i18n/locales";
import { requestLocale, requestTranslator } from "./i18n/request";
import { PAGE_ICON } from "./page-icon";
import { Providers } from "./providers";

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
      <body className="flex min-h-dvh flex-col">
        <Providers locale={locale} messages={compiledMessages(locale)} nonce={sent.get("x-nonce") ?? undefined}>
          <TopBar locales={LOCALES} />
          {children}
        </Providers>
      </body>
    </html>
  );
}
