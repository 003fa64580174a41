import type { FastifyInstance } from 'fastify'
import { adminScopes } from '../../../src/schemas/define/access.ts'
import { nezhaEndpoints as endpoints } from '../../../src/schemas/endpoints/nezhaEndpoints.ts'
import { tokenScopes } from '../../../src/schemas/grantableScopes.ts'
import { server } from '../../../src/schemas/server.ts'
import type { Store } from '../../db/store.ts'
import { entityTable } from '../../entities/entityTable.ts'
import { addAuditDetails, auditNames, route } from '../../http/routes/route.ts'
import { isAdmin, may, owns, type Person, personOf } from '../../person.ts'
import { ApiError } from '../../wire/apiError.ts'
import { readFields } from '../../wire/readFields.ts'
import { timestamp } from '../../wire/timestamp.ts'
import { withoutEmpty } from '../../wire/withoutEmpty.ts'
import type { Auth } from '../auth.ts'
import type { ApiTokenRow } from '../tokens/apiTokens.ts'

/** The tokens of one user: more than anybody can keep apart. */
const maxTokensPerUser = 100
/** The limits of the contract. */
const limits = { name: 128, scopes: 32, servers: 1000, days: 3650 }
const dayMs = 86_400_000

interface TokenForm {
  name: string
  scopes: string[]
  server_ids: number[]
  expires_in_days: number
}

/** The own API tokens (docs/contract/CONTRACT.md#51-account). @param now milliseconds since 1970 */
export function registerApiTokens(app: FastifyInstance, { store, apiTokens }: Auth, now: () => number): void {
  route(app, 'apiTokens', endpoints.apiTokens, ({ person }) => apiTokens.ofUser(person?.id ?? 0).map(toWire))
  route(app, { name: 'createApiToken', audit: 'api-token.create' }, endpoints.createApiToken, readForm, (request) => {
    const person = personOf(request)
    const { name, scopes, server_ids, expires_in_days } = checkedForm(request.body as TokenForm, person, store)
    if (apiTokens.ofUser(person.id).length >= maxTokensPerUser) {
      throw new ApiError(`you have ${maxTokensPerUser} API tokens already: delete those that you do not need first`)
    }
    const expires_at = expires_in_days > 0 ? timestamp(now() + expires_in_days * dayMs) : ''
    const { token, secret } = apiTokens.create({ user_id: person.id, name, scopes, server_ids, expires_at })
    addAuditDetails(request, {
      target: `api-token ${token.id}`,
      detail: {
        ...auditNames([name]),
        scopes: scopes.join(' '),
        ...withoutEmpty({ expires_at, servers: server_ids.slice(0, 20).join(', ') }),
      },
    })
    return { id: token.id, name, token: secret, scopes, ...withoutEmpty({ server_ids, expires_at }) }
  })
  route(app, { name: 'deleteApiToken', audit: 'api-token.delete' }, endpoints.deleteApiToken, (request) => {
    const { id } = request.params
    const token = apiTokens.get(id)
    if (!token || !owns(request.person, token)) throw new ApiError('not found')
    addAuditDetails(request, { target: `api-token ${id}`, detail: auditNames([token.name]) })
    apiTokens.remove(id)
  })
}

const toWire = ({ id, name, scopes, created_at, ...row }: ApiTokenRow) => ({
  id,
  name,
  scopes,
  ...withoutEmpty({
    server_ids: row.server_ids,
    expires_at: row.expires_at,
    last_used_at: row.last_used_at,
    last_used_ip: row.last_used_ip,
  }),
  created_at,
})

/** @throws ApiError in the words of real servers, one line for each field */
function readForm(body: unknown): TokenForm {
  const given = readFields(body, 'APITokenCreateRequest', {
    name: { kind: 'string' },
    scopes: { kind: 'list', of: { kind: 'string' } },
    server_ids: { kind: 'list', of: { kind: 'uint64' } },
    expires_in_days: { kind: 'int' },
  })
  const { name = '', scopes, server_ids, expires_in_days = 0 } = given
  const failures = [
    ...failed('Name', name === '' ? 'required' : [...name].length > limits.name && 'max'),
    ...failed('Scopes', !scopes ? 'required' : scopes.length === 0 ? 'min' : scopes.length > limits.scopes && 'max'),
    ...failed('ServerIDs', (server_ids?.length ?? 0) > limits.servers && 'max'),
  ]
  if (failures.length > 0) throw new ApiError(failures.join('\n'))
  return { name, scopes: scopes ?? [], server_ids: server_ids ?? [], expires_in_days }
}

const failed = (field: string, tag: string | false) =>
  tag ? [`Key: 'APITokenCreateRequest.${field}' Error:Field validation for '${field}' failed on the '${tag}' tag`] : []

/** @throws ApiError */
function checkedForm({ name, scopes, server_ids, expires_in_days }: TokenForm, person: Person, store: Store) {
  const form = {
    name: name.trim(),
    scopes: [...new Set(scopes)],
    server_ids: [...new Set(server_ids)],
    expires_in_days,
  }
  if (form.name === '') throw new ApiError('name required')
  for (const scope of form.scopes) {
    const isForAdmins = adminScopes.includes(scope)
    if (!isForAdmins && !tokenScopes.includes(scope)) throw new ApiError(`unknown scope: ${scope.slice(0, 128)}`)
    if (isForAdmins && !isAdmin(person)) throw new ApiError(`only admin can issue scope: ${scope}`)
  }
  if (expires_in_days < 0) throw new ApiError('expires_in_days must be >= 0')
  if (expires_in_days > limits.days) {
    throw new ApiError(`expires_in_days too large (max ${limits.days}, i.e. 10 years)`)
  }
  const servers = entityTable(store, server)
  for (const id of form.server_ids) {
    if (id === 0) throw new ApiError('server_id 0 is invalid')
    const row = servers.get(id)
    if (!row) throw new ApiError('server not found')
    if (!may(person, 'see', row, [id])) throw new ApiError('permission denied on server')
  }
  return form
}
