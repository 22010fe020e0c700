import type { DetailedHTMLProps, HTMLAttributes } from "react";

type ElementProps<Own> = DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> & Own;

declare module "react" {
  namespace JSX {
    /** The toolkit's elements as this folder uses them. React 19 sets properties of custom elements, so no wrapper is needed. */
    interface IntrinsicElements {
      "vscode-button": ElementProps<{ appearance: "primary" | "secondary" | "icon"; disabled?: boolean }>;
      "vscode-panels": ElementProps<{ activeid: string }>;
      "vscode-panel-tab": ElementProps<object>;
      "vscode-panel-view": ElementProps<object>;
      "vscode-text-field": ElementProps<{ value: string; placeholder?: string; type?: "text" }>;
    }
  }
}
