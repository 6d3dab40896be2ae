import { useTranslations } from "use-intl";
import { useWide } from "@/components/hooks/use-media-query";
import { Palette, type PaletteEntry } from "@/components/palette/palette";
import type { OpenPaletteProps } from "@/components/palette/palette-key";
import { hasEffect } from "@/components/settings/setting-rows";
import { usePolicyWords } from "@/components/settings/use-words";
import { policyNames } from "@/lib/agents/policies";
import { WINDOW_ROW } from "./shared/runs/window-field";
import { useReplay, useReplayActions, useView, useViewActions } from "./shared/state/stores";
import { SESSION_TABS, tabKey } from "./shared/state/tabs";
import { useTimelineKeys } from "./shared/timeline/use-timeline-keys";

/** The palette of a session's page: tabs, key actions, policies and settings. The browser's Back undoes its actions. */
export function SessionPalette({ onClose }: OpenPaletteProps) {
  const entries = [...useTabEntries(), ...useCommandEntries(), ...usePolicyEntries(), ...useSettingEntries()];
  return <Palette entries={entries} onClose={onClose} />;
}

function useTabEntries(): readonly PaletteEntry[] {
  const t = useTranslations("session.tab");
  const { tab: shown } = useView("tab");
  const { setTab } = useViewActions();
  return SESSION_TABS.map((tab) => ({
    id: `tab ${tab}`,
    group: "tab",
    title: t(tab),
    shortcut: tabKey(tab),
    isCurrent: tab === shown,
    action: () => setTab(tab),
  }));
}

function useCommandEntries(): readonly PaletteEntry[] {
  const t = useTranslations("common.palette.command");
  const { toggleReading } = useViewActions();
  const { pin } = useView("pin");
  const cursor = useViewActions();
  const { reset } = useReplayActions();
  const timeline = useTimelineKeys();
  const commands = [
    ["read", "r", toggleReading],
    ["previousBoundary", "[", timeline.previousBoundary],
    ["nextBoundary", "]", timeline.nextBoundary],
    ["zoomIn", "+", timeline.zoomIn],
    ["zoomOut", "−", timeline.zoomOut],
    ["zoomAll", "0", timeline.zoomAll],
    ...(pin === null ? [] : [["release", "Esc", () => cursor.pin(null)] as const]),
  ] as const;
  return [
    ...commands.map(([id, shortcut, action]): PaletteEntry => {
      return { id: `command ${id}`, group: "command", title: t(id), shortcut, action };
    }),
    { id: "command reset", group: "command", title: t("reset"), action: reset },
  ];
}

function usePolicyEntries(): readonly PaletteEntry[] {
  const words = usePolicyWords();
  const choice = useReplay(({ chosen }) => chosen);
  const { setPolicy } = useReplayActions();
  return policyNames().map((policy) => ({
    id: `policy ${policy.id}`,
    group: "policy",
    title: words.policy(policy),
    isCurrent: policy.id === choice.policy.id,
    action: () => setPolicy(policy.id),
  }));
}

/** The settings of the current policy: a switch is toggled; for any other the field gets the focus. */
function useSettingEntries(): readonly PaletteEntry[] {
  const t = useTranslations("common.palette");
  const words = usePolicyWords();
  const choice = useReplay(({ asked }) => asked);
  const { setSetting } = useReplayActions();
  const field = useTranslations("replay.panel");
  const goTo = useGoToSetting();
  if (choice.policy.id === "recorded") return [];
  const window: PaletteEntry = {
    id: `setting ${WINDOW_ROW}`,
    group: "setting",
    title: field("window"),
    action: () => goTo(WINDOW_ROW),
  };
  const settings = choice.specs
    .filter((spec) => hasEffect(spec, choice.policy))
    .map((spec): PaletteEntry => {
      const value = choice.settings[spec.key];
      const [id, name] = [`setting ${spec.key}`, words.setting(spec)];
      if (typeof value !== "boolean") return { id, group: "setting", title: name, action: () => goTo(spec.key) };
      return {
        id,
        group: "setting",
        title: t(value ? "turnOff" : "turnOn", { name }),
        action: () => setSetting(spec.key, !value),
      };
    });
  return [window, ...settings];
}

/** Shows the replay panel, from any tab and also as a sheet, and moves the focus to a setting in it. */
function useGoToSetting(): (key: string) => void {
  const { isReading } = useView("isReading");
  const { toggleReading, setTab, setSheetOpen } = useViewActions();
  const isWide = useWide();
  return (key) => {
    if (!isWide) setSheetOpen(true);
    if (settingRow(key) === null && document.querySelector("[data-replay-bar]") === null) {
      if (isReading) toggleReading();
      else setTab("timeline");
    }
    focusSetting(key);
  };
}

function settingRow(key: string): Element | null {
  return document.querySelector(`[data-setting-row="${CSS.escape(key)}"]`);
}

/** Maximum number of frames to wait for a setting's field: the panel may have to be loaded first. */
const FRAMES = 180;

function focusSetting(key: string, frames = FRAMES): void {
  const row = settingRow(key);
  if (row !== null) {
    const folded = row.closest("details");
    if (folded !== null) folded.open = true;
    row.scrollIntoView({ block: "nearest" });
    const target =
      row.querySelector<HTMLElement>("[role='slider']") ??
      row.querySelector<HTMLElement>("input, [role='combobox'], [role='switch']");
    target?.focus();
    // The dialog restores the focus when it closes.
    if (document.activeElement === target && frames < FRAMES) return;
  }
  if (frames > 0) requestAnimationFrame(() => focusSetting(key, frames - 1));
}
