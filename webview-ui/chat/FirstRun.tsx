import type { ModelChoiceView } from "../../src/protocol/chatView.ts";
import { Icon } from "../ui/Icon.tsx";
import type { ChatActions } from "./chatActions.ts";
import { texts } from "./texts.ts";

/** Until a model has been chosen: the three kinds there are. */
export function FirstRun(props: { actions: ChatActions }) {
  const choices: { kind: ModelChoiceView["kind"]; icon: string; title: string; text: string }[] = [
    { kind: "vscode", icon: "vscode", title: texts.firstRunVsCode, text: texts.firstRunVsCodeText },
    { kind: "service", icon: "plug", title: texts.firstRunService, text: texts.firstRunServiceText },
    { kind: "composer", icon: "tools", title: texts.firstRunComposer, text: texts.firstRunComposerText },
  ];
  return (
    <section className="first-run" aria-labelledby="first-run-title">
      <h2 id="first-run-title">{texts.firstRunTitle}</h2>
      <ul>
        {choices.map(({ kind, icon, title, text }) => (
          <li key={kind}>
            <button
              type="button"
              className="choice"
              onClick={() => props.actions.post({ type: "setUpModel", kind })}
            >
              <Icon name={icon} />
              <span>
                <strong>{title}</strong>
                <span className="secondary">{text}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className="secondary">{texts.firstRunText}</p>
    </section>
  );
}
