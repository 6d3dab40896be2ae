/** Style of a run: a letter, a colour, a dash pattern. Nothing depends on colour alone. */
interface RunStyle {
  readonly letter: string;
  /** CSS colour. */
  readonly colour: string;
  /** SVG dash pattern; absent for a solid line. */
  readonly dash?: string;
}

/** The styles in order: A is the recording, in ink and solid; B is the replay panel's policy, in the accent. */
export const RUN_STYLES: readonly RunStyle[] = [
  { letter: "A", colour: "var(--policy-a)" },
  { letter: "B", colour: "var(--policy-b)", dash: "7 3" },
  { letter: "C", colour: "var(--policy-c)", dash: "2 2" },
  { letter: "D", colour: "var(--policy-d)", dash: "8 2 2 2" },
  { letter: "E", colour: "var(--policy-e)", dash: "4 2" },
  { letter: "F", colour: "var(--policy-f)", dash: "10 2 2 2 2 2" },
];

/** The recording and the replay panel's policy come first; the added runs follow. */
export const FIXED_RUNS = 2;

const LAST: RunStyle = { letter: "?", colour: "var(--t3)", dash: "1 1" };

export function runStyle(index: number): RunStyle {
  return RUN_STYLES[index] ?? LAST;
}
