import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { openHandsReader } from "./read/reader";

export const server: ServerProfile = {
  reader: openHandsReader,
  sentTexts: async () => (await import("./sent-text")).sentTexts,
};
