import type { ChatStateView, ModelChoiceView } from "../../../src/protocol/chatView.ts";
import { Select, type SelectOption } from "../../ui/Select.tsx";
import type { ChatActions } from "../chatActions.ts";
import { texts } from "../texts.ts";

interface PickerProps {
  state: ChatStateView;
  actions: ChatActions;
}

export function ModePicker(props: PickerProps) {
  const { permissionMode, permissionModes } = props.state;
  const current = permissionModes.find(({ id }) => id === permissionMode);
  return (
    <Select
      label={texts.mode}
      title={current ? `${texts.mode}: ${current.detail}` : texts.mode}
      value={permissionMode}
      options={permissionModes.map(({ id, label }) => ({ id, text: label }))}
      onSelect={(mode) => props.actions.post({ type: "setMode", mode })}
    />
  );
}

/** An entry of the list that is no model; no model's id looks like it. */
const otherModels = "\u0001other";

export function ModelPicker(props: PickerProps) {
  const { models, modelId } = props.state;
  const current = models.find(({ id }) => id === modelId);
  const groups: Record<ModelChoiceView["kind"], string> = {
    vscode: texts.modelKindVsCode,
    service: texts.modelKindService,
    composer: texts.modelKindComposer,
  };
  const options: SelectOption[] = models.map(({ id, label, kind }) => ({
    id,
    text: label,
    group: groups[kind],
  }));
  if (!current) options.unshift({ id: "", text: texts.noModel });
  options.push({ id: otherModels, text: texts.otherModels });
  return (
    <Select
      label={texts.model}
      title={current?.detail ? `${texts.model}: ${current.detail}` : texts.model}
      value={current?.id ?? ""}
      options={options}
      onSelect={(id) => {
        if (id === otherModels) props.actions.post({ type: "chooseModel" });
        else if (id !== "") props.actions.post({ type: "setModel", id });
      }}
    />
  );
}
