import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { errorPrefix } from '../../src/schemas/define/wireNames.ts'
import type { Store } from '../db/store.ts'
import { type WriteBehind, writeBehind } from '../db/writeBehind.ts'
import type { TokenRights } from '../person.ts'
import { ApiError, timestamp } from '../wire/apiCall.ts'
import type { Waf } from './blocking/blockedAddresses.ts'
import type { Roles } from './roles/roles.ts'
import type { User } from './users/users.ts'

/** A token as it is stored: of its secret there is the SHA-256 only. */
export interface ApiTokenRow {
  id: number
  user_id: number
  name: string
  hash: string
  scopes: string[]
  /** Empty when it is not limited to servers. */
  server_ids: number[]
  /** RFC 3339, all of them; '' for never. */
  created_at: string
  expires_at: string
  last_used_at: string
  last_used_ip: string
}

export type NewApiToken = Pick<ApiTokenRow, 'user_id' | 'name' | 'scopes' | 'server_ids' | 'expires_at'>

export type SecretStatus = { state: 'good'; token: ApiTokenRow } | { state: 'expired' } | { state: 'unknown' }

/** The secrets with which programs call in the name of a user (docs/contract/CONTRACT.md#51-account). */
export interface ApiTokens {
  /** Of a user, the latest first. */
  ofUser(userId: number): ApiTokenRow[]
  get(id: number): ApiTokenRow | undefined
  /** @returns the token, and its secret, which is not stored */
  create(token: NewApiToken): { token: ApiTokenRow; secret: string }
  remove(id: number): void
  removeUsers(userIds: readonly number[]): void
  check(secret: string): SecretStatus
  /** Records when and from where a token was used. @returns whether it is the first use from this address */
  recordUse(token: ApiTokenRow, address: string): boolean
  /** Whether a token that was good when something long started still is. */
  isAlive(id: number): boolean
  /** Writes what is in memory only. */
  flush(): void
}

const tokenPrefix = 'nzp_'
/** Bytes of a secret. */
const secretLength = 32

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/**
 * @param now the clock, in milliseconds since 1970
 * @param onFailure called when the last use of tokens could not be written; it is written later
 */
export function createApiTokens(
  store: Store,
  now: () => number,
  onFailure: (error: unknown) => void = () => {},
): ApiTokens {
  const table = store.table<ApiTokenRow>({
    name: 'api_token',
    columns: [
      { name: 'user_id', type: 'INTEGER', indexed: true },
      { name: 'name', type: 'TEXT' },
      { name: 'hash', type: 'TEXT', unique: true },
      { name: 'scopes', type: 'JSON' },
      { name: 'server_ids', type: 'JSON' },
      { name: 'created_at', type: 'TEXT' },
      { name: 'expires_at', type: 'TEXT', initial: '' },
      { name: 'last_used_at', type: 'TEXT', initial: '' },
      { name: 'last_used_ip', type: 'TEXT', initial: '' },
    ],
  })
  /** Uses that are not written yet, by id: a program may call many times a second. */
  const unsaved = new Map<number, Pick<ApiTokenRow, 'last_used_at' | 'last_used_ip'>>()
  const writes: WriteBehind = writeBehind(saveUses, onFailure, { retry: true })

  function saveUses(): void {
    store.transaction(() => {
      for (const [id, use] of unsaved) table.update(id, use)
    })
    unsaved.clear()
  }

  const current = (row: ApiTokenRow): ApiTokenRow => ({ ...row, ...unsaved.get(row.id) })
  const isExpired = ({ expires_at }: ApiTokenRow) => expires_at !== '' && Date.parse(expires_at) <= now()

  function remove(ids: readonly number[]): void {
    store.urgently(() => table.remove(ids))
    for (const id of ids) unsaved.delete(id)
  }

  return {
    ofUser: (userId) => table.find({ user_id: userId }).map(current).reverse(),
    get: (id) => table.get(id),
    create(given) {
      const secret = `${tokenPrefix}${randomBytes(secretLength).toString('base64url')}`
      const row = { ...given, hash: hashOf(secret), created_at: timestamp(now()), last_used_at: '', last_used_ip: '' }
      return { token: { ...row, id: table.insert(row) }, secret }
    },
    remove: (id) => remove([id]),
    removeUsers: (userIds) => remove(userIds.flatMap((user_id) => table.find({ user_id }).map(({ id }) => id))),
    check(secret) {
      // The hash is what is compared, so the time that it takes says nothing about the secret.
      const [row] = table.find({ hash: hashOf(secret) })
      if (!row) return { state: 'unknown' }
      return isExpired(row) ? { state: 'expired' } : { state: 'good', token: current(row) }
    },
    recordUse({ id, last_used_ip }, address) {
      unsaved.set(id, { last_used_at: timestamp(now()), last_used_ip: address })
      writes.schedule()
      return last_used_ip !== address
    },
    isAlive(id) {
      const row = table.get(id)
      return row !== undefined && !isExpired(row)
    },
    flush: writes.flush,
  }
}

/** What a request may do that comes with this token. */
const rightsOf = ({ id, name, scopes, server_ids }: ApiTokenRow): TokenRights => ({
  id,
  name,
  scopes,
  ...(server_ids.length > 0 && { servers: new Set(server_ids) }),
})

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether an API token came from an address from which it was not used before. */
    isNewTokenAddress?: boolean
  }
}

interface Services {
  apiTokens: ApiTokens
  /** The owner of a token; `undefined` when they were deleted or disabled. */
  activeUser(id: number): Pick<User, 'id' | 'username' | 'role'> | undefined
  waf: Waf
  roles: Pick<Roles, 'grantsOf'>
}

/** The secret of an API token; `Bearer` is written as real servers want it (docs/contract/MCP.md#2-order-of-the-checks). */
function secretOf(request: FastifyRequest): string | undefined {
  const { authorization = '' } = request.headers
  return authorization.startsWith(`Bearer ${tokenPrefix}`) ? authorization.slice('Bearer '.length) : undefined
}

/**
 * Sets `request.person` to the owner of the API token, with its rights; a wrong one is an offence of the address.
 * @returns whether the request has an API token
 * @throws ApiError with 401 in the contract's words, BlockedError for a wrong one soon after another
 */
export function authenticateToken({ apiTokens, activeUser, waf, roles }: Services, request: FastifyRequest): boolean {
  const secret = secretOf(request)
  if (secret === undefined) return false
  const refuse = (reason: string): never => {
    waf.check(request.address, { kind: 'api-token' })
    waf.recordFailure(request.address, { kind: 'api-token' })
    throw new ApiError(`${errorPrefix.unauthorized}: ${reason}`, 401)
  }
  const status = apiTokens.check(secret)
  if (status.state !== 'good') return refuse(status.state === 'expired' ? 'api token expired' : 'invalid api token')
  const user = activeUser(status.token.user_id)
  if (!user) return refuse('owner of api token not found')
  waf.clearTokenFailures(request.address)
  request.isNewTokenAddress = apiTokens.recordUse(status.token, request.address)
  const { id, username, role } = user
  request.person = { id, username, role, token: rightsOf(status.token), grants: roles.grantsOf(id) }
  return true
}
