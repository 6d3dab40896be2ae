import type { ServerHalf } from "../server-half";
import { chatReader } from "./reader";

export const server: ServerHalf = {
  reader: chatReader,
};
