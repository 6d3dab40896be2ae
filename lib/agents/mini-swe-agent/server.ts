import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { miniReader } from "./read/reader";

export const server: ServerProfile = {
  reader: miniReader,
};
