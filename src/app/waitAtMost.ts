/** Waits for work, but no longer than so many milliseconds; the work goes on. Rejects when it fails in that time. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const waited = new Promise<void>((resolve) => setTimeout(resolve, ms))
  await Promise.race([work, waited])
}
