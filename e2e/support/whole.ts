/** An element counts as wholly in sight although its edges lie between two pixels. */
export const WHOLE = { ratio: 0.99 };
