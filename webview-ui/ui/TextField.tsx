import { provideVSCodeDesignSystem, vsCodeTextField } from "@vscode/webview-ui-toolkit";
import type { FormEvent, KeyboardEvent } from "react";

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
  return (
    <vscode-text-field
      value={props.value}
      aria-label={props.label}
      placeholder={props.placeholder}
      onKeyDown={props.onKeyDown}
      onInput={(event: FormEvent<HTMLElement>) =>
        props.onInput((event.currentTarget as HTMLElement & { value: string }).value)
      }
    />
  );
}
