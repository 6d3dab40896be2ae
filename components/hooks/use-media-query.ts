import { useCallback, useSyncExternalStore } from "react";

/** True if a media query holds; `false` on the server and until the page is hydrated. For layout prefer CSS. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}

/** True if the window is wide enough for the replay panel next to the tab. On narrower pages the panel is a sheet. */
export function useWide(): boolean {
  return useMediaQuery("(min-width: 64rem)");
}
