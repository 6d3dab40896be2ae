import { OUTLINES } from "../outlines";
import { type AgentProfile, type Constant, constant } from "../profile";
import { atifPlaces } from "./places";

/** Trajectories that many agents write, or that were converted from their sessions. The browser-safe half. */
export const atif = {
  ...OUTLINES.atif,
  defaultWindow: constant(200_000, "tokens", {
    kind: "ours",
    text: "the format records no window: 200,000 is that of most models",
  }),
  places: atifPlaces,
  constants: {} satisfies Record<string, Constant>,
} as const satisfies AgentProfile;
