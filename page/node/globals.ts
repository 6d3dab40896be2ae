import { Buffer } from "./buffer";

/** What Node has without being asked. */
Object.assign(globalThis, { Buffer, process: { env: {}, argv: [], versions: {}, platform: "linux", on: () => {} } });
