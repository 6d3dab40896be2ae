import type { ServerHalf } from "../server-half";
import { apiLogReader } from "./reader";

export const server: ServerHalf = {
  reader: apiLogReader,
};
