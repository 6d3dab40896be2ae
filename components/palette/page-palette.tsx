import { Palette } from "./palette";
import type { OpenPaletteProps } from "./palette-key";

const NOTHING = [] as const;

/** The palette of a page that has no commands of its own. */
export function PagePalette({ onClose }: OpenPaletteProps) {
  return <Palette entries={NOTHING} onClose={onClose} />;
}
