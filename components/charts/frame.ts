import { linearScale, placedScale, type Scale } from "./scale";

/** The rectangle of a chart, and the scales of everything in it. Pixels count from the chart's top left. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly plotWidth: number;
  readonly plotHeight: number;
  /** Maps a request to a pixel. A request is as wide as the distance to the next one, by number or by time. */
  readonly x: Scale;
  /** Maps tokens to a pixel. */
  readonly y: Scale;
  readonly from: number;
  readonly to: number;
  /** As in `FrameSpec`. */
  readonly places?: ArrayLike<number> | undefined;
}

interface FrameSpec {
  readonly width: number;
  readonly height: number;
  readonly margin: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  /** The visible requests, half-open. */
  readonly from: number;
  readonly to: number;
  /** Tokens at the top of the axis. */
  readonly top: number;
  /** Start of every request, and the end of the last, in any unit; if absent all requests are equally wide. */
  readonly places?: ArrayLike<number> | undefined;
}

export function chartFrame({ width, height, margin, from, to, top, places }: FrameSpec): Frame {
  const right = Math.max(margin.left + 1, width - margin.right);
  const bottom = Math.max(margin.top + 1, height - margin.bottom);
  return {
    width,
    height,
    left: margin.left,
    right,
    top: margin.top,
    bottom,
    plotWidth: right - margin.left,
    plotHeight: bottom - margin.top,
    x:
      places === undefined
        ? linearScale([from, to], [margin.left, right])
        : placedScale(places, [from, to], [margin.left, right]),
    y: linearScale([0, top], [bottom, margin.top]),
    from,
    to,
    places,
  };
}

/** The request under a pixel, always a visible one. */
export function requestAt(frame: Frame, px: number): number {
  const request = Math.floor(frame.x.value(px));
  return Math.max(frame.from, Math.min(frame.to - 1, request));
}
