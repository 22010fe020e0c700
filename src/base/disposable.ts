/** Something that holds a resource until told to let go. Contract: calling `dispose` again does nothing. */
export interface Disposable {
  dispose(): void;
}

/** Owns disposables; what is added after its own disposal is disposed at once, so that nothing leaks. */
export class DisposableStore implements Disposable {
  private readonly items = new Set<Disposable>();
  private disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.add(item);
    return item;
  }

  dispose(): void {
    this.disposed = true;
    const items = [...this.items].reverse();
    this.items.clear();
    for (const item of items) item.dispose();
  }
}
