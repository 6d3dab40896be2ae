import { niceStep } from "@/components/charts/scale";

const DAY_MS = 86_400_000;
/** An axis has ticks at days up to the first number of days, at weeks up to the second, and at months beyond that. */
const LONGEST = { days: 14, weeks: 70 } as const;
const MONTH_STEPS = [1, 2, 3, 6, 12] as const;
/** 1970-01-05, the first Monday. */
const MONDAY = 4;

/** Number of a day since 1970, so that an axis leaves space for days without a session. */
export function dayNumber(day: string): number {
  return Math.round(Date.parse(day) / DAY_MS);
}

/** The day of a number, in milliseconds since 1970 at midnight UTC. */
export function dayInstant(number: number): number {
  return number * DAY_MS;
}

/** Ticks of an axis of days: whole days, Mondays or first days of months, at most about `count` of them. */
export function dayTicks(
  first: number,
  last: number,
  count: number,
): { readonly ticks: number[]; readonly unit: "day" | "month" } {
  const span = last - first + 1;
  if (span <= LONGEST.days) return { ticks: multiples(first, last, niceStep(span, count), first), unit: "day" };
  if (span <= LONGEST.weeks) {
    const weeks = niceStep(span / 7, count);
    return { ticks: multiples(first, last, 7 * weeks, MONDAY), unit: "day" };
  }
  const step = MONTH_STEPS.find((months) => span / 30.4 / months <= count) ?? 12;
  const ticks: number[] = [];
  const from = new Date(dayInstant(first));
  for (let month = 12 * from.getUTCFullYear() + from.getUTCMonth(); ; month += 1) {
    const tick = Math.round(Date.UTC(Math.floor(month / 12), month % 12) / DAY_MS);
    if (tick > last) return { ticks, unit: "month" };
    if (tick >= first && month % step === 0) ticks.push(tick);
  }
}

/** @param origin any number at which a multiple of the step is a tick */
function multiples(first: number, last: number, step: number, origin: number): number[] {
  const ticks: number[] = [];
  for (let tick = origin + Math.ceil((first - origin) / step) * step; tick <= last; tick += step) ticks.push(tick);
  return ticks;
}
