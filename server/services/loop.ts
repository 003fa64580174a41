/** Does something again and again, with a pause in between. */
export function createLoop(work: () => Promise<void>, pauseMs: number) {
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | undefined
  let isEnding = false
  function next(): void {
    if (isEnding) return
    timer = setTimeout(() => {
      underWay = work().finally(next)
    }, pauseMs)
  }
  return {
    start: next,
    async stop() {
      isEnding = true
      clearTimeout(timer)
      await underWay
    },
  }
}
