import { textOf } from "@/lib/agents/shared/json";
import { OUTPUT_CHARS } from "./base/constants";
import { maskedPath, savedPath } from "./estimator";
import { responseOf } from "./messages/content";
import { maskedPart } from "./sent/masking";
import { truncatedOutput } from "./sent/truncate-output";

/** Outputs as they enter, outputs as a compression leaves them, and the preview of a masked output. The file names are invented. */
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
