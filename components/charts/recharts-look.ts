/** How the charts drawn by Recharts look: what its parts take in common. */

/** An axis: the size and colour of its texts, the colour of its line. */
export const AXIS = { tick: { fill: "var(--t2)", fontSize: 11 }, stroke: "var(--line2)" };

/** What a pointer brings up. */
export const TOOLTIP = {
  isAnimationActive: false,
  contentStyle: {
    background: "var(--float)",
    border: "1px solid var(--line2)",
    borderRadius: 6,
    color: "var(--t1)",
    fontSize: 12,
    padding: "4px 8px",
  },
};
