import type { Host, HostReport, ReportListener } from '../../host.ts'

interface ReportLoopOptions {
  /** Makes one report; may reject. */
  report: () => Promise<HostReport>
  /** Time from the end of one report to the begin of the next, asked for anew each time. */
  intervalMs: () => number
  /** Time from the start to the first report. */
  firstAfterMs: number
  /** Told once about a failure that stays the same, and again after a report has worked in between. */
  onError: (error: unknown) => void
}

/** Reports at intervals, whatever becomes of a single report or of a listener. */
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
  let failure: string | undefined

  async function tick(): Promise<void> {
    try {
      const made = await report()
      failure = undefined
      if (isStarted) tell(made)
    } catch (error) {
      const text = String(error)
      if (text !== failure) onError(error)
      failure = text
    }
    running = undefined
    if (isStarted) schedule(intervalMs())
  }

  function tell(made: HostReport): void {
    for (const listener of [...listeners]) {
      try {
        listener(made)
      } catch (error) {
        // One listener's fault is not the others'.
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
      // A wrapper of its own for each call, so that the same function given twice can be taken back once.
      const own: ReportListener = (made) => listener(made)
      listeners.add(own)
      return () => {
        listeners.delete(own)
      }
    },
    start() {
      if (isStarted) return
      isStarted = true
      // A report still under way from before a stop goes on by itself.
      if (!running) schedule(firstAfterMs)
    },
    async stop() {
      isStarted = false
      clearTimeout(timer)
      await running
    },
  }
}
