/**
 * The tabs of the session page, in tab order. The keys, the address, the names (messages of `session.tab`), the help's list of
 * keys and the contents (`session-view.tsx`, checked by the compiler) all follow this list: to add a tab, add it here.
 */
export const SESSION_TABS = [
  "timeline",
  "composition",
  "contributors",
  "boundaries",
  "compare",
  "sweep",
  "accuracy",
  "cost",
] as const;

export type TabId = (typeof SESSION_TABS)[number];

/** The tab that an address states; the first one if it states none that exists. */
export function tabOf(stated: string | null): TabId {
  return SESSION_TABS.find((tab) => tab === stated) ?? SESSION_TABS[0];
}

const WITH_PANEL: ReadonlySet<TabId> = new Set(["timeline", "compare", "sweep", "cost"]);

/** True if a tab is shown next to the replay panel. */
export function hasPanel(tab: TabId): boolean {
  return WITH_PANEL.has(tab);
}

/** The key of a tab: its position, counted from 1. */
export function tabKey(tab: TabId): string {
  return String(SESSION_TABS.indexOf(tab) + 1);
}
