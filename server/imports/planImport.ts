import { createHash } from 'node:crypto'
import { configuredFields, type RecordsByEntity } from '../../src/domain/configuration/fileValues.ts'
import type { FieldChange } from '../../src/domain/configuration/plan.ts'
import { withoutSecrets } from '../../src/schemas/define/innerSecrets.ts'
import type { ImportChange, ImportPlanReply } from '../../src/schemas/endpoints/importEndpoints.ts'
import { entityNamed } from '../../src/schemas/index.ts'
import { addressGroup } from '../auth/addresses/clientAddress.ts'
import type { Auth } from '../auth/auth.ts'
import type { Person } from '../person.ts'
import { type ImportNames, importNames } from './importNames.ts'
import { type PlannedRecords, planRecords } from './planRecords.ts'
import { type PlannedSettings, planSettings } from './planSettings.ts'
import { type PlannedUsers, planUsers } from './planUsers.ts'
import type { ImportData, ImportedServer, Skipped } from './readers/importData.ts'

/** What an import does, for those who see it and for those who carry it out. */
export interface ImportPlan {
  data: ImportData
  names: ImportNames
  users: PlannedUsers
  records: PlannedRecords
  settings: PlannedSettings
  bindings: ImportData['bindings']
  blocked: readonly string[]
  shown: ImportPlanReply
}

export interface PlanServices {
  auth: Auth
  /** The records here as the person may see them. */
  here: RecordsByEntity
  person: Person | undefined
  /** Where the person is, who must not block it. '' when that is not known */
  address: string
}

/** Compares a file with what is here, in steps between which others can be served; nothing is changed. */
export function* planImport(
  read: ImportData,
  { auth, here, person, address }: PlanServices,
): Generator<void, ImportPlan> {
  const data = withKnownServers(read)
  const names = importNames(data, here)
  yield
  const users = planUsers(data.users, auth)
  yield
  const records = yield* planRecords(data, names, here)
  const settings = planSettings(data, names, here, auth.store)
  const bindings = planBindings(data, users, auth)
  const blocked = planBlocked(data, auth, address)
  const changes = [
    ...users.changes,
    ...shownRecords(records, names, data, person),
    ...bindings.added.map(({ username, provider, account }): ImportChange => {
      return { verb: 'create', entity: 'oauth2', name: username, fields: [{ field: provider, after: account }] }
    }),
    ...settings.changes,
    ...blocked.added.map((name): ImportChange => ({ verb: 'create', entity: 'waf', name, fields: [] })),
  ]
  yield
  const skipped = [
    ...data.skipped,
    ...users.skipped,
    ...records.skipped,
    ...bindings.skipped,
    ...settings.skipped,
    ...blocked.skipped,
  ].slice(0, maxSkipped)
  const unchanged = [users, records, bindings, settings, blocked].reduce((sum, one) => sum + one.unchanged, 0)
  const digest = createHash('sha256')
    .update(JSON.stringify([changes, data.kind]))
    .digest('base64url')
  return {
    data,
    names,
    users,
    records,
    settings,
    bindings: bindings.added,
    blocked: blocked.added,
    shown: {
      product: data.product,
      digest,
      changes,
      unchanged,
      skipped: skipped.map(({ args = {}, ...one }) => ({ ...one, args })),
    },
  }
}

/** Without servers whose agents could not be recognized: nothing refers to them either. */
function withKnownServers(data: ImportData): ImportData {
  const isKnown = ({ uuid }: ImportedServer) => uuidPattern.test(uuid)
  const unknown = data.servers.filter((server) => !isKnown(server))
  const skipped = unknown.map(({ entity, name }): Skipped => ({ entity, name, code: 'no_uuid' }))
  return { ...data, servers: data.servers.filter(isKnown), skipped: [...data.skipped, ...skipped] }
}

const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Nobody reads more. */
const maxSkipped = 2_000

