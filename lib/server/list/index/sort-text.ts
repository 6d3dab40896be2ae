import { projectName } from "@/lib/queries/wire/project-name";
import { fold } from "./session-list";

/** No title needs more to find its place. */
const MOST_CHARS = 300;
/** Marks the length of a number: from the digits' codes on, and below all letters. */
const FIRST_LENGTH = 47;
const MOST_DIGITS = 17;

/**
 * A text whose characters' codes give the order that a person expects of names: regardless of case, width and accents, with numbers by their value
 * ("step 9" before "step 10").
 */
export function sortText(text: string): string {
  return fold(text.slice(0, MOST_CHARS))
    .normalize("NFD")
    .replace(/\0|[\u0300-\u036f]/gu, "")
    .replace(/\s+/gu, " ")
    .replace(/[0-9]+/g, withLength);
}

/** A number behind its length, so that longer numbers come later. */
function withLength(digits: string): string {
  const number = digits.replace(/^0+(?=[0-9])/, "");
  return String.fromCharCode(FIRST_LENGTH + Math.min(number.length, MOST_DIGITS)) + number;
}

/** A project's place: by its folder's name, and among folders of one name by the whole path. */
export function projectSortText(project: string): string {
  return sortText(`${projectName(project)} ${project}`);
}
