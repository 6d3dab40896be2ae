import { createContext, type ReactNode, useContext } from "react";

const NonceContext = createContext<string | undefined>(undefined);

interface NonceProviderProps {
  readonly nonce: string | undefined;
  readonly children: ReactNode;
}

/** Passes the page's nonce to everything that writes style elements: the Content-Security-Policy accepts only those with the nonce. */
export function NonceProvider({ nonce, children }: NonceProviderProps) {
  // The scroll lock behind dialogs and menus looks for it here (get-nonce, used by Radix).
  if (nonce !== undefined && typeof window !== "undefined") Object.assign(window, { __webpack_nonce__: nonce });
  return <NonceContext value={nonce}>{children}</NonceContext>;
}

/** The nonce of the page's Content-Security-Policy; `undefined` if it has none. */
export function useNonce(): string | undefined {
  return useContext(NonceContext);
}
