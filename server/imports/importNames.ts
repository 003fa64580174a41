import type { NameOf, RecordsByEntity, StoredRecord } from '../../src/domain/configuration/fileValues.ts'
import { limits } from '../../src/schemas/define/fields.ts'
import type { ImportData, ImportedServer } from './readers/importData.ts'

/** What the records of a file are called here: names lead from one record to another, so no two of a kind share one. */
export interface ImportNames {
  /** @param id of the file */
  nameOf: NameOf
  /** The server here that has the uuid of one in the file. */
  serverOf(server: ImportedServer): StoredRecord | undefined
}

export function importNames(data: ImportData, stored: RecordsByEntity): ImportNames {
  const names = new Map<string, Map<number, string>>()
  const taken = new Map<string, Set<string>>()
  /** The number that a name of a kind gets next: thousands may have the same. */
  const nextNumbers = new Map<string, number>()

  function add(entity: string, id: number, wanted: string, current?: string): void {
    const others = taken.get(entity) ?? new Set()
    taken.set(entity, others)
    const ofEntity = names.get(entity) ?? new Map<number, string>()
    names.set(entity, ofEntity)
    const counted = `${entity} ${wanted.slice(0, longestStart)}`
    const { name, number } = freeName(wanted, others, nextNumbers.get(counted) ?? 2, current)
    nextNumbers.set(counted, number)
    others.add(name)
    ofEntity.set(id, name)
  }

  // Servers are recognized by their uuid, so the name of one in the file may be that of another one here.
  const here = stored.get('server')?.all ?? []
  const byUuid = new Map(here.map((record) => [record.uuid, record]))
  const uuids = new Set(data.servers.map(({ uuid }) => uuid))
  taken.set(
    'server',
    new Set(here.filter(({ uuid }) => typeof uuid !== 'string' || !uuids.has(uuid)).map(({ name }) => String(name))),
  )
  for (const server of data.servers) {
    const current = byUuid.get(server.uuid)
    add('server', server.id, server.name, current && String(current.name))
  }
  for (const { entity, id, name } of data.records) add(entity, id, name)
  return {
    nameOf: (entity, id) => names.get(entity)?.get(id),
    serverOf: ({ uuid }) => byUuid.get(uuid),
  }
}

/**
 * The name itself or, where somebody has it, one with a number: the one from the last import, if there was any.
 * @param first the number to begin with
 * @returns it, and the number to begin with the next time
 */
function freeName(
  wanted: string,
  taken: ReadonlySet<string>,
  first: number,
  current = '',
): { name: string; number: number } {
  if (!taken.has(wanted)) return { name: wanted, number: first }
  if (current.startsWith(wanted.slice(0, longestStart)) && /\(\d+\)$/.test(current) && !taken.has(current))
    return { name: current, number: first }
  for (let number = first; ; number++) {
    const name = `${wanted.slice(0, longestStart)} (${number})`
    if (!taken.has(name)) return { name, number: number + 1 }
  }
}

/** Leaves room for a number. */
const longestStart = limits.name - 8
