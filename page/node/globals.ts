import { Buffer } from "./buffer";

/** Globals of Node. */
Object.assign(globalThis, { Buffer, process: { env: {}, argv: [], versions: {}, platform: "linux", on: () => {} } });
