import { useEffect, useRef, useState } from "react";
import type { TurnStatusView } from "../../src/protocol/chatView.ts";
import { formatString } from "../../src/protocol/strings.ts";
import { visibleText } from "../shared/visibleText.ts";
import { Icon } from "../ui/Icon.tsx";
import { texts } from "./texts.ts";

/** What runs now and since when; how often a Stop hook has sent the turn on, and how to end that. */
export function TurnStatus(props: { status: TurnStatusView }) {
  const { status } = props;
  const { stopContinuations: continued } = status;
  if (status.state === "idle") return null;
  return (
    <div className="turn-status">
      <p>
        <Icon name="loading" spin />
        <span className="turn-activity data">{visibleText(status.activity ?? texts.working)}</span>
        {status.since !== undefined && <Elapsed since={status.since} />}
      </p>
      {continued > 0 && (
        <p className="turn-continued">
          <span className="level-info">
            <Icon name="sync" />
          </span>
          <span>
            {continued === 1 ? texts.continuedOnce : formatString(texts.continuedTimes, continued)}{" "}
            <span className="secondary">{texts.continuedHelp}</span>
          </span>
        </p>
      )}
    </div>
  );
}

/** Seconds since then. The host may be another computer with another clock, so later starts are timed from when they were heard of. */
function Elapsed(props: { since: number }) {
  const [now, setNow] = useState(Date.now);
  const start = useRef({ since: props.since, at: props.since });
  if (start.current.since !== props.since) start.current = { since: props.since, at: Date.now() };
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - start.current.at) / 1000));
  return <span className="turn-elapsed secondary">{durationText(seconds)}</span>;
}

function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(seconds % 60).padStart(2, "0")} min`;
}
