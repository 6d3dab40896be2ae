import { band as bandNames } from "@/app/i18n/messages/en/session.json";
import { type BandFill, bandSeries } from "@/components/charts/bands";
import { linearScale } from "@/components/charts/scale";
import { stepArea, stepPath } from "@/components/charts/step-path";
import { countText } from "@/lib/core/base/number-text";
import type { Tokens } from "@/lib/core/base/units";
import { BOUNDARY_KINDS } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";
import { recordedSeries } from "@/lib/core/context/recorded";
import { recordingAsSent } from "@/lib/queries/answers/session-answers";
import type { OpenedSession } from "../sessions/opened-session";

/** Width and height of a chart, and the bounds of its plot. */
const SIZE = { width: 960, height: 360, left: 64, right: 944, top: 16, bottom: 292 } as const;

/** Colours of the page on white, by the names of its bands. Source: app/palette.css. */
const COLOURS: Readonly<Record<string, string>> = {
  "--c-system": "#4e5054",
  "--c-builtin": "#2bb083",
  "--c-mcp": "#d9ab0d",
  "--c-skills": "#c4588a",
  "--c-memory": "#d3bdb6",
  "--c-summary": "#1b3154",
  "--c-user": "#2f5b97",
  "--c-assistant": "#5a88c2",
  "--c-calls": "#8caeda",
  "--c-results": "#bdd2ec",
  "--line2": "#cfcfd6",
  "--hatch": "#a1a1aa",
};

/** The marks of a band that shares its colour with another one. */
const MARKS: Readonly<Partial<Record<BandFill, string>>> = {
  hatched: '<path d="M1 0V5" stroke="currentColor" stroke-width="1.5"/>',
  dotted: '<circle cx="2.5" cy="2.5" r="1.6" fill="currentColor"/>',
};

/**
 * The recorded context as a standalone chart: by category at every request, with the window and the recorded
 * compactions.
 * @param simulated contexts of a replay, drawn as a line above them
 */
export async function contextChart(
  session: OpenedSession,
  window: Tokens = session.summary.contextWindow.tokens,
  simulated: ArrayLike<Tokens> = [],
): Promise<string> {
  const { columns } = session;
  const series = recordedSeries(await recordingAsSent(session));
  const points = pointCount(columns);
  const highest = Math.max(window, ...series.context, ...Array.from(simulated));
  const x = linearScale([0, points], [SIZE.left, SIZE.right]);
  const y = linearScale([0, highest * 1.04], [SIZE.bottom, SIZE.top]);
  const range = { from: 0, to: points };
  const bands = bandSeries(series, points);
  const tops = new Int32Array(points);
  // Every area reaches down to the axis, so the highest is drawn first.
  const areas = bands.map(({ band, values }) => {
    for (let at = 0; at < points; at++) tops[at] = (tops[at] ?? 0) + (values[at] ?? 0);
    const colour = COLOURS[/--[\w-]+/.exec(band.colour)?.[0] ?? ""] ?? "#888";
    const marks = MARKS[band.fill];
    const fill = marks === undefined ? colour : `url(#marks-${band.id})`;
    const path = stepArea(tops.slice(), x, y, range);
    return { id: band.id, colour, fill, marks, opacity: band.fill === "outline" ? 0.3 : 1, path };
  });
  const marks = Array.from(columns.boundaries.request, (request, at) => ({
    request,
    kind: BOUNDARY_KINDS[columns.boundaries.kind[at] ?? -1],
  }));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="system-ui, sans-serif" font-size="11" role="img" aria-label="The recorded context by category, at ${countText(points)} requests">`,
    `<rect width="${SIZE.width}" height="${SIZE.height}" fill="#fff"/>`,
    ...areas.flatMap(({ id, colour, marks }) => (marks === undefined ? [] : [pattern(id, colour, marks)])),
    ...areas
      .toReversed()
      .map(
        ({ fill, opacity, path }) =>
          `<path d="${path}" fill="#fff"/><path d="${path}" fill="${fill}" fill-opacity="${opacity}"/>`,
      ),
    `<path d="${stepPath(series.context, x, y, range)}" fill="none" stroke="#18181b"/>`,
    ...(simulated.length === 0
      ? []
      : [
          `<path d="${stepPath(simulated, x, y, range)}" fill="none" stroke="#c2410c" stroke-width="1.75" stroke-dasharray="5 3"/>`,
        ]),
    ...marks.map(
      ({ request, kind }) =>
        `<line x1="${px(x.px(request))}" x2="${px(x.px(request))}" y1="${SIZE.top}" y2="${SIZE.bottom}" stroke="#18181b"${kind === "compaction" ? "" : ' stroke-dasharray="2 3"'}/>`,
    ),
    `<line x1="${SIZE.left}" x2="${SIZE.right}" y1="${px(y.px(window))}" y2="${px(y.px(window))}" stroke="#b42318" stroke-dasharray="6 4"/>`,
    label(SIZE.right, y.px(window) - 4, `window ${countText(window)}`, "end"),
    ...ticksTo(highest).map((value) => label(SIZE.left - 6, y.px(value) + 4, countText(value), "end")),
    ...ticksTo(points).map((value) => label(x.px(value), SIZE.bottom + 16, countText(value), "middle")),
    ...areas.map(({ id, fill, opacity }, at) => {
      const [left, top] = [SIZE.left + (at % 6) * 146, SIZE.bottom + 32 + Math.floor(at / 6) * 18];
      return `<rect x="${left}" y="${top}" width="10" height="10" fill="${fill}" fill-opacity="${opacity}"/>${label(left + 15, top + 9, bandNames[id], "start")}`;
    }),
    "</svg>\n",
  ].join("\n");
}

function pattern(id: string, colour: string, marks: string): string {
  return `<pattern id="marks-${id}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" color="${colour}">${marks}</pattern>`;
}

function px(value: number): number {
  return Math.round(value * 10) / 10;
}

function label(x: number, y: number, text: string, anchor: "start" | "middle" | "end"): string {
  return `<text x="${px(x)}" y="${px(y)}" text-anchor="${anchor}" fill="#52525b">${text}</text>`;
}

/** Round numbers from 0 to a value, four to eight of them. */
function ticksTo(most: number): readonly number[] {
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? power);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
}
