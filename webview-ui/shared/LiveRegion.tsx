import { useEffect, useState } from "react";

/** Something to be said to a screen reader. `id` grows with each, so that the same text twice is said twice. */
export interface Announcement {
  id: number;
  text: string;
}

/** Says each announcement once, politely. The region is there from the start: readers ignore regions that come with their text. */
export function LiveRegion(props: { announcement: Announcement | undefined }) {
  const [text, setText] = useState("");
  const { announcement } = props;
  useEffect(() => {
    if (!announcement) return;
    setText("");
    const timer = setTimeout(() => setText(announcement.text), 50);
    return () => clearTimeout(timer);
  }, [announcement]);
  return (
    <div className="screen-reader-only" role="status" aria-live="polite">
      {text}
    </div>
  );
}
