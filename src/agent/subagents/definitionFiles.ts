import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** What is wrong with a file, for people. Lines and columns are 1-based. */
export interface FileProblem {
  file: string;
  line: number;
  column?: number;
  reason: string;
}

/** A file's definition, or why it has none. */
export type FileDefinition<T> = { file: string; definition: T } | { file: string; problem: FileProblem };

const maxFileBytes = 1024 * 1024;
const maxFilesPerFolder = 200;

/** The definitions in the files of some folders, read again where a file has changed. */
export class DefinitionFiles<T> {
  private readonly cache = new Map<string, { stamp: string; read: FileDefinition<T> }>();

  /**
   * `folders`: absolute, may not exist. `ending`: e.g. ".md". `onProblem` is told once per state of a file. Contract: neither
   * function may throw.
   */
  constructor(
    private readonly folders: readonly string[],
    private readonly ending: string,
    private readonly parse: (file: string, text: string) => FileDefinition<T> | Promise<FileDefinition<T>>,
    private readonly onProblem: (problem: FileProblem) => void = () => {},
  ) {}

  /** All of them, folder by folder, by file name. Never rejects. */
  async read(): Promise<readonly FileDefinition<T>[]> {
    const all: FileDefinition<T>[] = [];
    for (const folder of this.folders) {
      const names = await readdir(folder).catch(() => []);
      const wanted = names.filter((name) => name.endsWith(this.ending)).sort();
      for (const name of wanted.slice(0, maxFilesPerFolder)) all.push(await this.readOne(join(folder, name)));
    }
    const files = new Set(all.map(({ file }) => file));
    for (const file of [...this.cache.keys()]) if (!files.has(file)) this.cache.delete(file);
    return all;
  }

  private async readOne(file: string): Promise<FileDefinition<T>> {
    const found = await stat(file).catch((error: unknown) =>
      error instanceof Error ? error : new Error(String(error)),
    );
    const stamp = found instanceof Error ? found.message : `${found.mtimeMs} ${found.size} ${found.ino}`;
    const cached = this.cache.get(file);
    if (cached?.stamp === stamp) return cached.read;
    const read =
      found instanceof Error ? unreadable<T>(file, found.message) : await this.parseFile(file, found.size);
    this.cache.set(file, { stamp, read });
    if ("problem" in read) this.onProblem(read.problem);
    return read;
  }

  private async parseFile(file: string, size: number): Promise<FileDefinition<T>> {
    if (size > maxFileBytes) return unreadable(file, "it has more than 1 MB");
    try {
      return await this.parse(file, (await readFile(file, "utf8")).replace(/^\ufeff/, ""));
    } catch (error) {
      return unreadable(file, error instanceof Error ? error.message : String(error));
    }
  }
}

function unreadable<T>(file: string, why: string): FileDefinition<T> {
  return { file, problem: { file, line: 1, reason: `It could not be read: ${why}.` } };
}

/** `/project/.wave/agents/x.md:3: The name ...` */
export function describeFileProblem({ file, line, column, reason }: FileProblem): string {
  return `${file}:${line}${column === undefined ? "" : `:${column}`}: ${reason}`;
}
