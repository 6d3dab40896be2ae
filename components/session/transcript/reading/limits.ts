/** The largest text that is taken apart to be read; a larger one is shown as it is written. */
export const MOST_READ_CHARS = 200_000;
