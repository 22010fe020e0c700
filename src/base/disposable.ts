/** Something that holds a resource until told to let go. Contract: calling `dispose` again does nothing. */
export interface Disposable {
  dispose(): void;
}
