"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { usePathname, useSearchParams } from "next/navigation";
import { ThemeProvider } from "next-themes";
import {
  renderQueryString,
  unstable_createAdapterProvider,
  type unstable_UpdateUrlFunction,
} from "nuqs/adapters/custom";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, startTransition, useMemo, useState, useSyncExternalStore } from "react";
import { IntlProvider } from "use-intl";
import { NonceProvider } from "@/components/hooks/nonce";
import { ownTimeZone } from "@/lib/core/base/time-zone";
import { ApiError } from "@/lib/queries/client/api-error";
import type { AppLocale } from "./i18n/locales";
import type { AppMessages } from "./i18n/messages";
import { isLeaving } from "./leaving";

/** The user's own time zone. The server renders no times, so its own zone does not matter. */
const timeZone = ownTimeZone();

interface ProvidersProps {
  readonly locale: AppLocale;
  readonly messages: AppMessages;
  readonly nonce: string | undefined;
  readonly children: ReactNode;
}

/** Provides the context of every page: theme, language, URL state and data. */
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
        // A repeated request would be rejected again, so only requests without an answer are repeated.
        retry: (failures, error) => failures < 2 && error instanceof ApiError && error.kind === "network",
      },
    },
  });
}

/**
 * State in the address, read from the address itself. The adapter of nuqs for Next reads it from the router, which renders a change in a transition. When
 * Back is pressed twice, React discards the first render, but nuqs has already taken its state: the page stays at the first step under the address of
 * the second (https://github.com/47ng/nuqs/issues/1498).
 */
function AddressAdapter({ children }: { readonly children: ReactNode }) {
  // The outer adapter discards updates that were not yet written to the address when the page is left.
  return (
    <NuqsAdapter>
      <FromAddress>{children}</FromAddress>
    </NuqsAdapter>
  );
}

const FromAddress = unstable_createAdapterProvider(useAddressAdapter);

function useAddressAdapter() {
  const pathname = usePathname();
  const routed = useSearchParams().toString();
  // A pending page is rendered before its address is set.
  const read = () => (pathname === location.pathname ? new URLSearchParams(location.search).toString() : routed);
  const search = useSyncExternalStore(subscribe, read, () => routed);
  const searchParams = useMemo(() => new URLSearchParams(search), [search]);
  return { searchParams, pathname, updateUrl, ...AS_ROUTER };
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("popstate", onChange);
  return () => window.removeEventListener("popstate", onChange);
}

/** As the router's adapter: browsers limit the rate of history changes, so a value waits until it is rendered. */
const AS_ROUTER = { rateLimitFactor: 3, autoResetQueueOnUpdate: false };

/** nuqs recognises its own changes of the history by this title. */
const OWN_CHANGE = "__nuqs__";

/**
 * The router follows every change of the history. During a navigation to another page, such a change would keep it on this page. So the entry then
 * keeps the router's state, and the router takes it for one that it wrote itself.
 */
const updateUrl: unstable_UpdateUrlFunction = (search, { history: mode, scroll }) => {
  const url = location.origin + location.pathname + renderQueryString(search) + location.hash;
  const state: unknown = isLeaving() ? history.state : null;
  startTransition(() => {
    if (mode === "push") history.pushState(state, OWN_CHANGE, url);
    else history.replaceState(state, OWN_CHANGE, url);
  });
  if (scroll) window.scrollTo(0, 0);
};