/** The changes of records as people read them: a server that is not there yet is made, and who owns what is said. */
function shownRecords(
  { changes, newServers }: PlannedRecords,
  names: ImportNames,
  data: ImportData,
  person: Person | undefined,
): ImportChange[] {
  const owners = ownersByName(data, names)
  const isNewServer = (id: number | undefined) => id !== undefined && newServers.has(id)
  const ofNewServer = new Map(changes.flatMap((change) => (isNewServer(change.id) ? [[change.id, change]] : [])))
  const withOwner = (entity: string, name: string, given: readonly FieldChange[]): FieldChange[] => {
    const fields = withoutInnerSecrets(entity, given)
    const owner = owners.get(`${entity} ${name}`)
    const isOther = owner !== undefined && owner !== person?.username
    return [...fields, ...(isOther ? [{ field: 'user_id', after: owner }] : [])]
  }
  const made = [...newServers].map(([id, server]): ImportChange => {
    const name = names.nameOf('server', server.id) ?? server.name
    const fields = (ofNewServer.get(id)?.fields ?? []).map(({ field, after }) => ({ field, after }))
    return { verb: 'create', entity: 'server', name, fields: withOwner('server', name, fields) }
  })
  const others = changes.flatMap(({ verb, entity, name, id, fields }): ImportChange[] => {
    if (verb === 'delete' || isNewServer(id)) return []
    return [{ verb, entity, name, fields: verb === 'create' ? withOwner(entity, name, fields) : [...fields] }]
  })
  return [...made, ...others]
}

/** Of structured values, the secrets are left out. */
function withoutInnerSecrets(entityName: string, fields: readonly FieldChange[]): FieldChange[] {
  const entity = entityNamed(entityName)
  const ways = new Map(entity ? configuredFields(entity).map(({ name, secrets }) => [name, secrets]) : [])
  return fields.map((change) => {
    const secrets = ways.get(change.field)
    return secrets ? { ...change, after: withoutSecrets(change.after, secrets) } : change
  })
}

/** The owners of the records of a file, by entity and name. */
export function ownersByName({ servers, records }: ImportData, { nameOf }: ImportNames): ReadonlyMap<string, string> {
  return new Map(
    [...servers, ...records].flatMap(({ entity, id, name, owner }) =>
      owner === undefined ? [] : [[`${entity} ${nameOf(entity, id) ?? name}`, owner] as const],
    ),
  )
}

interface Planned<T> {
  added: readonly T[]
  unchanged: number
  skipped: readonly Skipped[]
}

type Binding = ImportData['bindings'][number]

/** Accounts at providers come along for users that the import makes: nobody else gets a way to sign in by a file. */
function planBindings(
  { bindings }: ImportData,
  { idOf, isNew }: PlannedUsers,
  { bindings: here }: Auth,
): Planned<Binding> {
  const added: Binding[] = []
  const skipped: Skipped[] = []
  let unchanged = 0
  for (const binding of bindings) {
    const { username, provider, account } = binding
    const user = here.userOf(provider, account)
    const refuse = (code: Skipped['code']) => skipped.push({ entity: 'oauth2', name: `${username}: ${provider}`, code })
    if (user !== undefined && user === idOf(username)) unchanged++
    else if (user !== undefined) refuse('binding_taken')
    else if (!isNew(username)) refuse('binding_of_existing')
    else if (provider === '' || account === '' || provider.length + account.length > maxBindingLength)
      refuse('setting_invalid')
    else added.push(binding)
  }
  return { added, unchanged, skipped }
}

/** Characters of the name of a provider and an account there. */
const maxBindingLength = 512

function planBlocked({ blocked }: ImportData, { waf }: Auth, ownAddress: string): Planned<string> {
  const added: string[] = []
  const skipped: Skipped[] = []
  let unchanged = 0
  for (const address of new Set(blocked)) {
    if (waf.isBlockedByAdmin(address)) unchanged++
    else if (ownAddress !== '' && addressGroup(address) === addressGroup(ownAddress))
      skipped.push({ entity: 'waf', name: address, code: 'own_address' })
    else added.push(address)
  }
  return { added, unchanged, skipped }
}
