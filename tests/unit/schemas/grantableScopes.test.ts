import { expect, it } from 'vitest'
import { contractScopes, includesScope } from '../../../src/schemas/define/access.ts'
import { ownScopes } from '../../../src/schemas/define/entity.ts'
import { declaredScopes, tokenScopes } from '../../../src/schemas/grantableScopes.ts'
import { drill } from '../../support/drill/src/schemas/drill.ts'
import { endpoints } from '../../support/drill/src/schemas/endpoints/index.ts'

it('an entity with scopes of its own can be granted to tokens, whole or by what is done with it', () => {
  expect(drill.scopes).toEqual(ownScopes('drill'))
  const run = { ...endpoints.startDrill, scopes: ['wheelhouse:drill:exec'] as const }
  expect(declaredScopes([drill], [endpoints.startDrill, run])).toEqual([
    'wheelhouse:drill:*',
    'wheelhouse:drill:delete',
    'wheelhouse:drill:exec',
    'wheelhouse:drill:read',
    'wheelhouse:drill:write',
  ])
  expect(includesScope(['wheelhouse:drill:read'], 'wheelhouse:drill:read')).toBe(true)
  expect(includesScope(['wheelhouse:drill:*'], 'wheelhouse:drill:write')).toBe(true)
  expect(includesScope(['nezha:*'], 'wheelhouse:drill:delete')).toBe(true)
  for (const other of ['wheelhouse:drill:read', 'wheelhouse:dri:*', 'nezha:alertrule:*', 'nezha:admin:*']) {
    expect(includesScope([other], 'wheelhouse:drill:write')).toBe(false)
  }
})

it('entities that use the areas of the contract add no scope', () => {
  expect(declaredScopes([{ ...drill, scopes: { list: 'nezha:cron:read' } }], [])).toEqual([])
  expect(tokenScopes).toEqual(expect.arrayContaining([...contractScopes]))
})
