import { settingsWithoutEffect } from "../policy/common-settings";
import type { Policy } from "../policy/policy";

/** Never compacts: shows how the context would have grown. */
export const nonePolicy: Policy = {
  id: "none",
  label: "None",
  presets: ["default"],
  settings: (_preset, context) => settingsWithoutEffect(context),
  summarises: false,
  begin: () => ({ before: () => undefined }),
};
