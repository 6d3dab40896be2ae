import { Buffer } from "./buffer";

Object.assign(globalThis, { Buffer, process: { env: {}, argv: [], versions: {}, platform: "linux", on: () => {} } });
