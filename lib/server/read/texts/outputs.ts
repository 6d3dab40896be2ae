import { FRESH_MEASURE, OutputUseBuilder, USED_MEASURE } from "@/lib/core/analysis/output-use";
import type { Transcript } from "@/lib/core/transcript/model";
import { type Pass, rowCount } from "./each-message";

/** The measures of outputs and their later use, as a part of a pass over the file; none if there are too many terms. */
export function outputsPass(transcript: Transcript): Pass<Record<string, Int32Array>> {
  const builder = new OutputUseBuilder(rowCount(transcript));
  return {
    message: (message, contents, firstRow) => {
      const texts = contents.map(({ text }) => text);
      builder.message(message, texts, firstRow);
    },
    result: () => {
      const found = builder.finish();
      return found === undefined ? {} : { [FRESH_MEASURE]: found.fresh, [USED_MEASURE]: found.used };
    },
  };
}
