import type { Host, HostReport, ReportListener } from '../../host.ts'

interface ReportLoopOptions {
  /** Creates one report; may reject. */
  report: () => Promise<HostReport>
  /** Milliseconds from the end of one report to the start of the next; called each time. */
  intervalMs: () => number
  /** Milliseconds from `start` to the first report. */
  firstAfterMs: number
  /** Called once for a failure that stays the same, and again after a report has succeeded in between. */
  onError: (error: unknown) => void
}

/** Reports at intervals. A report or a listener that fails does not stop the others. */
export function createReportLoop({
  report,
  intervalMs,
  firstAfterMs,
  onError,
}: ReportLoopOptions): Pick<Host, 'onReport' | 'start' | 'stop'> {
  const listeners = new Set<ReportListener>()
  let isStarted = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let lastError: string | undefined

  async function tick(): Promise<void> {
    try {
      const newReport = await report()
      lastError = undefined
      if (isStarted) notify(newReport)
    } catch (error) {
      const text = String(error)
      if (text !== lastError) onError(error)
      lastError = text
    }
    running = undefined
    if (isStarted) schedule(intervalMs())
  }

  function notify(newReport: HostReport): void {
    for (const listener of [...listeners]) {
      try {
        listener(newReport)
      } catch (error) {
        onError(error)
      }
    }
  }

  function schedule(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = tick()
    }, ms)
  }

  return {
    onReport(listener) {
      // A new function for each call, so that a listener added twice is removed once.
      const added: ReportListener = (newReport) => listener(newReport)
      listeners.add(added)
      return () => {
        listeners.delete(added)
      }
    },
    start() {
      if (isStarted) return
      isStarted = true
      // A report that is still running from before `stop` schedules the next one.
      if (!running) schedule(firstAfterMs)
    },
    async stop() {
      isStarted = false
      clearTimeout(timer)
      await running
    },
  }
}
