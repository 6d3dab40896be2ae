import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { copilotReader } from "./read/reader";

/** Server profile of GitHub Copilot CLI. */
export const server: ServerProfile = {
  reader: copilotReader,
};
