import type { Systeminformation } from 'systeminformation'
import { querySystemInformation } from './querySystemInformation.ts'

export interface Gpus {
  names: string[]
  /** Percent, for each processor that reports it. */
  use: number[]
  /** Whether a processor reports its use, so that it is worth asking again. */
  reportsUse: boolean
}

export const NO_GPUS: Gpus = { names: [], use: [], reportsUse: true }

/** Queries the graphics processors. Without one that reports its use, only once, because the query starts programs. */
export async function refreshGpus(lastValue: Gpus): Promise<Gpus> {
  if (!lastValue.reportsUse) return lastValue
  const { controllers } = await querySystemInformation('graphics processors', (library) => library.graphics())
  return describeGpus(controllers)
}

/** Names and use of the graphics controllers found by the library. */
export function describeGpus(controllers: Systeminformation.GraphicsControllerData[]): Gpus {
  const use = controllers.map(({ utilizationGpu }) => utilizationGpu).filter((percent) => percent !== undefined)
  return {
    names: controllers.map(({ name, model }) => name || model).filter((name) => name !== ''),
    use,
    reportsUse: use.length > 0,
  }
}
