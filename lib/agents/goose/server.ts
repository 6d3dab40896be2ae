import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { gooseReader } from "./read/reader";

export const server: ServerProfile = {
  reader: gooseReader,
  database: async () => (await import("./read/database")).gooseDatabase,
};
