import type { Systeminformation } from 'systeminformation'
import { askLibrary } from './systemInformation.ts'

export interface Gpus {
  names: string[]
  /** Percent, of those processors that tell. */
  use: number[]
  /** Whether asking again can bring news. */
  isWatched: boolean
}

export const NO_GPUS: Gpus = { names: [], use: [], isWatched: true }

/** Asks for the graphics processors; again only where one of them tells its use, because asking starts programs. */
export async function refreshGpus(before: Gpus): Promise<Gpus> {
  if (!before.isWatched) return before
  const { controllers } = await askLibrary('graphics processors', (library) => library.graphics())
  return describeGpus(controllers)
}

/** What the library says about each graphics controller, as names and use. */
export function describeGpus(controllers: Systeminformation.GraphicsControllerData[]): Gpus {
  const use = controllers.map(({ utilizationGpu }) => utilizationGpu).filter((percent) => percent !== undefined)
  return {
    names: controllers.map(({ name, model }) => name || model).filter((name) => name !== ''),
    use,
    isWatched: use.length > 0,
  }
}
