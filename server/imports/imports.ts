import type { MadeImport } from '../../src/schemas/endpoints/importEndpoints.ts'
import { entityNamed } from '../../src/schemas/index.ts'
import { service } from '../../src/schemas/service.ts'
import type { ConfigurationRecords } from '../api/configurationPlugin.ts'
import type { RecordsOf } from '../api/crud.ts'
import type { OwnedRecords } from '../api/ownedRecords.ts'
import type { Auth } from '../auth/auth.ts'
import { finishInTurns } from '../concurrency/takeTurns.ts'
import type { PastValues } from '../db/history/series.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import type { Person } from '../person.ts'
import type { PastReport } from '../services/history/serverHistory.ts'
import { dayOf } from '../services/history/serviceHistory.ts'
import type { Services } from '../services/services.ts'
import { ApiError } from '../wire/apiCall.ts'
import { applyImport } from './applyImport.ts'
import { type ImportEffects, openImportLog, toWire } from './importLog.ts'
import { type ImportPlan, planImport } from './planImport.ts'
import type { ImportData, PastResult } from './readers/importData.ts'
import { type ImportFile, readImportHistory } from './runImportProcess.ts'
import { undoImport } from './undoImport.ts'

/** Takes over what another product has, and takes that back. */
export interface Imports {
  /**
   * What an import would do now. Changes nothing; others have their turn meanwhile.
   * @param address where the person is
   * @throws ApiError when it takes too long
   */
  plan(data: ImportData, person: Person | undefined, address: string): Promise<ImportPlan>
  /**
   * Carries out a plan, all of it or nothing, and then writes the results of checks that the file has.
   * @throws ApiError when the records here are not as they were for the plan
   */
  apply(order: ImportOrder): Promise<MadeImport>
  /** The latest first. */
  list(): MadeImport[]
  /** @returns what somebody has changed since, and stays @throws ApiError */
  undo(id: number, person: Person | undefined, judge: () => void): Promise<{ entity: string; name: string }[]>
}

interface ImportOrder {
  data: ImportData
  /** Of the plan that somebody has seen. */
  digest: string
  /** Where the results of checks are read from. */
  file: ImportFile
  /** The name of the file as the person knows it. */
  name: string
  person: Person | undefined
  address: string
  /** Called again and again; what it throws ends the work. */
  judge(): void
}

