import type { RaRecord } from 'react-admin'
import type { ServerRow } from '../../../components/serverMetrics.ts'
import type { Trouble } from '../../../domain/trouble/trouble.ts'
import { type Section, sectionsOf } from '../../../engine/list/sections/sectionsOf.ts'

/** A server on the wall; `trouble` is the worst of it that somebody has silenced. */
interface ServerTile {
  id: number
  name: string
  trouble?: Trouble
}

interface WallTiles {
  /** What is wrong, worst first: each server once, with the worst of it. */
  troubles: readonly Trouble[]
  /** The other servers by groups, by name. */
  sections: readonly Section<ServerTile>[]
}

/**
 * What the wall shows of servers and of what is wrong.
 * @param isFiltered whether these are some of the servers, so that other trouble is about something else
 */
export function wallTiles(
  rows: readonly ServerRow[],
  troubles: readonly Trouble[],
  groups: readonly RaRecord[],
  isFiltered: boolean,
): WallTiles {
  const ids = new Set(rows.map(({ id }) => Number(id)))
  const worst = new Map<number, Trouble>()
  const loud = troubles.filter((trouble) => {
    if (!('server_id' in trouble)) return !isFiltered && trouble.severity !== 'silenced'
    const id = trouble.server_id
    if (!ids.has(id) || worst.has(id)) return false
    worst.set(id, trouble)
    return trouble.severity !== 'silenced'
  })
  const others = rows.flatMap(({ id, name }): ServerTile[] => {
    const trouble = worst.get(Number(id))
    return trouble && trouble.severity !== 'silenced' ? [] : [{ id: Number(id), name, trouble }]
  })
  others.sort((one, other) => collator.compare(one.name, other.name))
  return { troubles: loud, sections: sectionsOf(others, groups, 'servers') }
}

const collator = new Intl.Collator(undefined, { numeric: true })
