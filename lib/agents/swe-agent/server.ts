import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { sweAgentReader } from "./read/reader";

export const server: ServerProfile = {
  reader: sweAgentReader,
};
