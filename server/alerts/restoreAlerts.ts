import type { Alert } from './compileRules.ts'
import type { Kept } from './savedState.ts'
import { type PackedPair, type Pair, packPair, unpackPair, type Watch } from './serverRules.ts'

/** An alert's samples as they are kept. */
interface KeptAlert {
  version: string
  /** The highest id of a server that was looked at. One that is not among the pairs had passed every sample. */
  upTo: number
  pairs: (readonly [serverId: number, PackedPair])[]
}

const nameOf = ({ id }: Alert) => `alert ${id}`

/** Gives an alert's samples to be kept: those of servers where there is something to tell. */
export function keepAlert(kept: Kept, { alert, pairs }: Watch): void {
  const packed: KeptAlert = { version: alert.version, upTo: 0, pairs: [] }
  for (const [id, pair] of pairs) {
    packed.upTo = Math.max(packed.upTo, id)
    const numbers = packPair(alert, pair)
    if (numbers) packed.pairs.push([id, numbers])
  }
  kept.set(nameOf(alert), packed)
}

/**
 * Where an alert stood on a server when it was kept; `undefined` when it was saved anew since, or there is nothing.
 * Asked server by server: to bring back all of them at once would hold up everybody.
 */
export function readAlert(kept: Kept, alert: Alert): ((serverId: number) => Pair | undefined) | undefined {
  const read = kept.read(nameOf(alert)) as KeptAlert | undefined
  const latest = kept.read('latest')
  if (read?.version !== alert.version || typeof latest !== 'number') return undefined
  const packed = new Map(read.pairs)
  return (id) => (id <= read.upTo ? unpackPair(alert, packed.get(id), latest) : undefined)
}
