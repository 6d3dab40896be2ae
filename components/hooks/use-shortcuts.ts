import { useHotkeys } from "react-hotkeys-hook";

/** Action of a key. Returning `false` leaves the key to the browser. */
type Shortcut = (event: KeyboardEvent) => unknown;

/** Single-key shortcuts, named by the character that the key produces (`"/"`, `"?"`, `"["`, `"j"`, `"Escape"`), for any keyboard layout. */
export function useShortcuts(shortcuts: Readonly<Record<string, Shortcut>>, enabled = true): void {
  useHotkeys(
    "*",
    (event) => {
      const act = Object.hasOwn(shortcuts, event.key) ? shortcuts[event.key] : undefined;
      if (act !== undefined && act(event) !== false) event.preventDefault();
    },
    // A slider, a segmented control or a box that was just used keeps the focus.
    { enabled, ignoreEventWhen: isNotForPage, enableOnFormTags: ["slider", "radio", "input"] },
    [shortcuts],
  );
}

/** Inputs that take no text, and the keys that they need. */
const WITHOUT_TEXT: readonly string[] = ["checkbox", "radio", "range"];
const OWN_KEYS = /^(?:Arrow\w+|Page\w+|Home|End| )$/;

function isNotForPage(event: KeyboardEvent): boolean {
  if (event.target instanceof HTMLInputElement)
    if (!WITHOUT_TEXT.includes(event.target.type) || OWN_KEYS.test(event.key)) return true;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  return document.querySelector('[role="dialog"][data-state="open"], [role="menu"][data-state="open"]') !== null;
}
