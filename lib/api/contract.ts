/** The only definition of everything that crosses the wire, and of what the command line prints. */
export { type CalibrationWire, calibration, contextWindow, windowSource } from "./contract/basics";
export * from "./contract/boundary";
export * from "./contract/breakdown";
export * from "./contract/contributors";
export * from "./contract/cost";
export * from "./contract/exports";
export * from "./contract/facets";
export * from "./contract/fidelity";
export * from "./contract/http";
export * from "./contract/insights";
export * from "./contract/ledger";
export * from "./contract/policies";
export * from "./contract/replay";
export * from "./contract/sessions";
export * from "./contract/summary";
