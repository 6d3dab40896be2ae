import type { ServerHalf } from "../server-half";
import { atifReader } from "./reader";

export const server: ServerHalf = {
  reader: atifReader,
};
