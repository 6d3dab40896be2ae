import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { kimiReader } from "./read/reader";

export const server: ServerProfile = {
  reader: kimiReader,
};
