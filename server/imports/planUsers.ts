import { keptSecret } from '../../src/domain/configuration/fileValues.ts'
import { comparedName, usernameLength } from '../../src/schemas/account/username.ts'
import type { ImportChange } from '../../src/schemas/endpoints/importEndpoints.ts'
import { user as entity } from '../../src/schemas/user.ts'
import type { Auth } from '../auth/auth.ts'
import { isImportable } from '../auth/passwords/password.ts'
import { checkUsername, type User } from '../auth/users/users.ts'
import { ApiError } from '../wire/apiCall.ts'
import type { ImportedUser, Skipped } from './readers/importData.ts'

export interface PlannedUsers {
  /** Those that are made, each with the first of its secrets that nobody has here. */
  added: readonly ImportedUser[]
  /** Secrets that agents of users may have as well, of new users too. */
  secrets: readonly { username: string; secret: string }[]
  changes: readonly ImportChange[]
  unchanged: number
  skipped: readonly Skipped[]
  /** The id of a user who is here already. */
  idOf(username: string): number | undefined
  isNew(username: string): boolean
}

/**
 * People come along with their passwords. Of somebody who is here already nothing changes: a file must not give anybody
 * another password or role. Their agents are let in, because whoever imports it wants them to go on.
 */
export function planUsers(imported: readonly ImportedUser[], { users, furtherSecrets }: Auth): PlannedUsers {
  const here = new Map(users.all().map((user) => [user.username, user]))
  const looks = new Map(users.all().map(({ username }) => [comparedName(username), username]))
  const ownerOfSecret = new Map(users.all().map(({ agent_secret, username }) => [agent_secret, username]))
  const nameOf = new Map(users.all().map(({ id, username }) => [id, username]))
  const added = new Map<string, ImportedUser>()
  const secrets: PlannedUsers['secrets'][number][] = []
  const changes: ImportChange[] = []
  const skipped: Skipped[] = []
  let unchanged = 0

  function freeSecrets({ username, agentSecrets }: ImportedUser): string[] {
    return [...new Set(agentSecrets)].filter((secret) => {
      const owner = ownerOfSecret.get(secret) ?? nameOf.get(furtherSecrets.ownerOf(secret) ?? 0)
      if (owner !== undefined && owner !== username)
        skipped.push({ entity: entity.name, name: username, code: 'secret_taken' })
      if (owner === undefined) ownerOfSecret.set(secret, username)
      return owner === undefined
    })
  }

  function addSecrets(user: User, imported: ImportedUser): void {
    const free = freeSecrets(imported)
    for (const secret of free) secrets.push({ username: user.username, secret })
    if (free.length === 0) unchanged++
    else {
      const fields = [{ field: 'agent_secret', before: keptSecret, after: keptSecret }]
      changes.push({ verb: 'update', entity: entity.name, name: user.username, fields })
      skipped.push({ entity: entity.name, name: user.username, code: 'user_exists' })
    }
  }

  for (const one of imported) {
    const { username, role, password, rejectPassword } = one
    const existing = here.get(username)
    if (existing) {
      addSecrets(existing, one)
      continue
    }
    const problem = nameProblem(username, looks)
    if (problem) {
      skipped.push({ entity: entity.name, name: username, ...problem })
      continue
    }
    looks.set(comparedName(username), username)
    const [first = '', ...others] = freeSecrets(one)
    const isKnown = isImportable(password)
    if (!isKnown) skipped.push({ entity: entity.name, name: username, code: 'password_unknown' })
    added.set(username, { ...one, password: isKnown ? password : '', agentSecrets: first === '' ? [] : [first] })
    for (const secret of others) secrets.push({ username, secret })
    changes.push({
      verb: 'create',
      entity: entity.name,
      name: username,
      fields: [
        { field: 'role', after: role === 0 ? 'admin' : 'user' },
        ...(isKnown ? [{ field: 'password', after: keptSecret }] : []),
        ...(rejectPassword ? [{ field: 'reject_password', after: true }] : []),
        ...(first === '' ? [] : [{ field: 'agent_secret', after: keptSecret }]),
      ],
    })
  }
  return {
    added: [...added.values()],
    secrets,
    changes,
    unchanged,
    skipped,
    idOf: (username) => here.get(username)?.id,
    isNew: (username) => added.has(username),
  }
}

function nameProblem(username: string, looks: ReadonlyMap<string, string>): Pick<Skipped, 'code' | 'args'> | undefined {
  const other = looks.get(comparedName(username))
  if (other !== undefined) return { code: 'username_taken', args: { other } }
  try {
    checkUsername(username)
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { code: 'username_invalid', args: usernameLength }
  }
}
