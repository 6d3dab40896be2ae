import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/react";
import { createRoot } from "react-dom/client";
import { IntlProvider } from "use-intl";
import { pickLocale } from "@/app/i18n/locales";
import { MESSAGES } from "@/app/i18n/messages";
import { answerWithin } from "@/lib/api/transport";
import { ownTimeZone } from "@/lib/core/base/time-zone";
import { Start } from "./start";
import { answerLocally } from "./transport";

answerWithin(answerLocally);
const locale = pickLocale(undefined, navigator.languages.join(","));
document.documentElement.lang = locale;
const client = new QueryClient({
  defaultOptions: { queries: { staleTime: 30_000, refetchOnWindowFocus: false, retry: false } },
});
const timeZone = ownTimeZone();
const root = document.getElementById("root");
if (root !== null)
  createRoot(root).render(
    <ThemeProvider attribute="class" disableTransitionOnChange>
      <IntlProvider locale={locale} messages={MESSAGES[locale]} timeZone={timeZone}>
        <QueryClientProvider client={client}>
          <NuqsAdapter>
            <Start />
          </NuqsAdapter>
        </QueryClientProvider>
      </IntlProvider>
    </ThemeProvider>,
  );
