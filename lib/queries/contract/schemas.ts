/** The only definition of everything that crosses the wire, and of what the command line prints. */
export { type CalibrationWire, calibration, contextWindow, windowSource } from "./basics";
export * from "./boundary";
export * from "./breakdown";
export * from "./contributors";
export * from "./cost";
export * from "./exports";
export * from "./facets";
export * from "./fidelity";
export * from "./http";
export * from "./insights";
export * from "./ledger";
export * from "./replay";
export * from "./sessions";
export * from "./summary";
export * from "./waste";
