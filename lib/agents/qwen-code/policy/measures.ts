/** Measures that the policy and the breakdown read if the columns have them; `qwenCodeMeasures` on the server computes them. */
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

/** The bits of `qwen-code.part`. */
export const PART = {
  /** A picture that the request itself holds; no sound, document or link. These are counted and restored. */
  PICTURE: 1,
  /** A part nested in the response of the result before it. */
  WITHIN: 2,
  /** The result of a tool whose results may be cleared, whatever it holds. */
  CLEARABLE: 4,
  /** A response that reports an error: it is never cleared. */
  ERROR: 8,
  /** A response in Qwen Code's own recording: of several with one id only the first is sent. */
  OWN: 16,
} as const;
