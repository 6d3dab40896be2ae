import { type ReactNode, useState } from "react";
import { requiredContext } from "@/components/hooks/required-context";
import { createStore, type Store, storeHook } from "@/components/hooks/store";
import type { ShownPoints } from "./points";
import { useSweepData } from "./sweep-data";
import { useSweepWords } from "./use-sweep-words";

/** Keeps the highlighted point (hovered or focused) outside React's state, so that pointing at one of 1,600 cells does not render the map again. */
interface Pointed {
  /** Its index among the sweep's points; `null` for none. */
  readonly index: number | null;
}

const [Context, usePointedStore] = requiredContext<Store<Pointed>>("Pointed");
const useStored = storeHook(usePointedStore);

/** Shares the highlighted point among one map, its chart and its table. */
export function PointedProvider({ children }: { readonly children: ReactNode }) {
  const [pointed] = useState(() => createStore<Pointed>({ index: null }));
  return <Context value={pointed}>{children}</Context>;
}

/** Returns the function that sets the highlighted point. */
export function usePointAt(): (index: number | null) => void {
  const { set } = usePointedStore();
  return (index) => set({ index });
}

export function usePointed(): number | null {
  return useStored(({ index }) => index);
}

/** True if this point is the highlighted one. A change renders only the two points concerned. */
export function useIsPointed(index: number): boolean {
  return useStored((pointed) => pointed.index === index);
}

interface PointDotProps {
  readonly shown: ShownPoints;
  /** Index among the points of the sweep. */
  readonly index: number;
  readonly cx: number | undefined;
  readonly cy: number | undefined;
}

/** A point of a sweep; its tooltip names its settings. A point on the front has a ring in ink, the current one in the accent. */
export function PointDot({ shown, index, cx, cy }: PointDotProps) {
  const words = useSweepWords();
  const { isCurrent, isOwn, open } = useSweepData();
  const pointed = useIsPointed(index);
  const pointAt = usePointAt();
  const point = shown.points[index];
  if (point === undefined || cx === undefined || cy === undefined) return null;
  const onFront = shown.front[index] === true;
  const current = isCurrent(point);
  const own = isOwn(point);
  const stroke = current ? "var(--accent)" : onFront ? "var(--t1)" : "none";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer alone; the table below has the same buttons
    <g
      onClick={() => open(point)}
      onPointerEnter={() => pointAt(index)}
      onPointerLeave={() => pointAt(null)}
      className="cursor-pointer"
      data-point={index}
      data-front={onFront}
      data-own={own}
      data-pointed={pointed}
    >
      <title>{words.set(point.set)}</title>
      <circle cx={cx} cy={cy} r="9" fill="transparent" />
      <circle
        cx={cx}
        cy={cy}
        r={pointed ? 6.5 : current ? 5.5 : onFront ? 4 : 2.5}
        fill={onFront || current ? "var(--bg)" : "var(--ramp-4)"}
        stroke={stroke}
        strokeWidth={current ? 2.5 : 2}
      />
      {own && <path d={ownMark(cx, cy)} fill="none" stroke="var(--t1)" strokeWidth="1.5" />}
      {pointed && <circle cx={cx} cy={cy} r="9" fill="none" stroke="var(--t1)" strokeWidth="1" />}
    </g>
  );
}

/** A diamond around a point: the user's own settings, even if the replay panel has the same. */
function ownMark(x: number, y: number): string {
  return `M ${x} ${y - 11} L ${x + 11} ${y} L ${x} ${y + 11} L ${x - 11} ${y} Z`;
}
