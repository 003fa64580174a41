import { screen, waitFor, within } from '@testing-library/react'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { success } from '../../../server/wire/apiCall.ts'
import { dialogRoot } from '../../../src/engine/define/page.tsx'
import { resources } from '../../../src/resources/index.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import { enterText } from '../../support/console/enterText.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { unknownRecord } from '../../support/console/unknownRecord.ts'

type Fields = Record<string, unknown>

const editable = resources.filter(({ entity }) => entity.api.verbs.includes('update') && 'name' in entity.form.shape)

describe('A record with fields that this console does not know', () => {
  it('is tested for every entity that can be edited', () => {
    expect(editable.length).toBeGreaterThanOrEqual(9)
  })

  it.each(editable.map((resource) => [resource.entity.name, resource] as const))(
    'of %s is renamed, and everything else is byte for byte as before',
    async (_name, resource) => {
      const { entity } = resource
      const before = unknownRecord(entity)
      const server = keeper(entity, before)
      const { user } = await renderConsole({ path: `/dashboard/${dialogRoot(resource)}/1`, prepare: server.attach })
      const dialog = await screen.findByRole('dialog', { name: /^Edit/ })
      const name = await within(dialog).findByRole('textbox', { name: 'Name' })
      await user.clear(name)
      await enterText(user, name, 'new name')
      await user.click(within(dialog).getByRole('button', { name: 'Save' }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      expect(bytesOf(server.stored())).toEqual(bytesOf({ ...before, name: 'new name' }))
      expect(server.writes()).toBe(1)
    },
  )
})

/** Each key with its value as it is on the wire; the order of keys has no meaning in JSON. */
const bytesOf = (record: Fields) =>
  Object.entries(record)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .sort()

describe('What was typed before the settings have come', () => {
  it('stays when they bring the tab with the history', async () => {
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/server-group/1',
      records: { 'server-group': [{ name: 'Edge' }] },
      prepare: (app) => app.addHook('preHandler', async ({ url }) => (url === '/api/v1/setting' ? held : undefined)),
    })
    const name = await screen.findByRole('textbox', { name: 'Name' })
    await user.type(name, ' north')
    expect(screen.queryByRole('tab', { name: 'History' })).toBeNull()
    answer()
    await screen.findByRole('tab', { name: 'History' })
    expect(screen.getByRole('textbox', { name: 'Name' })).toBe(name)
    await user.type(name, '-1')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(storedRows('server-group')).toMatchObject([{ name: 'Edge north-1' }]))
  })
})

/** A server that, like the real ones, replaces a record by the body of PATCH, and keeps keys that it does not know. */
function keeper(entity: Entity, record: Fields) {
  let stored = structuredClone(record)
  let writes = 0
  const { api, computed } = entity
  const ownKeys = Object.keys(computed.shape)
  const wire = () => (api.row ? api.row.encode(stored as never) : stored)
  return {
    stored: () => stored,
    writes: () => writes,
    attach(app: FastifyInstance) {
      app.addHook('preHandler', async ({ method, url, body }, reply) => {
        if (method === 'GET' && url === `/api/v1/${api.listPath}`) return reply.send(success([wire()]))
        if (method !== 'PATCH' || url !== `/api/v1/${api.path}/1`) return
        writes += 1
        const own = Object.fromEntries(Object.entries(stored).filter(([key]) => ownKeys.includes(key)))
        stored = { ...(JSON.parse(body as string) as Fields), ...own }
        return reply.send(success(null))
      })
    },
  }
}
