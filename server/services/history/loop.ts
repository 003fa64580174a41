/** Repeats `work` with a pause after each run. */
export function createLoop(work: () => Promise<void>, pauseMs: number) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isStopped = false
  function next(): void {
    if (isStopped) return
    timer = setTimeout(() => {
      running = work().finally(next)
    }, pauseMs)
  }
  return {
    start: next,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
