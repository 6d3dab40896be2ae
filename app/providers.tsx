"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { ThemeProvider } from "next-themes";
import { type ReactNode, useState } from "react";
import { IntlProvider } from "use-intl";
import { NonceProvider } from "@/components/hooks/nonce";
import { ApiError } from "@/lib/api/requests";
import { ownTimeZone } from "@/lib/core/base/time-zone";
import { AddressAdapter } from "./address-adapter";
import type { AppLocale } from "./i18n/locales";
import type { AppMessages } from "./i18n/messages";

/** The reader's own time zone. On the server it is the server's, but the server renders no times. */
const timeZone = ownTimeZone();

interface ProvidersProps {
  readonly locale: AppLocale;
  readonly messages: AppMessages;
  readonly nonce: string | undefined;
  readonly children: ReactNode;
}

/** Provides what every page needs: theme, language, URL state and data. */
export function Providers({ locale, messages, nonce: sentNonce, children }: ProvidersProps) {
  const [client] = useState(newQueryClient);
  // A refresh brings the nonce of a later answer, but the open page keeps the content policy of the first answer.
  const [nonce] = useState(sentNonce);
  return (
    <ThemeProvider attribute="class" disableTransitionOnChange {...(nonce === undefined ? {} : { nonce })}>
      <IntlProvider locale={locale} messages={messages} timeZone={timeZone}>
        <QueryClientProvider client={client}>
          <AddressAdapter>
            <NonceProvider nonce={nonce}>{children}</NonceProvider>
          </AddressAdapter>
        </QueryClientProvider>
      </IntlProvider>
    </ThemeProvider>
  );
}

function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        // Asking again after a refusal would not help, so only a server that did not answer is asked again.
        retry: (failures, error) => failures < 2 && error instanceof ApiError && error.kind === "network",
      },
    },
  });
}
