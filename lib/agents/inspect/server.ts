import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { inspectReader } from "./read/reader";

export const server: ServerProfile = {
  reader: inspectReader,
};
