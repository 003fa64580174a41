import { type Operation, operationsOf, PlanError } from '../../../src/domain/configuration/applyPlan.ts'
import {
  configuredEntities,
  isSetting,
  mentionedEntities,
  settingRow,
} from '../../../src/domain/configuration/configuredEntities.ts'
import {
  configuredFields,
  namedRecords,
  namesOf,
  type RecordsByEntity,
  type SecretsById,
  type StoredRecord,
  sameFileValue,
  storedRecords,
  toFileValue,
} from '../../../src/domain/configuration/fileValues.ts'
import type { RecordChange } from '../../../src/domain/configuration/plan.ts'
import { errorCause, errorMessage } from '../../../src/domain/errors.ts'
import { referencesOf } from '../../../src/schemas/define/describe.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import { fieldsIn } from '../../../src/schemas/define/values.ts'
import { cookies, csrfHeader, errorPrefix } from '../../../src/schemas/define/wireNames.ts'
import { fromWireRow, toWireBody, withoutComputed } from '../../../src/schemas/define/wireRows.ts'
import {
  configurationEndpoints,
  configurationNames,
  storedSecrets,
} from '../../../src/schemas/endpoints/configurationEndpoints.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import { StartError } from '../../log.ts'

/** The configuration of a server that runs, of this program or another of the contract, through its API. */
export async function openServer(api: ApiClient): Promise<ConfigurationSource> {
  const features = await announcedFeatures(api)
  const entities = configuredEntities().filter(({ api: { announced } }) => !announced || announced in features)
  const entityByName = new Map(entities.map((entity) => [entity.name, entity]))
  const entityOf = (name: string): Entity => {
    const entity = entityByName.get(name)
    if (!entity) throw new ApplyError(`This server has no ${name}.`)
    return entity
  }

  async function read(): Promise<RecordsByEntity> {
    const stored = new Map<string, ReturnType<typeof storedRecords>>()
    const secrets = await secretsIn(api, features)
    for (const entity of entities) {
      try {
        stored.set(
          entity.name,
          storedRecords(entity, await rowsOf(api, entity), secrets && (secrets[entity.name] ?? {})),
        )
      } catch (error) {
        // Settings are for the tokens of administrators alone.
        if (!(error instanceof NotFoundError || isSetting(entity))) throw error
      }
    }
    for (const [entity, given] of Object.entries(await readNames(stored))) stored.set(entity, namedRecords(given))
    return stored
  }

  /** @throws StartError when records cannot be written without them, and this person may not read them */
  async function readNames(stored: RecordsByEntity): Promise<NamesByEntity> {
    const mentioned = mentionedEntities(entities, features).map(({ name }) => name)
    if (mentioned.length === 0) return {}
    try {
      return configurationNames.parse(await api.send('GET', configurationEndpoints.configurationNames.path))
    } catch (error) {
      const isNeeded = (entity: Entity) =>
        referencesOf(entity).some(({ to }) => mentioned.includes(to)) && stored.get(entity.name)?.all.length
      if (entities.some(isNeeded)) throw error
      return {}
    }
  }

  async function applyOneByOne(changes: readonly RecordChange[], stored: RecordsByEntity): Promise<void> {
    const operations = operationsOf(changes, stored, entityOf)
    const done: RecordChange[] = []
    try {
      for (let next = operations.next(); !next.done; ) {
        const created = await carryOut(api, next.value, stored)
        done.push(next.value.change)
        next = operations.next(created)
      }
    } catch (error) {
      if (error instanceof PlanError) throw new ApplyError(error.message, done)
      const failed = changes[done.length]
      throw new ApplyError(`${failed?.entity} "${failed?.name}": ${errorMessage(error)}`, done)
    }
  }

  return {
    read,
    async apply(changes, stored) {
      if (!('configuration' in features)) return applyOneByOne(changes, stored)
      try {
        await api.send('POST', configurationEndpoints.applyConfiguration.path, { changes })
      } catch (error) {
        throw new ApplyError(errorMessage(error))
      }
    },
    close: async () => {},
  }
}

/** Names by entity and id. */
type NamesByEntity = Readonly<Record<string, Readonly<Record<string, string>>>>

/** `undefined` where the server does not say which secrets are set, or not to this token. */
async function secretsIn(api: ApiClient, features: object): Promise<Record<string, SecretsById> | undefined> {
  if (!('stored_secrets' in features)) return undefined
  try {
    return storedSecrets.parse(await api.send('GET', configurationEndpoints.storedSecrets.path))
  } catch {
    return undefined
  }
}

async function announcedFeatures(api: ApiClient): Promise<object> {
  return fieldsIn(fieldsIn(await api.send('GET', endpoints.setting.path)).wheelhouse)
}

async function rowsOf(api: ApiClient, entity: Entity, query = ''): Promise<StoredRecord[]> {
  const reply = await api.send('GET', `${entity.api.listPath}${query}`)
  const rows = isSetting(entity) ? [settingRow(entity, reply)] : reply
  return (Array.isArray(rows) ? rows : []).map((row) => fromWireRow(entity, row) as StoredRecord)
}

