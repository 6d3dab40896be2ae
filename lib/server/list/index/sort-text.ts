import { projectName } from "@/lib/queries/wire/project-name";
import { fold } from "./session-list";

/** Maximum characters of a title's sort key. */
const MAX_CHARS = 300;
/** Marks the length of a number: from the digits' codes on, and below all letters. */
const FIRST_LENGTH = 47;
const MAX_DIGITS = 17;

/** A text whose character codes give a natural order of names: without case, width and accents, with numbers by value ("step 9" before "step 10"). */
export function sortText(text: string): string {
  return fold(text.slice(0, MAX_CHARS))
    .normalize("NFD")
    .replace(/\0|[\u0300-\u036f]/gu, "")
    .replace(/\s+/gu, " ")
    .replace(/[0-9]+/g, withLength);
}

/** A number after its length, so that longer numbers come later. */
function withLength(digits: string): string {
  const number = digits.replace(/^0+(?=[0-9])/, "");
  return String.fromCharCode(FIRST_LENGTH + Math.min(number.length, MAX_DIGITS)) + number;
}

/** A project's sort key: its folder's name, then the whole path. */
export function projectSortText(project: string): string {
  return sortText(`${projectName(project)} ${project}`);
}