interface ImportServices {
  store: Store
  auth: Auth
  log: Pick<Log, 'error'>
  configuration: ConfigurationRecords
  recordsOf: RecordsOf
  owned: Pick<OwnedRecords, 'move'>
  history: Pick<Services, 'samples' | 'metrics'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Milliseconds: what is allowed takes seconds, and a busy server has others to serve. */
const maxPlanMs = 5 * 60_000

export function createImports(services: ImportServices): Imports {
  const { store, auth, log, configuration, history, now } = services
  const imports = openImportLog(store)

  function* planSteps(data: ImportData, person: Person | undefined, address: string): Generator<void, ImportPlan> {
    const here = yield* configuration.readSteps(person)
    return yield* planImport(data, { auth, here, person, address })
  }

  async function plan(data: ImportData, person: Person | undefined, address: string): Promise<ImportPlan> {
    const startedAt = performance.now()
    return finishInTurns(planSteps(data, person, address), () => {
      if (performance.now() - startedAt > maxPlanMs)
        throw new ApiError('planning took more than 5 minutes: try again when this server has less to do')
    })
  }

  async function addHistory(file: ImportFile, made: ImportPlan, effects: ImportEffects): Promise<void> {
    const ids = idsHere(made, effects, store)
    try {
      await readImportHistory(file, (results) => addPastResults(history, results, ids, now()))
    } catch (error) {
      // The records are there, and worth more.
      log.error('The results of checks in the file could not be taken over:', error)
    }
  }

  return {
    plan,
    async apply({ data, digest, file, name, person, address, judge }) {
      // What changes from here on is noticed by the steps of the work: each change says what was there before.
      const made = await plan(data, person, address)
      judge()
      if (made.shown.digest !== digest)
        throw new ApiError('the records here have changed since the plan was made: make it again')
      if (made.shown.changes.length === 0) throw new ApiError('there is nothing to do')
      const { steps, effects } = applyImport(made, { auth, store, configuration, person, judge, now })
      let id = 0
      function* all(): Generator<void> {
        yield* steps
        effects.blocked.push(...made.blocked)
        const { kind, product } = data
        id = imports.add({ at: now(), kind, product, file: name, username: person?.username ?? '', effects })
      }
      await store.inSlices(all())
      // What fails here fails for its address alone.
      for (const one of made.blocked) blockSafely(one)
      await addHistory(file, made, effects)
      const row = imports.get(id)
      if (!row) throw new Error('An import that was made is not in the list.')
      return toWire(row)
    },
    list: imports.list,
    async undo(id, person, judge) {
      const row = imports.get(id)
      if (!row) throw new ApiError(`import id ${id} does not exist`)
      if (row.undone_at > 0) throw new ApiError('this import was undone already')
      const kept: { entity: string; name: string }[] = []
      function* all(effects: ImportEffects): Generator<void> {
        yield* undoImport(effects, kept, { ...services, person, judge })
        imports.markUndone(id, now())
      }
      await store.inSlices(all(row.effects))
      auth.waf.unblock(row.effects.blocked)
      return kept
    },
  }

  function blockSafely(address: string): void {
    try {
      auth.waf.block(address)
    } catch (error) {
      log.error(`The address ${address} of an import could not be blocked:`, error)
    }
  }
}

/** Where the services and servers of a file are now. */
function idsHere({ data, names }: ImportPlan, { created }: ImportEffects, store: Store): IdsHere {
  const services = new Map(created.flatMap(({ entity, name, id }) => (entity === service.name ? [[name, id]] : [])))
  const newServers = new Map(created.flatMap(({ entity, name, id }) => (entity === 'server' ? [[name, id]] : [])))
  const serverTable = entityNamed('server')
  const servers = new Map(
    serverTable
      ? entityTable(store, serverTable)
          .all()
          .map((row) => [row.uuid, row.id])
      : [],
  )
  const uuids = new Map(data.servers.map(({ id, uuid }) => [id, uuid]))
  return {
    service: (id) => services.get(names.nameOf(service.name, id) ?? ''),
    server: (id) => servers.get(uuids.get(id)),
    newServer: (id) => newServers.get(names.nameOf('server', id) ?? ''),
  }
}

/** Where the services and servers of a file are here; without an id, their results are left out. */
interface IdsHere {
  /** Only of services that the import has made: another one has results of its own. */
  service(id: number): number | undefined
  server(id: number): number | undefined
  /** Only of servers that the import has made. */
  newServer(id: number): number | undefined
}

/** Writes what another product has measured to the history. @param now milliseconds since 1970 */
async function addPastResults(
  { samples, metrics }: Pick<Services, 'samples' | 'metrics'>,
  results: readonly PastResult[],
  ids: IdsHere,
  now: number,
): Promise<void> {
  const checks: PastValues[] = []
  const days: PastValues[] = []
  const reports: PastReport[] = []
  for (const result of results) {
    const { at } = result
    if (at > now) continue
    if (result.series === 'metrics') {
      const { state, temperature } = result
      const server = ids.newServer(result.server)
      const temperatures = temperature === undefined ? {} : { temperatures: [{ Name: '', Temperature: temperature }] }
      if (server !== undefined) reports.push({ server, at, state: { ...state, ...temperatures } })
      continue
    }
    const { series, service, server, up, down, delay } = result
    const one = ids.service(service)
    const other = series === 'days' ? 0 : ids.server(server)
    if (one === undefined || other === undefined) continue
    const values = [up, down, 0, delay]
    if (series === 'checks') checks.push({ key: { one, other }, at, values })
    else days.push({ key: { one, other: 0 }, at: dayOf(at), values })
  }
  await samples.checks.addPast(checks, now)
  await samples.days.addPast(days, now)
  await metrics.addPast(reports, now)
}
