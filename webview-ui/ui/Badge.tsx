/** A small count or mark. Not the toolkit's, whose template carries an inline style: the content security policy forbids it. */
export function Badge(props: { children: string | number; title?: string }) {
  return (
    <span className="badge" title={props.title}>
      {props.children}
    </span>
  );
}
