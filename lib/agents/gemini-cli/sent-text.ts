import { OUTPUT_CHARS } from "./constants";
import { responseOf, textOf } from "./content";
import { maskedPath, savedPath } from "./estimator";
import { maskedPart } from "./masking";
import { truncatedOutput } from "./truncate-output";

/** Outputs as they enter and as a compression leaves them, and the preview that stands for a masked one. The files are made up. */
export function sentTexts() {
  const cut = (text: string, tool: string | undefined) => truncatedOutput(text, savedPath(tool ?? ""), OUTPUT_CHARS);
  return {
    entered: cut,
    truncated: cut,
    cleared: (text: string, tool: string | undefined) => {
      const part = { functionResponse: { id: "", name: tool ?? "", response: { output: text } } };
      const response = responseOf(maskedPart(part, maskedPath))?.response;
      return textOf(Object(response).output);
    },
  };
}
