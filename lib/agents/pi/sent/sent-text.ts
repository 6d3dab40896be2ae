import { keptOutput } from "./output-limit";

/** Outputs as pi's tools return them; the line that tells what is missing is not added. */
export function sentTexts() {
  return { entered: keptOutput };
}
