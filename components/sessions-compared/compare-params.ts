import { parseAsArrayOf, parseAsString, parseAsStringLiteral } from "nuqs";
import { ACROSS, UPWARDS } from "./compared-sessions";

/** What the address of the page holds. */
export const COMPARE_PARSERS = {
  sessions: parseAsArrayOf(parseAsString).withDefault([]),
  across: parseAsStringLiteral(ACROSS).withDefault("request"),
  up: parseAsStringLiteral(UPWARDS).withDefault("tokens"),
};
