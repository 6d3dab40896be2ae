import { type Locator, type Page, expect as playwrights } from "@playwright/test";

type Address = string | RegExp | ((url: URL) => boolean);

interface Patience {
  readonly timeout?: number;
}

/**
 * Playwright's, with fewer looks while waiting: it describes the whole page at each look in vain, for the message of a rare failure. Here an address and an
 * element are awaited before they are looked at.
 */
export const expect = playwrights.extend({
  async toHaveURL(page: Page, address: Address, options: Patience = {}) {
    // As a string, an address is a pattern for one and literal for the other.
    const wanted = typeof address === "string" ? ({ href }: URL) => href === new URL(address).href : address;
    const { timeout = this.timeout } = options;
    const came = this.isNot || (await comes(page.waitForURL(wanted, { timeout, waitUntil: "commit" })));
    const found = this.isNot ? playwrights(page).not : playwrights(page);
    return answer(this.isNot, found.toHaveURL(address, came ? options : AT_ONCE));
  },
  async toBeVisible(locator: Locator, options: Patience = {}) {
    const { timeout = this.timeout } = options;
    const came = this.isNot || (await comes(locator.waitFor({ state: "visible", timeout })));
    const found = this.isNot ? playwrights(locator).not : playwrights(locator);
    return answer(this.isNot, found.toBeVisible(came ? options : AT_ONCE));
  },
});

/** After a timeout it is looked at once, for the message. */
const AT_ONCE = { timeout: 1 };

function comes(waiting: Promise<void>): Promise<boolean> {
  return waiting.then(
    () => true,
    () => false,
  );
}

/**
 * Result of a matcher.
 * @param isNot whether the opposite is expected, which `looked` fails for too
 */
function answer(isNot: boolean, looked: Promise<void>) {
  return looked.then(
    () => ({ pass: !isNot, message: () => "" }),
    ({ message }: Error) => ({ pass: isNot, message: () => message }),
  );
}
