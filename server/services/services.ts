import { type History, openHistory } from '../db/history/openHistory.ts'
import { openPushes, type Pushes } from './checks/push/pushes.ts'
import { createRecorder, type Recorder } from './history/recorder.ts'
import { openSamples, type Samples } from './history/samples.ts'
import { openServerMetrics, type ServerMetrics } from './history/serverMetrics.ts'
import { createServiceHistories, type ServiceHistories } from './history/serviceHistory.ts'
import { createOverview, type Overview } from './overview.ts'
import { createServiceChecker, type ServiceChecker, type ServiceCheckerServices } from './serviceChecker.ts'

export interface ServicesOptions extends Omit<ServiceCheckerServices, 'samples' | 'pushes'> {
  /** Where results and metrics are stored. Default: in memory. */
  history?: History
}

/** Checks services, and records their results and the metrics of servers over time. */
export interface Services {
  checker: ServiceChecker
  recorder: Recorder
  pushes: Pushes
  samples: Samples
  metrics: ServerMetrics
  overview: Overview
  histories: ServiceHistories
  /** How many days the histories reach back. */
  historyDays: number
  start(): void
  /** Resolves when everything is saved. */
  stop(): Promise<void>
}

export function createServices({ history = openHistory(':memory:'), ...options }: ServicesOptions): Services {
  const { machines, now = Date.now } = options
  const samples = openSamples(history)
  const metrics = openServerMetrics(history)
  const pushes = openPushes(options.store)
  const checker = createServiceChecker({ ...options, samples, pushes })
  const recorder = createRecorder({ ...options, samples, metrics, saveStatuses: checker.save })
  let unsubscribe = () => {}
  return {
    checker,
    recorder,
    pushes,
    samples,
    metrics,
    overview: createOverview(samples, checker),
    histories: createServiceHistories(samples),
    historyDays: history.days,
    start() {
      unsubscribe = machines.onReport((id, { state }) => metrics.add(id, state, now()))
      checker.start()
      recorder.start()
    },
    async stop() {
      unsubscribe()
      await checker.stop()
      await recorder.stop()
    },
  }
}
