import { memo } from "react";
import type { Frame } from "@/components/charts/frame";
import { PlotLayer } from "@/components/charts/layer";
import { useFormat } from "@/components/format/use-format";
import { useView } from "../state/view";
import { usePlacesInTime } from "./geometry";

/** Height of a line of text at 11 px, with air. */
const LINE = 15;

/** On an axis of time: hatches the pauses that are drawn shorter than they were, and says how long they lasted. */
export const IdleLayer = memo(function IdleLayer({ frame }: { readonly frame: Frame }) {
  const format = useFormat();
  const { axis } = useView();
  const idle = usePlacesInTime(axis)?.idle ?? [];
  const shown = idle.filter(({ request }) => request >= frame.from && request < frame.to);
  if (shown.length === 0) return null;
  return (
    <PlotLayer frame={frame} data-testid="idle-gaps" data-count={shown.length}>
      {shown.map(({ request, ms }) => {
        const [start, end] = [frame.x.px(request), frame.x.px(request + 1)];
        const middle = (start + end) / 2;
        return (
          <g key={request}>
            <rect x={start} y={frame.top} width={end - start} height={frame.plotHeight} fill="url(#buffer-hatch)" />
            {end - start >= LINE && (
              <text
                transform={`translate(${middle + 4} ${frame.top + 6}) rotate(90)`}
                className="fill-t1 stroke-bg text-xs [paint-order:stroke]"
                strokeWidth="4"
              >
                {format.duration(ms)}
              </text>
            )}
          </g>
        );
      })}
    </PlotLayer>
  );
});