/** @returns the id of a record that was created */
async function carryOut(api: ApiClient, operation: Operation, stored: RecordsByEntity): Promise<number | undefined> {
  const { verb, entity, change } = operation
  if (verb === 'delete') {
    await api.send('POST', `batch-delete/${entity.api.path}`, [operation.id])
    return undefined
  }
  if (verb === 'create') {
    const id = await api.send('POST', entity.api.path, toWireBody(entity, operation.body))
    return typeof id === 'number' ? id : undefined
  }
  // An update replaces everything: what others have changed meanwhile must be in it.
  const rows = await rowsOf(api, entity, `?id=${operation.id}`)
  const fresh = rows.find(({ id }) => id === operation.id)
  if (!fresh || isChanged(entity, change, fresh, stored)) {
    throw new Error('it was changed by somebody else meanwhile: make the plan again')
  }
  const body = toWireBody(entity, { ...withoutComputed(entity, fresh), ...operation.body })
  await api.send('PATCH', `${entity.api.path}/${operation.id}`, body)
  return undefined
}

/** Whether a field to be changed has another value than when the plan was made. */
function isChanged(entity: Entity, { id = 0, fields }: RecordChange, fresh: StoredRecord, stored: RecordsByEntity) {
  const planned = stored.get(entity.name)?.byId.get(id)
  const nameOf = namesOf(stored)
  return configuredFields(entity).some((field) => {
    if (!planned || !fields.some((changed) => changed.field === field.name)) return !planned
    const [before, now] = [planned, fresh].map((record) => toFileValue(field, record, nameOf))
    return !sameFileValue(field, before, now)
  })
}

/** A server whose configuration is read and changed: one in a data folder, or one that runs. */
export interface ConfigurationSource {
  /** What the person may see. */
  read(): Promise<RecordsByEntity>
  /**
   * Carries out changes. @param stored the records for which they were planned
   * @throws ApplyError with what was done before
   */
  apply(changes: readonly RecordChange[], stored: RecordsByEntity): Promise<void>
  close(): Promise<void>
}

/** The first change that failed. */
export class ApplyError extends Error {
  /** What was changed before. */
  readonly done: readonly RecordChange[]

  constructor(message: string, done: readonly RecordChange[] = []) {
    super(message)
    this.done = done
  }
}

/** Calls of `/api/v1` of a server elsewhere. */
export interface ApiClient {
  /** @returns the reply's `data` @throws Error with the server's words, NotFoundError where it has no such call */
  send(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<unknown>
}

/** The server has no such call. */
export class NotFoundError extends Error {}

interface Access {
  /** An API token, or the token of a session. */
  token?: string
  /** Signs in with a password in place of a token. */
  username?: string
  password?: string
}

/** How long one call may take. A real server sends lists of thousands of servers in seconds. */
const timeoutMs = 60_000

/**
 * @param server its address, as `https://monitor.example.org`
 * @throws StartError with a sentence for the operator
 */
export async function createApiClient(server: string, { token, username, password }: Access): Promise<ApiClient> {
  const root = apiRoot(server)
  let bearer = token
  let csrf = ''

  async function send(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<unknown> {
    const response = await reply(`${root}${path}`, {
      method,
      headers: {
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(csrf && { [csrfHeader]: csrf, cookie: `${cookies.csrf}=${csrf}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      // A token must not go anywhere else.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    csrf = csrfIn(response) ?? csrf
    return dataOf(response)
  }

  async function reply(url: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, init)
    } catch (error) {
      throw new StartError(`${server} does not answer: ${errorMessage(errorCause(error) ?? error)}`, {
        cause: error,
      })
    }
  }

  if (username !== undefined) {
    if (!password) throw new StartError('Set WHEELHOUSE_PASSWORD to the password of this user.')
    const { token: granted } = fieldsIn(await send('POST', 'login', { username, password }))
    if (typeof granted === 'string') bearer = granted
  }
  if (!bearer) throw new StartError('Give --token, set WHEELHOUSE_TOKEN, or give --user and set WHEELHOUSE_PASSWORD.')
  // The first GET brings what later calls need against forged requests.
  await send('GET', 'setting')
  return { send }
}

function apiRoot(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new StartError(
      `${server} is no address of a server: give its scheme and host, as https://monitor.example.org.`,
    )
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/api/v1/`
}

function csrfIn(response: Response): string | undefined {
  const pattern = new RegExp(`^${cookies.csrf}=([^;]*)`)
  return response.headers.getSetCookie().flatMap((cookie) => pattern.exec(cookie)?.[1] ?? [])[0]
}

async function dataOf(response: Response): Promise<unknown> {
  if (response.status === 404) throw new NotFoundError('The server has no such call.')
  const text = await response.text()
  const { success, data, error } = envelopeIn(text)
  if (response.ok && success === true) return data
  throw new StartError(explained(error ?? `The server answered ${response.status} ${response.statusText}`.trim()))
}

function envelopeIn(text: string): { success?: unknown; data?: unknown; error?: string } {
  try {
    const { success, data, error } = fieldsIn(JSON.parse(text))
    return { success, data, ...(typeof error === 'string' && { error }) }
  } catch {
    // A page of a proxy, or of a server that blocks this address: the status says more.
    return {}
  }
}

function explained(error: string): string {
  if (error.startsWith(errorPrefix.reauthentication)) {
    return 'The server asks again who you are before this change: sign in anew with --user, or apply the file in the console.'
  }
  if (error.startsWith(errorPrefix.secondFactor) || error.startsWith(errorPrefix.setUpSecondFactor)) {
    return 'This user has or needs a second factor, which a command cannot give: use --token, or apply the file in the console.'
  }
  if (error === errorPrefix.unauthorized) return 'The server does not accept this token or password.'
  return error
}
