import type { RecordChange } from '../../src/domain/configuration/plan.ts'
import type { Values } from '../../src/schemas/define/values.ts'
import { entityNamed } from '../../src/schemas/index.ts'
import { server } from '../../src/schemas/server.ts'
import type { ConfigurationRecords } from '../api/configurationPlugin.ts'
import type { Auth } from '../auth/auth.ts'
import { generateAgentSecret } from '../auth/users/users.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Person } from '../person.ts'
import { idsInText, readSite, writeSite } from '../site/site.ts'
import { ApiError, timestamp } from '../wire/apiCall.ts'
import { contentOf, type ImportEffects, noEffects } from './importLog.ts'
import { type ImportPlan, ownersByName } from './planImport.ts'
import { isNaming, namingSettings } from './planSettings.ts'

export interface ApplyServices {
  auth: Auth
  store: Store
  configuration: ConfigurationRecords
  person: Person | undefined
  /** Called again and again; what it throws ends the work. */
  judge(): void
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Carries out a plan in steps of `Store.inSlices`. @returns what takes it back, once the steps are taken */
export function applyImport(
  plan: ImportPlan,
  services: ApplyServices,
): { steps: Iterable<void>; effects: ImportEffects } {
  const effects = noEffects()
  return { effects, steps: takeSteps(plan, effects, services) }
}

function* takeSteps(plan: ImportPlan, effects: ImportEffects, services: ApplyServices): Generator<void> {
  const { store, configuration, person, judge } = services
  const userIds = yield* addUsers(plan, effects, services)
  const serverIds = yield* addServers(plan, userIds, effects, services)
  const changes = plan.records.changes.map((change): RecordChange => {
    return { ...change, ...(change.id !== undefined && { id: serverIds.get(change.id) ?? change.id }) }
  })
  const made: { change: RecordChange; id: number }[] = []
  yield* configuration.steps(person, changes, judge, (change, id) => made.push({ change, id }))
  for (const { id = 0, verb, entity, name, fields } of changes) {
    const isNewServer = effects.created.some((one) => one.entity === entity && one.id === id)
    if (verb === 'update' && !isNewServer) effects.updated.push({ entity, id, name, fields })
  }
  const owners = ownersByName(plan.data, plan.names)
  const stored = new Map(
    plan.data.records.flatMap(({ entity, id, stored: values }) =>
      values ? [[`${entity} ${plan.names.nameOf(entity, id)}`, values] as const] : [],
    ),
  )
  for (const { change, id } of made) {
    const table = entityTable(store, entityOf(change.entity))
    const user_id = userIds.get(owners.get(`${change.entity} ${change.name}`) ?? '')
    if (user_id !== undefined && user_id !== person?.id) table.update(id, { user_id })
    for (const [column, value] of Object.entries(stored.get(`${change.entity} ${change.name}`) ?? {})) {
      if (!table.all().some((row) => row[column] === value)) table.update(id, { [column]: value })
    }
    effects.created.push({ entity: change.entity, id, name: change.name, ...stateOf(change.entity, id, store) })
    yield
  }
  // What a configuration has set of a new server is newer than the server itself.
  for (const one of effects.created) {
    if (one.entity === server.name) Object.assign(one, stateOf(one.entity, one.id, store))
  }
  writeSettings(plan.settings.values, effects, store)
}

/** What tells later whether somebody has changed a record since. */
function stateOf(entityName: string, id: number, store: Store) {
  const entity = entityOf(entityName)
  const row = entityTable(store, entity).get(id)
  return { updatedAt: String(row?.updated_at ?? ''), content: row && contentOf(entity, row) }
}

function entityOf(name: string) {
  const entity = entityNamed(name)
  if (!entity) throw new ApiError(`there are no records of ${name}`)
  return entity
}

/** @returns the ids of all users of the file, by name */
function* addUsers(
  { users: planned, data, bindings }: ImportPlan,
  effects: ImportEffects,
  { auth, now }: ApplyServices,
): Generator<void, ReadonlyMap<string, number>> {
  const { users, furtherSecrets } = auth
  const at = timestamp(now())
  const ids = new Map(
    data.users.flatMap(({ username }) => {
      const id = planned.idOf(username)
      return id === undefined ? [] : [[username, id] as const]
    }),
  )
  for (const { username, password, role, rejectPassword, agentSecrets } of planned.added) {
    if (users.find({ username }).length > 0) throw changed(`there is a user "${username}" now`)
    const id = users.insert({
      created_at: at,
      updated_at: at,
      username,
      password,
      role,
      agent_secret: agentSecrets[0] ?? generateAgentSecret(),
      reject_password: rejectPassword,
    })
    ids.set(username, id)
    effects.users.push({ id, username, updatedAt: at })
    yield
  }
  for (const { username, secret } of planned.secrets) {
    const id = ids.get(username)
    if (id === undefined || !users.get(id)) throw changed(`there is no user "${username}" any more`)
    effects.secrets.push(furtherSecrets.add(id, secret))
    yield
  }
  for (const { username, provider, account } of bindings) {
    const id = ids.get(username)
    if (id === undefined || auth.bindings.userOf(provider, account) !== undefined)
      throw changed(`the account of "${username}" at ${provider} is in use`)
    auth.bindings.bind(id, provider, account)
    yield
  }
  return ids
}

const changed = (what: string) => new ApiError(`${what}: nothing was imported, make the plan again`)

/** @returns the ids of new servers by those of the plan */
function* addServers(
  { records, names }: ImportPlan,
  userIds: ReadonlyMap<string, number>,
  effects: ImportEffects,
  { store, person, now }: ApplyServices,
): Generator<void, ReadonlyMap<number, number>> {
  const table = entityTable(store, server)
  const at = timestamp(now())
  const ids = new Map<number, number>()
  for (const [placeholder, { id: ownId, name: ownName, uuid, owner = '' }] of records.newServers) {
    if (table.find({ uuid }).length > 0) throw changed(`the agent of "${ownName}" has come meanwhile`)
    const name = names.nameOf('server', ownId) ?? ownName
    const user_id = userIds.get(owner) ?? person?.id ?? 0
    const id = table.insert({ uuid, name, user_id, created_at: at, updated_at: at })
    ids.set(placeholder, id)
    effects.created.push({ entity: server.name, id, name, updatedAt: at })
    yield
  }
  return ids
}

/** Writes the settings that change, with the ids of the records that they name. */
function writeSettings(values: Values, effects: ImportEffects, store: Store): void {
  const names = Object.keys(values)
  if (names.length === 0) return
  const site = readSite(store)
  const next = Object.fromEntries(
    names.map((name) => [name, isNaming(name) ? idsOf(name, values[name], store) : values[name]]),
  )
  for (const name of names) effects.settings.push({ name, before: site[name] ?? null, after: next[name] ?? null })
  writeImportedSite(store, next)
}

/** Writes some settings of the site; the others stay. */
export function writeImportedSite(store: Store, values: Values): void {
  const next = { ...readSite(store), ...values }
  const ids = idsInText(String(next.ignored_ip_notification ?? ''))
  writeSite(store, { ...next, ignored_ip_notification_server_ids: ids })
}

/** Of a notifier group its id, and of servers their ids in one text. */
function idsOf(name: keyof typeof namingSettings, value: unknown, store: Store): number | string {
  const entity = entityOf(namingSettings[name])
  const byName = new Map(
    entityTable(store, entity)
      .all()
      .map((row) => [row.name, row.id]),
  )
  const ids = (Array.isArray(value) ? value : []).flatMap((one) => byName.get(one) ?? [])
  return name === 'ip_change_notification_group_id' ? (ids[0] ?? 0) : ids.join(',')
}
