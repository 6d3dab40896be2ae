import { useId } from "react";
import { useTranslations } from "use-intl";
import { useFrame } from "@/components/charts/drag";
import { clamp } from "@/components/charts/scale";
import { useFormat } from "@/components/format/use-format";
import { NumberField } from "@/components/settings/number-field";
import { RowLabel } from "@/components/settings/setting-row";
import { typedNumber, usePolicyWords } from "@/components/settings/use-words";
import { Slider } from "@/components/ui/controls";
import { isWithin } from "@/lib/core/compaction/policy/settings";
import { type PolicyChoice, WINDOW_LIMITS } from "../state/replay-choice";
import { useReplay, useReplayActions } from "../state/stores";

const STEP = 1000;

/** Key of the window's row among those of the settings; no setting has this key. */
export const WINDOW_ROW = "window";

/** The window of the replay panel's policy. */
export function WindowField() {
  const choice = useReplay(({ chosen }) => chosen);
  const { setWindow } = useReplayActions();
  return <WindowRow choice={choice} onWindow={setWindow} />;
}

interface WindowRowProps {
  readonly choice: Pick<PolicyChoice, "policy" | "window" | "defaultWindow">;
  /** `null` restores the default. */
  readonly onWindow: (tokens: number | null) => void;
}

/** A field for the window of a policy. */
export function WindowRow({ choice, onWindow }: WindowRowProps) {
  const t = useTranslations("replay.panel");
  const session = useTranslations("session");
  const words = usePolicyWords();
  const format = useFormat();
  const id = useId();
  const { window, defaultWindow } = choice;
  const changed = window.tokens !== defaultWindow;
  const set = (tokens: number): void => onWindow(tokens === defaultWindow ? null : tokens);
  const slide = useFrame(set);
  const max = Math.max(400_000, defaultWindow * 2);
  const unit = words.unit("tokens");
  return (
    <div className="py-1" data-setting-row={WINDOW_ROW}>
      <div className="flex min-h-7 items-center gap-2">
        <RowLabel id={id} label={t("window")} changed={changed} onReset={() => onWindow(null)} />
        <NumberField
          id={id}
          value={window.tokens}
          changed={changed}
          limits={LIMITS}
          parse={parseWindow}
          onValue={set}
        />
        <span className="w-16 shrink-0 text-sm text-t2">{unit}</span>
      </div>
      <Slider
        label={t("window")}
        min={STEP}
        max={max}
        step={STEP}
        value={clamp(window.tokens, STEP, max)}
        changed={changed}
        tick={(defaultWindow - STEP) / (max - STEP)}
        valueText={`${format.count(window.tokens)} ${unit}`}
        onChange={slide.call}
        data-setting="window"
      />
      <p className="text-sm text-t3" data-testid="window-source">
        {window.atLeast !== undefined
          ? t("windowAtLeast", { tokens: format.count(window.atLeast) })
          : window.from === undefined
            ? session(`windowSource.${window.source}`)
            : session("windowFrom", { source: session(`windowSource.${window.source}`), from: window.from })}
        {window.effective !== undefined && ` · ${t("windowEffective", { tokens: format.count(window.effective) })}`}
      </p>
    </div>
  );
}

const LIMITS = { ...WINDOW_LIMITS, whole: true };

function parseWindow(text: string): number | undefined {
  const typed = typedNumber(text);
  return isWithin(LIMITS, typed) ? typed : undefined;
}
