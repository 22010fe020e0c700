import { createContext, useContext, useState } from "react";

/** What the user has opened, by key: an entry that is scrolled away and comes back is as it was left. */
const ExpansionContext = createContext(new Map<string, boolean>());

export function useExpanded(key: string, initially: boolean): [boolean, (expanded: boolean) => void] {
  const opened = useContext(ExpansionContext);
  const [expanded, setExpanded] = useState(opened.get(key) ?? initially);
  return [
    expanded,
    (value) => {
      opened.set(key, value);
      setExpanded(value);
    },
  ];
}
