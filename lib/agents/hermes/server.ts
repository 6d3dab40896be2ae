import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { hermesReader } from "./read/reader";

export const server: ServerProfile = {
  reader: hermesReader,
  database: async () => (await import("./read/database")).hermesDatabase,
};
