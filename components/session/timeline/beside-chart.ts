/** What a session's page says of costs before anybody asks: loaded together, since all of it needs the prices. The chart does not wait for it. */
export { BestTimes } from "./best-times";
export { HeaderCost } from "./header-cost";
export { BreakAt, TimelineCosts } from "./timeline-marks";
