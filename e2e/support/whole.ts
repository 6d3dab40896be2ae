/** An element counts as fully in view although its edges lie between two pixels. */
export const WHOLE = { ratio: 0.99 };
