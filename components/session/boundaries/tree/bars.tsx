import { comparableBefore, type SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";

interface BarsProps {
  readonly compaction: SimulatedCompaction;
  /** `null` where it is not known. */
  readonly after: number | null;
  readonly most: number;
  readonly simulated: boolean;
}

/** The context before and after, by the same count and on the same scale. */
export function Bars({ compaction, after, most, simulated }: BarsProps) {
  const width = (tokens: number): string => `${(tokens / most) * 100}%`;
  return (
    <svg aria-hidden="true" width="100%" height="10" className="mt-1 block">
      <rect width={width(comparableBefore(compaction))} height="4" className="fill-c-calls" />
      {after !== null && (
        <rect width={width(after)} y="6" height="4" className={simulated ? "fill-accent" : "fill-t1"} />
      )}
    </svg>
  );
}
