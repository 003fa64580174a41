import { useSyncExternalStore } from 'react'
import { loud, type Trouble } from '../domain/trouble/trouble.ts'
import { createEmitter } from '../events/emitter.ts'
import { isZeroTime } from './lastReport.ts'

/** What is wrong now, as far as this page knows. */
export interface TroubleState {
  /** Worst and newest first; `undefined` before it was looked for. */
  troubles?: readonly Trouble[]
  /** How many of them nobody has silenced. */
  count: number
  /** The worst of each server and of each service. */
  worstOfServer: ReadonlyMap<number, Trouble>
  worstOfService: ReadonlyMap<number, Trouble>
}

const nothing: TroubleState = { count: 0, worstOfServer: new Map(), worstOfService: new Map() }

let state = nothing
let ranks = new Map<number, number>()
let version = 0
const changes = createEmitter()

/** Behind offline servers, alarms and warnings; silenced trouble stands with the warnings. */
const well = 3
const rankOf: Readonly<Record<Trouble['severity'], number>> = { critical: 0, alarm: 1, warning: 2, silenced: 2 }

/** @param troubles worst and newest first; `undefined` when nobody looks any more */
export function setTrouble(troubles: readonly Trouble[] | undefined): void {
  if (!troubles) state = nothing
  else if (isSame(troubles, state.troubles)) return
  else state = stateOf(troubles)
  const newRanks = new Map([...state.worstOfServer].map(([id, { severity }]) => [id, rankOf[severity]]))
  if (!isSameMap(newRanks, ranks)) {
    ranks = newRanks
    version += 1
  }
  changes.emit()
}

function stateOf(troubles: readonly Trouble[]): TroubleState {
  const worstOfServer = new Map<number, Trouble>()
  const worstOfService = new Map<number, Trouble>()
  for (const trouble of troubles) {
    if ('server_id' in trouble && !worstOfServer.has(trouble.server_id)) worstOfServer.set(trouble.server_id, trouble)
    if ('service_id' in trouble && !worstOfService.has(trouble.service_id)) {
      worstOfService.set(trouble.service_id, trouble)
    }
  }
  return { troubles, count: loud(troubles).length, worstOfServer, worstOfService }
}

/** What is compared is plain data of a few hundred things at most. */
const isSame = (one: readonly Trouble[], other: readonly Trouble[] | undefined): boolean =>
  one.length === other?.length && JSON.stringify(one) === JSON.stringify(other)

const isSameMap = (one: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>): boolean =>
  one.size === other.size && [...one].every(([id, rank]) => other.get(id) === rank)

/** What `pick` takes of it; the component is drawn when that changes. */
export const useTrouble = <T>(pick: (state: TroubleState) => T): T =>
  useSyncExternalStore(changes.subscribe, () => pick(state))

/** The place of a server in an order that begins with trouble: offline, alarm, warning, all else. */
export const troubleRank = ({ id, last_active }: { id: number | string; last_active?: string }): number =>
  ranks.get(Number(id)) ?? (state.troubles === undefined && isZeroTime(last_active) ? 0 : well)

/** Changes when trouble of a server begins or ends, and not with each measured value. */
export const troubleRanks = { subscribe: changes.subscribe, version: () => version }
