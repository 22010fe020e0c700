import { provideVSCodeDesignSystem, vsCodeBadge } from "@vscode/webview-ui-toolkit";

provideVSCodeDesignSystem().register(vsCodeBadge());

export function Badge(props: { children: string | number; title?: string }) {
  return <vscode-badge title={props.title}>{props.children}</vscode-badge>;
}
