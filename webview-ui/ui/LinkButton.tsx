import type { ReactNode } from "react";

interface LinkButtonProps {
  children: ReactNode;
  onClick: () => void;
  title?: string;
  expanded?: boolean;
  /** Marks it for the keyboard's way through a list. */
  name?: string;
}

/** Looks like a link, acts in the page. The toolkit's link is an anchor, which the keyboard cannot reach without an address. */
export function LinkButton(props: LinkButtonProps) {
  return (
    <button
      type="button"
      className="link-button"
      data-name={props.name}
      title={props.title}
      aria-expanded={props.expanded}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  );
}
