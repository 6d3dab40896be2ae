import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { withoutOrphans, withStandIns } from "@/lib/agents/shared/stand-ins";
import { UNAVAILABLE_RESULT } from "./base/constants";
import { hermesReader } from "./read/reader";

export const server: ServerProfile = {
  reader: hermesReader,
  sentTexts: async () => () => ({
    paired: (messages, _preset, format) =>
      withStandIns(format === "hermes" ? withoutOrphans(messages) : messages, UNAVAILABLE_RESULT),
  }),
  database: async () => (await import("./read/database")).hermesDatabase,
};
