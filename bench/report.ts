/**
 * What a bench file is handed: `export async function bench(report: Report): Promise<void>` in bench/<area>.bench.ts.
 * Ratios ("1,000 hooks against 10: 1.1 x") say more than times, which depend on the machine.
 */
export type Report = (what: string, value: number, unit: string) => void;

/** Middle value of `runs` measurements of `work`, in milliseconds, after one run that does not count. */
export async function medianTime(runs: number, work: () => unknown): Promise<number> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? 0;
}
