import type { FastifyInstance } from 'fastify'
import { errorMessage } from '../../src/domain/errors.ts'
import type { Right } from '../../src/schemas/define/access.ts'
import { isObject, type Values } from '../../src/schemas/define/values.ts'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import type { OrderReport } from '../../src/schemas/machines/serverConfig.ts'
import { server } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import { addAuditDetails, auditNames, auditTarget, route } from '../http/routes/route.ts'
import { may, type Person } from '../person.ts'
import { ApiError, withoutEmpty } from '../wire/apiCall.ts'
import { readFields, readIds } from '../wire/readFields.ts'
import type { Host } from './hosts/host.ts'
import type { Machines } from './machines.ts'

export interface OrderServices {
  store: Store
  machines: Machines
}

function readConfigForm(body: unknown): { servers: number[]; config: string } {
  const { servers, config = '' } = readFields(body, 'ServerConfigForm', {
    servers: { kind: 'list', of: { kind: 'uint64' } },
    config: { kind: 'string' },
  })
  return { servers: servers ?? [], config }
}

/**
 * A program that may write settings must not send an agent elsewhere: it takes the secret of its owner along, with which
 * it could speak for all of their servers. @throws Error with a sentence for the operator
 */
async function refuseNewIdentity(host: Host, config: string): Promise<void> {
  const keys = await changedIdentity(config, () => host.config())
  if (keys.length === 0) return
  throw new Error(`an API token cannot change where an agent connects to, or as whom: leave out ${keys.join(', ')}`)
}

/**
 * An agent that takes another secret is lost to this server. Those from 2.0.4 on refuse it themselves.
 * @throws Error with a sentence for the operator
 */
async function refuseNewSecret(host: Host, config: string): Promise<void> {
  if (await givesOtherSecret(config, () => host.config())) {
    throw new Error('the secret of an agent cannot be changed with its settings')
  }
}

/** Reads and writes the settings of machines, and orders updates (docs/contract/CONTRACT.md#54-servers). */
export function registerServerOrders(app: FastifyInstance, { store, machines }: OrderServices): void {
  const servers = entityTable(store, server)

  /** The rows of these ids; unknown ones are ignored. @throws ApiError when the person lacks a right on one of them */
  function rowsWith(rights: readonly Right[], ids: readonly number[], person: Person | undefined): ServerRow[] {
    const rows = ids.flatMap((id) => servers.get(id) ?? [])
    const isAllowed = (row: ServerRow) => rights.every((right) => may(person, right, row, [row.id]))
    if (!rows.every(isAllowed)) throw new ApiError('permission denied')
    return rows
  }

  /** `undefined` while the machine is offline. @throws ApiError when it cannot read its settings */
  async function configOf(row: ServerRow): Promise<string | undefined> {
    try {
      return await machines.connected(row)?.config()
    } catch (error) {
      throw new ApiError(`get server config failed: ${errorMessage(error)}`)
    }
  }

  route(app, 'serverConfig', endpoints.serverConfig, async ({ params, person }) => {
    const [row] = rowsWith(['configure'], [params.id], person)
    const config = row && (await configOf(row))
    return config === undefined ? undefined : withoutSecret(config)
  })

  route(
    app,
    { name: 'setServerConfig', audit: 'server.config' },
    endpoints.setServerConfig,
    readConfigForm,
    (request) => {
      const { servers: ids, config } = request.body
      const { person } = request
      // Settings of an agent say which commands it takes.
      const needed = ['configure', 'act'] as const
      const rows = rowsWith(needed, ids, person)
      const rowById = new Map(rows.map((row) => [row.id, row]))
      addAuditDetails(request, {
        target: auditTarget('server', [...rowById.keys()]),
        detail: auditNames([...rowById.values()], ({ name }) => name),
      })
      return sendOrder(
        [...rowById.keys()],
        (id) => rowById.get(id),
        async (host, id) => {
          if (person?.token) await refuseNewIdentity(host, config)
          await refuseNewSecret(host, config)
          // The agent was asked first, which takes up to ten seconds.
          request.judgeAgain?.()
          rowsWith(needed, [id], request.person)
          return host.applyConfig(withStoredSecret(config))
        },
      )
    },
  )

  route(app, { name: 'forceUpdate', audit: 'server.force-update' }, endpoints.forceUpdate, readIds, (request) => {
    const ids = [...new Set(request.body)]
    // A server of another owner is treated as unknown: its existence is not revealed.
    const rowOf = (id: number) => {
      const row = servers.get(id)
      return row && may(request.person, 'act', row, [id]) ? row : undefined
    }
    addAuditDetails(request, {
      target: auditTarget('server', ids),
      detail: auditNames(ids, (id) => rowOf(id)?.name ?? `#${id}`),
    })
    return sendOrder(ids, rowOf, async (host, id) => {
      await host.orderUpdate(() => {
        request.judgeAgain?.()
        if (!rowOf(id)) throw new ApiError('permission denied')
      })
      return { reconnects: false }
    })
  })

  /** Sends an order to each machine that is online, and reports the result by id. */
  async function sendOrder(
    ids: readonly number[],
    rowOf: (id: number) => ServerRow | undefined,
    order: (host: Host, id: number) => Promise<{ reconnects: boolean }>,
  ): Promise<Partial<OrderReport>> {
    const report: OrderReport = { success: [], failure: [], offline: [], reconnecting: [], reasons: {} }
    const send = async (id: number): Promise<void> => {
      const row = rowOf(id)
      const host = row && machines.connected(row)
      if (!host) {
        report.offline.push(id)
        return
      }
      try {
        const outcome = await order(host, id)
        report.success.push(id)
        if (outcome.reconnects) report.reconnecting.push(id)
      } catch (error) {
        report.failure.push(id)
        report.reasons[id] = errorMessage(error)
      }
    }
    await Promise.all(ids.map(send))
    // In the order of the request, not of the answers.
    const position = new Map(ids.map((id, index) => [id, index]))
    for (const list of [report.success, report.failure, report.offline, report.reconnecting]) {
      list.sort((one, other) => (position.get(one) ?? 0) - (position.get(other) ?? 0))
    }
    const { reasons, ...lists } = report
    return { ...withoutEmpty(lists), ...(Object.keys(reasons).length > 0 && { reasons }) }
  }
}

