/**
 * Name of the measure that tells which texts are equal: it numbers texts from 1 in the order in which they are first seen, and gives equal texts the
 * same number. An item without text has 0.
 */
export const CONTENT_MEASURE = "content";
