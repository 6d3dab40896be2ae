import { memo, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { RequestRange } from "@/components/charts/zoom";
import { Kbd } from "@/components/ui/chip";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { useSession, useView, useViewActions } from "../state/stores";
import { AXES, HEIGHTS } from "../state/url-state";
import { useHeight, usePlacesInTime } from "./geometry";
import { useTimelineKeys } from "./use-timeline-keys";

interface CaptionProps {
  readonly range: RequestRange;
  /** A short text next to the range. */
  readonly note?: ReactNode;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** The visible requests, and buttons for the keys that change them. On a phone it is one scrolling line. */
export function TimelineCaption({ range, note, children }: CaptionProps) {
  const t = useTranslations("session.timeline");
  const { points } = useSession("points");
  const keys = useTimelineKeys();
  return (
    <div
      data-image="off"
      className="flex min-h-8 print:[&_button]:hidden items-center gap-x-4 gap-y-1 px-4 py-1 text-sm text-t3 phone-line md:flex-wrap"
    >
      {/* A fixed basis: the note comes and goes while a slider moves, and must not wrap the line and resize the chart. */}
      <span className="flex min-w-0 grow basis-72 items-center gap-x-4 max-md:order-last max-md:basis-auto max-md:text-sm">
        <span className="shrink-0" data-testid="range-caption">
          {t("shown", { from: range.from, to: range.to - 1, count: points })}
        </span>
        {note}
      </span>
      <AxisChoice />
      <KeyGroup label={t("zoom")}>
        <KeyButton hint="+" label={t("zoomIn")} act={keys.zoomIn} />
        <KeyButton hint="−" label={t("zoomOut")} act={keys.zoomOut} />
        <KeyButton hint="0" label={t("zoomAll")} act={keys.zoomAll} />
      </KeyGroup>
      <KeyGroup label={t("boundary")}>
        <KeyButton hint="[" label={t("previousBoundary")} act={keys.previousBoundary} />
        <KeyButton hint="]" label={t("nextBoundary")} act={keys.nextBoundary} />
      </KeyGroup>
      {children}
    </div>
  );
}

/** Meaning of the two axes. */
function AxisChoice() {
  const t = useTranslations("session.timeline");
  const { axis } = useView("axis");
  const { setAxis, setHeight } = useViewActions();
  const height = useHeight();
  const hasTimes = usePlacesInTime("time") !== undefined;
  return (
    <span className="flex gap-2">
      {hasTimes && (
        <ToggleGroup
          label={t("axis")}
          value={axis}
          options={AXES.map((one) => [one, t(`axisBy.${one}`)])}
          onChange={setAxis}
        />
      )}
      <ToggleGroup
        label={t("height")}
        value={height}
        options={HEIGHTS.map((one) => [one, t(`heightTo.${one}`)])}
        onChange={setHeight}
      />
    </span>
  );
}

function KeyGroup({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <span className="flex items-center gap-1 max-md:gap-0">
      <span aria-hidden className="mr-1 max-md:hidden">
        {label}
      </span>
      {children}
    </span>
  );
}

interface KeyButtonProps {
  readonly hint: string;
  readonly label: string;
  readonly act: () => void;
}

export const KeyButton = memo(function KeyButton({ hint, label, act }: KeyButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-keyshortcuts={hint}
      onClick={act}
      className="flex items-center justify-center rounded-sm hover:bg-sunk size-6 touch:size-10"
    >
      <Kbd aria-hidden className="touch:h-6 touch:min-w-6 touch:leading-[22px]">
        {hint}
      </Kbd>
    </button>
  );
});
