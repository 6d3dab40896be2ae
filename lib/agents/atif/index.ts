import type { AgentProfile, Constant } from "../profile";
import { atifPlaces } from "./places";

/** Trajectories that many agents write, or that were converted from their sessions. The browser-safe half. */
export const atif = {
  id: "atif",
  label: "ATIF",
  mark: "AT",
  estimator: "bytes-4",
  defaultWindow: {
    value: 200_000,
    unit: "tokens",
    source: { kind: "ours", text: "the format records no window: 200,000 is that of most models" },
  },
  places: atifPlaces,
  constants: {} satisfies Record<string, Constant>,
} as const satisfies AgentProfile;
