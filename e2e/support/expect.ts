import { type Locator, type Page, expect as playwrights } from "@playwright/test";

type Address = string | RegExp | ((url: URL) => boolean);

interface Patience {
  readonly timeout?: number;
}

/**
 * `expect` with fewer checks while waiting. Playwright's own describes the whole page after each failed check, for the message of a rare failure; here an
 * address and an element are awaited before they are checked.
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

/**
 * Waits until a value stays the same for a second, because the page draws the last answer some time after it arrives. Playwright's "networkidle" comes
 * once per document and says nothing of what loads later.
 */
export async function settled(read: () => Promise<unknown>): Promise<void> {
  const seen = [await read()];
  const stays = async () => {
    seen.push(await read());
    return seen.length > 2 && seen.at(-1) === seen.at(-2);
  };
  await playwrights.poll(stays, { intervals: [1000] }).toBe(true);
}

/** Options of a single check after a timeout, for its message. */
const AT_ONCE = { timeout: 1 };

function comes(waiting: Promise<void>): Promise<boolean> {
  return waiting.then(
    () => true,
    () => false,
  );
}

/**
 * Result of a matcher.
 * @param isNot true if the opposite is expected; then `checked` rejects if the opposite does not hold
 */
function answer(isNot: boolean, checked: Promise<void>) {
  return checked.then(
    () => ({ pass: !isNot, message: () => "" }),
    ({ message }: Error) => ({ pass: isNot, message: () => message }),
  );
}
