/** Measures that the policy and the breakdown read where they are there; `qwenCodeMeasures` of the server half computes them. */
export const QWEN_CODE_MEASURES = [
  "qwen-code.jsonChars",
  "qwen-code.enteredJsonChars",
  "qwen-code.outputChars",
  "qwen-code.fileChars",
  "qwen-code.image",
  "qwen-code.entered",
  "qwen-code.enteredCurrent",
  "qwen-code.billed",
  "qwen-code.callChars",
  "qwen-code.fence",
] as const;
export type QwenCodeMeasure = (typeof QWEN_CODE_MEASURES)[number];
