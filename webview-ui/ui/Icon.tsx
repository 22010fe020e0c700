/** A codicon, for the eye alone: the text beside it, or the label of its button, says the same. */
export function Icon(props: { name: string; spin?: boolean }) {
  const spin = props.spin ? " codicon-modifier-spin" : "";
  return <span className={`codicon codicon-${props.name}${spin}`} aria-hidden="true" />;
}
