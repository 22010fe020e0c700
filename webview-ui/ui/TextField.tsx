import { provideVSCodeDesignSystem, vsCodeTextField } from "@vscode/webview-ui-toolkit";
import { type FormEvent, type KeyboardEvent, useLayoutEffect, useRef } from "react";

provideVSCodeDesignSystem().register(vsCodeTextField());

interface TextFieldProps {
  value: string;
  label: string;
  placeholder: string;
  onInput: (value: string) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

/** One line of text; `onInput` comes with each key, unlike the element's own change event. */
export function TextField(props: TextFieldProps) {
  const element = useRef<HTMLElement>(null);
  // When it is connected, the element names itself "Text field", whatever label it came with.
  useLayoutEffect(() => element.current?.setAttribute("aria-label", props.label), [props.label]);
  return (
    <vscode-text-field
      ref={element}
      value={props.value}
      placeholder={props.placeholder}
      onKeyDown={props.onKeyDown}
      onInput={(event: FormEvent<HTMLElement>) =>
        props.onInput((event.currentTarget as HTMLElement & { value: string }).value)
      }
    />
  );
}
