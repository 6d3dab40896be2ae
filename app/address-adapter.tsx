import { usePathname, useSearchParams } from "next/navigation";
import {
  renderQueryString,
  unstable_createAdapterProvider,
  type unstable_UpdateUrlFunction,
} from "nuqs/adapters/custom";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, startTransition, useMemo, useSyncExternalStore } from "react";
import { isLeaving } from "./leaving";

/**
 * State in the address, read from the address itself. The router's own adapter of nuqs reads it from the router, which draws a change in a transition; where
 * Back is pressed twice that is drawn in part, thrown away and begun anew, and nuqs takes what was thrown away for what is shown: the page stayed at the
 * first step, under the address of the second (https://github.com/47ng/nuqs/issues/1498).
 */
export function AddressAdapter({ children }: { readonly children: ReactNode }) {
  // The outer one drops what was not yet written to the address when the page is left.
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
  // A page that is only coming is drawn before the address is its own.
  const read = () => (pathname === location.pathname ? new URLSearchParams(location.search).toString() : routed);
  const search = useSyncExternalStore(subscribe, read, () => routed);
  const searchParams = useMemo(() => new URLSearchParams(search), [search]);
  return { searchParams, pathname, updateUrl, ...AS_ROUTER };
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("popstate", onChange);
  return () => window.removeEventListener("popstate", onChange);
}

/** As the router's adapter: browsers limit how often the history changes, and the router changes it with every update; a value waits until it is drawn. */
const AS_ROUTER = { rateLimitFactor: 3, autoResetQueueOnUpdate: false };

/** By this title nuqs knows its own changes of the history. */
const OWN_CHANGE = "__nuqs__";

/**
 * The router hears of every change of the history, and follows. On its way to another page it would stay here for that, so then it is not told: it takes an
 * entry that has its own state for one that it wrote.
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
