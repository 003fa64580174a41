import type { FastifyRequest } from 'fastify'
import { errorPrefix } from '../../../src/schemas/define/wireNames.ts'
import { ApiError } from '../../wire/apiError.ts'
import type { Waf } from '../blocking/blockedAddresses.ts'
import type { Roles } from '../roles/roles.ts'
import type { User } from '../users/users.ts'
import { type ApiTokens, rightsOf, tokenPrefix } from './apiTokens.ts'

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
