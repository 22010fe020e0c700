import { provideVSCodeDesignSystem, vsCodeButton } from "@vscode/webview-ui-toolkit";
import { type ReactNode, type Ref, useImperativeHandle, useRef } from "react";
import { Icon } from "./Icon.tsx";

provideVSCodeDesignSystem().register(vsCodeButton());

/** What a parent may do with a button: put the focus on it. */
export interface FocusHandle {
  focus(): void;
}

interface ButtonProps {
  children: ReactNode;
  onClick: () => void;
  secondary?: boolean;
  icon?: string;
  disabled?: boolean;
  /** The accessible name where the visible text alone says too little; it should begin with that text. */
  label?: string;
  title?: string;
  /** Marks it for the keyboard's way through a list. */
  name?: string;
  ref?: Ref<FocusHandle>;
}

export function Button(props: ButtonProps) {
  const element = useFocusHandle(props.ref);
  return (
    <vscode-button
      ref={element}
      appearance={props.secondary ? "secondary" : "primary"}
      disabled={props.disabled ?? false}
      aria-label={props.label}
      title={props.title}
      data-name={props.name}
      onClick={props.onClick}
    >
      {props.icon && (
        <span slot="start">
          <Icon name={props.icon} />
        </span>
      )}
      {props.children}
    </vscode-button>
  );
}

interface IconButtonProps {
  icon: string;
  label: string;
  onClick: () => void;
  disabled?: boolean;
  /** For a button that opens something: whether it is open. */
  expanded?: boolean;
  ref?: Ref<FocusHandle>;
}

export function IconButton(props: IconButtonProps) {
  const element = useFocusHandle(props.ref);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the element renders a button, to which it passes the attribute
    <vscode-button
      ref={element}
      appearance="icon"
      disabled={props.disabled ?? false}
      aria-label={props.label}
      aria-expanded={props.expanded}
      title={props.label}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </vscode-button>
  );
}

function useFocusHandle(ref: Ref<FocusHandle> | undefined) {
  const element = useRef<HTMLElement>(null);
  // One handle for the element's life: one that is made anew is missing while React changes the page.
  useImperativeHandle(ref, () => ({ focus: () => element.current?.focus() }), []);
  return element;
}
