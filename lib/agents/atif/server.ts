import type { ServerHalf } from "@/lib/agents/shared/server-half";
import { atifReader } from "./reader";

export const server: ServerHalf = {
  reader: atifReader,
};
