import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { toField } from "@/components/settings/setting-units";
import { usePolicyWords } from "@/components/settings/use-words";
import type { SettingSpec, SettingValue } from "@/lib/core/compaction/settings/settings";
import { useRecorded } from "../shared/state/recorded-data";
import type { ReplayChoice } from "../shared/state/replay-choice";
import type { ComparedRun } from "./compared-runs";

/** A policy without the settings that only decide when it compacts. */
export function withoutRule(choice: ReplayChoice): ReplayChoice {
  return { ...choice, specs: choice.specs.filter(({ decidesWhen }) => decidesWhen !== true) };
}

interface RunWords {
  /** Name of the run's policy, and that it compacts at its best times where it does; "Recorded" for the recording. */
  readonly name: (run: ComparedRun) => string;
  /** Preset, and what differs from it; for a recording without usage, that it is estimated. */
  readonly variant: (run: ComparedRun) => string;
}

/** How runs are named. */
export function useRunWords(): RunWords {
  const t = useTranslations("compare.runs");
  const words = usePolicyWords();
  const changes = useChanges();
  const format = useFormat();
  const { hasUsage } = useRecorded();
  return {
    name: ({ choice, isHindsight }) => {
      if (choice === undefined) return t("recorded");
      const policy = words.policy(choice.policy);
      return isHindsight ? t("bestTimes", { policy }) : policy;
    },
    variant: ({ choice, isHindsight }) => {
      if (choice === undefined) return hasUsage ? "" : t("estimated");
      const preset = words.preset(choice.preset);
      return format.list(
        isHindsight ? [t("hindsight"), preset, ...changes(withoutRule(choice))] : [preset, ...changes(choice)],
      );
    },
  };
}

/** Every setting that differs from its default, with its value: these tell runs of one policy apart. */
function useChanges(): (choice: ReplayChoice) => readonly string[] {
  const t = useTranslations("replay.panel");
  const words = usePolicyWords();
  const format = useFormat();
  const written = (spec: SettingSpec, value: SettingValue): string => {
    if (spec.type === "number" && typeof value === "number") {
      const field = toField(spec, value);
      return `${Number.isInteger(field) ? format.count(field) : field} ${words.unit(spec.unit)}`;
    }
    return typeof value === "number" ? format.count(value) : words.choice(String(value));
  };
  return (choice) => {
    const { specs, settings, changed, window, defaultWindow } = choice;
    return [
      ...specs
        .filter(({ key }) => changed.has(key))
        .map((spec) => `${words.setting(spec)} ${written(spec, settings[spec.key] ?? null)}`),
      ...(window.tokens === defaultWindow ? [] : [`${t("window")} ${format.count(window.tokens)}`]),
    ];
  };
}
