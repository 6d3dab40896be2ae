import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { atifReader } from "./reader";

export const server: ServerProfile = {
  reader: atifReader,
};