/** Stands in an agent's settings for its secret, which is that of its owner: nobody is shown it here. */
const concealedSecret = '…'

/** The settings by which an agent knows its server, and by which that knows the agent and its owner. */
const identityKeys: ReadonlySet<string> = new Set(['server', 'client_secret', 'uuid', 'tls', 'insecure_tls', 'dns'])

/** An agent's settings as people may see them. @param text JSON, as the agent sent it */
const withoutSecret = (text: string): string =>
  changed(text, ([key, value]) => [[key, isSecret(key) && value ? concealedSecret : value]])

/** The same settings as they are sent back: what nobody was shown is left out, and the agent keeps it. */
const withStoredSecret = (text: string): string =>
  changed(text, ([key, value]) => (isSecret(key) && (value === concealedSecret || value === '') ? [] : [[key, value]]))

/**
 * The settings in this text that would change where an agent connects to, or as whom.
 * @param current reads the agent's settings, where the text has such a setting at all
 */
async function changedIdentity(text: string, current: () => Promise<string>): Promise<string[]> {
  const given = Object.entries(objectIn(withStoredSecret(text)) ?? {}).filter(([key]) => identityKeys.has(nameOf(key)))
  if (given.length === 0) return []
  const present = objectIn(await current()) ?? {}
  return given.filter(([key, value]) => !isSame(value, present[nameOf(key)])).map(([key]) => key)
}

/**
 * Whether this text would give an agent another secret. Agents skip a value of `null`.
 * @param current reads the agent's settings, where the text has a secret at all
 */
async function givesOtherSecret(text: string, current: () => Promise<string>): Promise<boolean> {
  const given = Object.entries(objectIn(withStoredSecret(text)) ?? {}).filter(
    ([key, value]) => isSecret(key) && value !== null,
  )
  if (given.length === 0) return false
  const present = objectIn(await current())?.client_secret
  return given.some(([, value]) => !isSame(value, present))
}

type Entry = readonly [key: string, value: unknown]

/** Agents read names in any case, and take letters such as the long s for those of which they are a form. */
const nameOf = (key: string) => key.toUpperCase().toLowerCase()
const isSecret = (key: string) => nameOf(key) === 'client_secret'

/** Agents leave out what is empty. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one || null) === JSON.stringify(other || null)

/** Texts without a secret, and those that are no object, go on letter by letter. */
function changed(text: string, change: (entry: Entry) => Entry[]): string {
  const settings = objectIn(text)
  if (!settings || !Object.keys(settings).some(isSecret)) return text
  return JSON.stringify(Object.fromEntries(Object.entries(settings).flatMap(change)))
}

function objectIn(text: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
