import type { Policy } from "./policy";
import { unchanged } from "./retention";

/** No compaction: how the context would have grown. */
export const nonePolicy: Policy = {
  id: "none",
  label: "None",
  presets: ["default"],
  settings: () => [],
  shouldCompact: () => null,
  compact: (view) => unchanged(view, "skipped"),
};
