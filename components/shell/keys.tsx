import { useTranslations } from "use-intl";
import { SESSION_TABS, tabKey } from "@/components/session/shared/state/tabs";
import { Kbd } from "@/components/ui/chip";

/** The keys of the interface, in the order of the help dialog. Titles and actions are keys of `common.help`. */
export const KEYBOARD_MAP = [
  {
    title: "anywhere",
    keys: [
      { does: "palette", press: ["Ctrl K", "⌘ K"] },
      { does: "search", press: ["/"] },
      { does: "help", press: ["?"] },
      { does: "close", press: ["Esc"] },
    ],
  },
  {
    title: "inSessions",
    keys: [
      { does: "move", press: ["j", "k"] },
      { does: "open", press: ["↵"] },
      { does: "select", press: ["x"] },
      { does: "compare", press: ["c"] },
      { does: "insights", press: ["i"] },
    ],
  },
  {
    title: "inInsights",
    keys: [{ does: "ask", press: ["r"] }],
  },
  {
    title: "inSession",
    keys: [
      { does: "tab", press: SESSION_TABS.map(tabKey) },
      { does: "item", press: ["j", "k"] },
      { does: "openItem", press: ["o"] },
      { does: "read", press: ["r"] },
      { does: "find", press: ["/", "n", "p"] },
      { does: "boundary", press: ["[", "]"] },
      { does: "zoom", press: ["+", "−", "0"] },
      { does: "base", press: ["b"] },
    ],
  },
] as const;

/** Every key and its function; the contents of the help dialog. */
export function Keys() {
  const t = useTranslations("common.help");
  return (
    <div className="mt-4 grid gap-x-8 gap-y-4 sm:grid-cols-2 sm:[&>:last-child]:col-start-2 sm:[&>:last-child]:row-span-2 sm:[&>:last-child]:row-start-1">
      {KEYBOARD_MAP.map(({ title, keys }) => (
        <section key={title} aria-label={t(title)}>
          <h3 className="mb-1 text-xs font-medium text-t3">{t(title)}</h3>
          <dl>
            {keys.map(({ does, press }) => (
              <div key={does} className="flex min-h-7 items-center justify-between gap-4 border-b border-line py-1">
                <dt className="text-t2">{t(does)}</dt>
                <dd className="flex shrink-0 gap-1">
                  {press.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
