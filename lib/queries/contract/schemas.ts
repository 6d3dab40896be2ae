/** The only definition of all data on the wire, and of the command line's output. */
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
