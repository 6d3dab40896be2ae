import type { ServerHalf } from "../server-half";
import { skeletonReader } from "./reader";

/** What only the server loads; `ServerHalf` lists what else an agent may have here. */
export const server: ServerHalf = {
  reader: skeletonReader,
};
