import { z } from "zod";
import { type AnsweredFigures, type AnswerPlace, figuresAnswered, isNullable } from "@/lib/core/figures/answered";
import type { FigureUnit } from "@/lib/core/figures/figure";
import { tokens } from "./basics";

/** The type of a figure on the wire, by its unit. */
const UNITS = {
  tokens,
  requests: z.int(),
  count: z.int(),
  share: z.number(),
  dollars: z.number(),
} as const satisfies Record<FigureUnit, z.ZodType<number>>;

type FigureShape<Place extends AnswerPlace> = {
  [Key in keyof AnsweredFigures<Place>]: z.ZodType<AnsweredFigures<Place>[Key]>;
};

/** The fields of the registered figures that an answer holds in one place. */
export function figureShape<Place extends AnswerPlace>(place: Place): FigureShape<Place> {
  const fields = figuresAnswered(place).map((figure): [string, z.ZodType] => {
    const value = UNITS[figure.unit];
    return [figure.key, isNullable(figure) ? value.nullable() : value];
  });
  // `fromEntries` loses the keys of its entries.
  return Object.fromEntries(fields) as FigureShape<Place>;
}
