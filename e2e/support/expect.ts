import { type Page, expect as playwrights } from "@playwright/test";

type Address = string | RegExp | ((url: URL) => boolean);

/**
 * Playwright's, but for an address that is still to come: it looks at it several times, and at each look that finds another address it describes the whole page, for the message of
 * a failure that hardly ever comes. Here the address is waited for before it is looked at.
 */
export const expect = playwrights.extend({
  async toHaveURL(page: Page, address: Address, options: { readonly timeout?: number } = {}) {
    const wait = { timeout: options.timeout ?? 20_000, waitUntil: "commit" } as const;
    // As a text, an address is a pattern to the one and whole to the other.
    const wanted = typeof address === "string" ? ({ href }: URL) => href === new URL(address).href : address;
    const came = this.isNot || (await comes(page.waitForURL(wanted, wait)));
    const looked = came ? options : { timeout: 1 };
    const found = this.isNot ? playwrights(page).not : playwrights(page);
    return found.toHaveURL(address, looked).then(
      () => ({ pass: !this.isNot, message: () => "" }),
      (error: Error) => ({ pass: this.isNot, message: () => error.message }),
    );
  },
});

const comes = (waiting: Promise<void>): Promise<boolean> =>
  waiting.then(
    () => true,
    () => false,
  );
