/** Measures that the policy and the breakdown read where they are there; `qwenCodeMeasures` of the server half computes them. */
export const QWEN_CODE_MEASURES = [
  "qwen-code.jsonChars",
  "qwen-code.enteredJsonChars",
  "qwen-code.outputChars",
  "qwen-code.fileChars",
  "qwen-code.part",
  "qwen-code.entered",
  "qwen-code.enteredCurrent",
  "qwen-code.billed",
  "qwen-code.callChars",
  "qwen-code.fence",
] as const;
export type QwenCodeMeasure = (typeof QWEN_CODE_MEASURES)[number];

/** What `qwen-code.part` says of a row, as bits. */
export const PART = {
  /** A picture within the request itself, no sound, document or link: these are counted and put back. */
  PICTURE: 1,
  /** It stands within the response of the result before it. */
  WITHIN: 2,
  /** The result of a tool whose results are cleared, whatever it holds. */
  CLEARABLE: 4,
  /** A response that reports an error: it is never cleared. */
  ERROR: 8,
} as const;
