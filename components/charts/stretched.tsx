import type { ReactNode } from "react";
import type { Frame } from "./frame";

interface StretchedProps {
  readonly frame: Frame;
  /** The frame that the children were drawn in. */
  readonly drawn: Frame;
  readonly children: ReactNode;
}

/** Shows a plot that was drawn in another frame at its place in this one: what takes long to draw follows a zoom at once, and is drawn anew later. */
export function Stretched({ frame, drawn, children }: StretchedProps) {
  return (
    <div
      className="absolute overflow-hidden"
      style={{ left: frame.left, top: frame.top, width: frame.plotWidth, height: frame.plotHeight }}
    >
      <div
        className="absolute inset-0 origin-top-left will-change-transform"
        style={frame === drawn ? undefined : { transform: stretch(frame, drawn) }}
      >
        {children}
      </div>
    </div>
  );
}

/** The transform from one frame's plot to another's. */
function stretch(frame: Frame, drawn: Frame): string {
  const start = frame.x.px(drawn.from) - frame.left;
  const wide = (frame.x.px(drawn.to) - frame.x.px(drawn.from)) / drawn.plotWidth;
  const high = ((drawn.y.domain[1] / frame.y.domain[1]) * frame.plotHeight) / drawn.plotHeight;
  return `matrix(${wide}, 0, 0, ${high}, ${start}, ${frame.plotHeight - drawn.plotHeight * high})`;
}
