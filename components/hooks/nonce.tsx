"use client";

import { createContext, type ReactNode, useContext } from "react";

const NonceContext = createContext<string | undefined>(undefined);

interface NonceProviderProps {
  readonly nonce: string | undefined;
  readonly children: ReactNode;
}

/** Hands the page's nonce to what writes style elements: the policy takes no others. */
export function NonceProvider({ nonce, children }: NonceProviderProps) {
  // Where the scroll lock behind dialogs and menus looks for it (get-nonce, below Radix).
  if (nonce !== undefined && typeof window !== "undefined") Object.assign(window, { __webpack_nonce__: nonce });
  return <NonceContext value={nonce}>{children}</NonceContext>;
}

/** The nonce of the page's Content-Security-Policy; `undefined` where it has none. */
export function useNonce(): string | undefined {
  return useContext(NonceContext);
}
