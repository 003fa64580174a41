import { describe, expect, it } from 'vitest'
import { registerCrud } from '../../../server/api/crud.ts'
import { scopesOfArea } from '../../../src/schemas/define/entity.ts'
import { entities } from '../../../src/schemas/index.ts'
import { withDrills } from '../../support/drill/index.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { mcpProgram, mcpServer } from '../../support/server/mcpServer.ts'
import { createRecord, validForm } from '../../support/server/routes/validForm.ts'

const failed = (text: string) => ({ content: [{ type: 'text', text }], isError: true })

type Server = Awaited<ReturnType<typeof mcpServer>>

async function toolNames(server: Server): Promise<string[]> {
  const { body } = await mcpProgram(server).post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  return (body as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name)
}

describe('the records of an entity', () => {
  it('have tools when its list has a scope', async () => {
    const server = await mcpServer()
    await server.app.ready()
    const names = await toolNames(server)
    for (const { name, scopes } of Object.values(entities)) {
      expect(names.includes(`${name}.list`), name).toBe(scopes.list !== undefined)
    }
    expect(names).toContain('cron.get')
    expect(names).not.toContain('audit.get')
  })

  it('have tools from the day on which somebody adds the entity', async () => {
    const server = await mcpServer()
    const drill = { ...withDrills.entities.drill, scopes: scopesOfArea('cron') } as (typeof entities)['cron']
    registerCrud(server.app, { store: server.store, guard: server.app.guard, entities: [drill] })
    await server.app.ready()
    expect(await toolNames(server)).toEqual(expect.arrayContaining(['drill.list', 'drill.get']))
    const admin = await enter(server, 1)
    const form = { name: 'power cut', starts_at: '2027-01-01T00:00:00Z', note: 'both lines' }
    expect((await admin.call('POST', 'drill', { body: form })).body).toMatchObject({ success: true, data: 1 })
    const { tool } = mcpProgram(server, { scopes: ['nezha:cron:read'] })
    const record = { id: 1, name: 'power cut', duration: 60, note: 'both lines' }
    expect(await tool('drill.list')).toMatchObject({ structuredContent: { records: [record], count: 1, total: 1 } })
    expect(await tool('drill.get', { id: 1 })).toMatchObject({ structuredContent: { record } })
    expect(await tool('drill.get', { id: 2 })).toEqual(failed('drill id 2 does not exist'))
    expect(await mcpProgram(server, { scopes: ['nezha:nat:*'] }).tool('drill.list')).toEqual(
      failed('missing required scope: nezha:cron:read'),
    )
  })

  it('are those of the owner of the token, by pages, and without secrets', async () => {
    const server = await mcpServer()
    const [admin, member] = [await enter(server, 1), await enter(server, 2)]
    await createRecord(admin, 'notification', validForm('notification'))
    await createRecord(admin, 'notification', validForm('notification', { text: 'another' }))
    await createRecord(member, 'notification', validForm('notification', { text: 'of the member' }))
    const all = await mcpProgram(server).tool('notification.list', { limit: 2, offset: 1 })
    expect(all).toMatchObject({ structuredContent: { count: 2, total: 3, records: [{ id: 2 }, { id: 3 }] } })
    const own = mcpProgram(server, { user_id: 2 })
    expect(await own.tool('notification.list')).toMatchObject({
      structuredContent: { total: 1, records: [{ id: 3, name: 'of the member' }] },
    })
    expect(await own.tool('notification.get', { id: 1 })).toEqual(failed('notification id 1 does not exist'))
    const { structuredContent } = await mcpProgram(server).tool('user.list')
    expect(structuredContent).toMatchObject({ records: [{ username: 'admin' }, { username: 'member' }] })
    expect(JSON.stringify(structuredContent)).not.toMatch(/agent_secret|password/)
    const rows = (await admin.get('user')).body
    expect(JSON.stringify(rows)).toContain('agent_secret')
  })

  it('of a list that the server pages are found by its filters', async () => {
    const server = await mcpServer()
    const { tool } = mcpProgram(server)
    await tool('meta.whoami')
    await tool('server.list')
    const { structuredContent } = await tool('audit.list', { action: 'mcp.meta.whoami', limit: 1 })
    expect(structuredContent).toMatchObject({ count: 1, total: 1, records: [{ action: 'mcp.meta.whoami' }] })
    expect((await tool('audit.list', { limit: 1, offset: 1 })).structuredContent).toMatchObject({ count: 1 })
    expect(await mcpProgram(server, { user_id: 2 }).tool('audit.list')).toEqual(failed('permission denied'))
  })

  it('are closed to a token that is limited to servers where they are about others', async () => {
    const server = await mcpServer()
    const { isError, content } = await mcpProgram(server, { server_ids: [1] }).tool('user.list')
    expect(isError).toBe(true)
    expect(content[0].text).toMatch(/limited to servers|permission denied/)
  })
})
