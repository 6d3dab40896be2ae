import { type ReactNode, useEffect, useRef } from "react";
import { Group, Panel, Separator, useDefaultLayout, usePanelRef } from "react-resizable-panels";
import { useTranslations } from "use-intl";
import { keptStorage } from "@/components/hooks/kept-storage";
import { useView } from "./shared/state/stores";

interface ReadingSplitProps {
  /** The upper part; `null` if the transcript has the whole page. */
  readonly chart: ReactNode;
  readonly text: ReactNode;
}

/** Minimum heights of the parts. */
const MIN_SIZE = { chart: 280, text: 160 };

/** Default shares of the height, in per cent. */
const FIRST = { chart: 78, text: 22 };

/** Key under which the browser stores the heights, for all sessions. */
const STORED_AS = "reading-split";

/** Share of the height that the text gets, at least, when a match or a link opens an item in it, in per cent. */
const ROOM = 70;

/** Gives the text more room when a match or a link opens an item in it. Such a height is not stored; one chosen by hand is. */
function useRoomForVisits(isSplit: boolean) {
  const { visits } = useView("visits");
  const text = usePanelRef();
  const seen = useRef(visits);
  const isAutomatic = useRef(false);
  useEffect(() => {
    if (seen.current === visits) return;
    seen.current = visits;
    const size = isSplit ? text.current?.getSize().asPercentage : undefined;
    if (size === undefined || size >= ROOM) return;
    isAutomatic.current = true;
    text.current?.resize(`${ROOM}%`);
  }, [visits, isSplit, text]);
  const setByHand = () => {
    isAutomatic.current = false;
  };
  return { text, isByHand: () => !isAutomatic.current, setByHand };
}

/** The chart above the transcript, with a separator between them that moves by pointer and by arrow keys. */
export function ReadingSplit({ chart, text }: ReadingSplitProps) {
  const t = useTranslations("session.reading");
  const isSplit = chart !== null;
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: STORED_AS,
    panelIds: isSplit ? ["chart", "text"] : ["text"],
    storage: keptStorage,
  });
  const { text: textPanel, isByHand, setByHand } = useRoomForVisits(isSplit);
  return (
    <Group
      orientation="vertical"
      onLayoutChanged={(shares) => {
        if (isByHand()) onLayoutChanged(shares);
      }}
      defaultLayout={defaultLayout ?? (isSplit ? FIRST : undefined)}
      className="min-h-[30rem] grow print:block! print:h-auto!"
    >
      {isSplit && (
        <>
          <Panel
            id="chart"
            minSize={MIN_SIZE.chart}
            className="overflow-y-auto [container-type:size] print:[container-type:normal]"
          >
            {chart}
          </Panel>
          <Separator
            aria-label={t("split")}
            onPointerDown={setByHand}
            onKeyDown={setByHand}
            className="group relative h-px bg-line outline-offset-2 before:absolute before:inset-x-0 before:-inset-y-1.5 before:z-10 data-[separator=active]:bg-t1 data-[separator=hover]:bg-t2"
          />
        </>
      )}
      <Panel id="text" panelRef={textPanel} minSize={MIN_SIZE.text} className="flex flex-col">
        {text}
      </Panel>
    </Group>
  );
}
