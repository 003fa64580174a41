import { contractScopes, type OwnScope, wholeArea } from './define/access.ts'
import type { Endpoint } from './define/endpoint.ts'
import type { Entity } from './define/entity.ts'
import { incidentEndpoints } from './endpoints/incidentEndpoints.ts'
import { endpoints } from './endpoints/index.ts'
import { entities } from './index.ts'

/** The scopes that entities and calls declare beyond the areas of the contract, and those of whole entities. */
export function declaredScopes(all: readonly Entity[], calls: readonly Endpoint[]): string[] {
  const needed = [...all.flatMap(({ scopes }) => Object.values(scopes)), ...calls.flatMap(({ scopes }) => scopes ?? [])]
  const own = needed.filter((scope): scope is OwnScope => scope.startsWith('wheelhouse:'))
  return [...new Set([...own, ...own.map(wholeArea)])].sort()
}

const own = declaredScopes(Object.values(entities), [...Object.values(endpoints), ...Object.values(incidentEndpoints)])

/** What every user may grant to a token on this server. */
export const tokenScopes: readonly string[] = [...contractScopes, ...own]
