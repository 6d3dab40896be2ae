import { LENSES, lensKey } from "@/components/session/state/lenses";

/** The keys of the interface, in the order of the help dialog. Titles and duties are keys of `common.help`. */
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
      { does: "lens", press: LENSES.map(lensKey) },
      { does: "item", press: ["j", "k"] },
      { does: "read", press: ["r"] },
      { does: "find", press: ["/", "n", "p"] },
      { does: "boundary", press: ["[", "]"] },
      { does: "zoom", press: ["+", "−", "0"] },
      { does: "base", press: ["b"] },
    ],
  },
] as const;
