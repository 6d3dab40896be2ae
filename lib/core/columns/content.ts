/**
 * Name of the measure that identifies equal texts: it numbers texts from 1 in order of first appearance, and equal texts have the same number. An
 * item without text has 0.
 */
export const CONTENT_MEASURE = "content";
