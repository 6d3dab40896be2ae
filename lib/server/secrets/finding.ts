/** A range of a text that looks like a secret, and the rule that found it. */
export interface Finding {
  readonly rule: string;
  readonly from: number;
  readonly to: number;
}
