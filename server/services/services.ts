import { type History, openHistory } from '../db/history/openHistory.ts'
import { createServiceWatch, type ServiceWatch, type WatchServices } from './checkServices.ts'
import { openSamples, type Samples } from './history/samples.ts'
import { type Metrics, openMetrics } from './history/serverMetrics.ts'
import { createServiceHistories, type ServiceHistories } from './history/serviceHistory.ts'
import { createOverview, type Overview } from './overview.ts'
import { createKeeper, type Keeper } from './recorder.ts'

export interface ServicesOptions extends Omit<WatchServices, 'samples'> {
  /** Where figures are kept. Default: in memory. */
  history?: History
}

/** Services and figures over time: checked, gathered, kept and told. */
export interface Services {
  watch: ServiceWatch
  keeper: Keeper
  samples: Samples
  metrics: Metrics
  overview: Overview
  histories: ServiceHistories
  start(): void
  /** Keeps what is known. */
  stop(): Promise<void>
}

export function createServices({ history = openHistory(':memory:'), ...options }: ServicesOptions): Services {
  const { machines, now = Date.now } = options
  const samples = openSamples(history)
  const metrics = openMetrics(history)
  const watch = createServiceWatch({ ...options, samples })
  const keeper = createKeeper({ ...options, samples, metrics, saveVerdicts: watch.save })
  let stopListening = () => {}
  return {
    ...{ watch, keeper, samples, metrics },
    overview: createOverview(samples, watch),
    histories: createServiceHistories(samples),
    start() {
      stopListening = machines.onReport((id, { state }) => metrics.add(id, state, now()))
      watch.start()
      keeper.start()
    },
    async stop() {
      stopListening()
      await watch.stop()
      await keeper.stop()
    },
  }
}
