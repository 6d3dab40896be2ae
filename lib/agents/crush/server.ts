import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { crushReader } from "./read/reader";

export const server: ServerProfile = {
  reader: crushReader,
  database: async () => (await import("./read/database")).crushDatabase,
};
