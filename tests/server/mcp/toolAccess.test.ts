import { describe, expect, it } from 'vitest'
import { entities } from '../../../src/schemas/index.ts'
import { mcpFailure, mcpMachines, type mcpProgram, mcpPrograms } from '../../support/server/mcpServer.ts'

describe('a token', () => {
  it('says who it is', async () => {
    const { store, idOfHost, ...server } = await mcpMachines()
    const { value } = mcpPrograms({ store, ...server }, { user_id: 2, name: 'robot', scopes: ['nezha:nat:read'] })
    expect(await value('meta.whoami')).toMatchObject({ user_id: 2, is_admin: false, token_name: 'robot' })
    const limited = mcpPrograms({ store, ...server }, { server_ids: [idOfHost] })
    expect(await limited.value('meta.whoami')).toMatchObject({
      user_id: 1,
      is_admin: true,
      scopes: ['nezha:*'],
      server_ids: [idOfHost],
    })
  })

  it('needs the scope of each tool, before anything else is looked at', async () => {
    const server = await mcpMachines()
    const needed = {
      'server.list': 'nezha:inventory:read',
      'server.get': 'nezha:server:read',
      'server.exec': 'nezha:server:exec',
      'fs.list': 'nezha:server:read',
      'fs.read': 'nezha:server:read',
      'fs.write': 'nezha:server:write',
      'fs.delete': 'nezha:server:delete',
      'fs.download_url': 'nezha:server:read',
      'fs.upload_url': 'nezha:server:write',
      'cron.list': 'nezha:cron:read',
      'user.list': 'nezha:admin:*',
    }
    const { tool } = mcpPrograms(server, { scopes: ['nezha:ddns:*'] })
    for (const [name, scope] of Object.entries(needed)) {
      expect(await tool(name, { server_id: 'x' }), name).toEqual(mcpFailure(`missing required scope: ${scope}`))
    }
    const all = mcpPrograms(server, { scopes: ['nezha:server:*'] })
    expect(await all.tool('server.exec', { server_id: 'x' })).toMatchObject({ isError: true })
    expect((await all.tool('server.exec', { server_id: 'x' })).content[0].text).toMatch(/^invalid arguments: /)
    expect((await all.tool('server.list')).content[0].text).toBe('missing required scope: nezha:inventory:read')
  })

  it('reaches the servers of its owner, and of these those that it is limited to', async () => {
    const server = await mcpMachines()
    const own = await server.agent({ owner: 2 })
    const [idOfOwn, idOfOther] = [server.rowOf(own)?.id as number, server.idOfHost]
    const get = (given: Parameters<typeof mcpProgram>[1], server_id: unknown) =>
      mcpPrograms(server, given).tool('server.get', { server_id })
    expect(await get({ user_id: 2 }, idOfOwn)).toMatchObject({ structuredContent: { id: idOfOwn } })
    expect(await get({ user_id: 2 }, idOfOther)).toEqual(mcpFailure('permission denied'))
    expect(await get({ server_ids: [idOfOther] }, idOfOther)).toMatchObject({ structuredContent: { id: idOfOther } })
    expect(await get({ server_ids: [idOfOther] }, idOfOwn)).toEqual(mcpFailure('permission denied'))
    expect(await get({ server_ids: [idOfOther] }, 999)).toEqual(mcpFailure('permission denied'))
    expect(await get({}, 999)).toEqual(mcpFailure('agent offline'))
    for (const id of [0, undefined, null]) expect(await get({}, id)).toEqual(mcpFailure('server_id required'))
    for (const id of ['1', -1, 1.5]) expect((await get({}, id)).content[0].text).toMatch(/^invalid arguments: /)
    const namesFor = async (given: Parameters<typeof mcpProgram>[1]) =>
      ((await mcpPrograms(server, given).value('server.list')).servers as { id: number }[]).map(({ id }) => id)
    expect((await namesFor({})).toSorted()).toEqual([idOfOther, idOfOwn].toSorted())
    expect(await namesFor({ user_id: 2 })).toEqual([idOfOwn])
    expect(await namesFor({ server_ids: [idOfOther] })).toEqual([idOfOther])
  })
})

describe('the servers', () => {
  it('are listed in short, and one of them in full', async () => {
    const server = await mcpMachines()
    const { value, tool } = mcpPrograms(server)
    expect(await value('server.list', null)).toEqual({
      servers: [
        {
          id: server.idOfHost,
          name: 'pleasant-pug',
          uuid: 'machine-1',
          ipv4: '127.0.0.1',
          online: true,
          platform: 'debian',
          arch: 'x86_64',
          last_active: expect.stringMatching(/^2026-/),
        },
      ],
      count: 1,
    })
    expect(await value('server.get', { server_id: server.idOfHost })).toMatchObject({
      id: server.idOfHost,
      uuid: 'machine-1',
      note: '',
      host: { platform: 'debian' },
      state: {},
      geoip: { ip: { ipv4_addr: '127.0.0.1' } },
    })
    server.host.disconnect()
    expect(await value('server.list', { online_only: true })).toEqual({ servers: [], count: 0 })
    expect(await value('server.list')).toMatchObject({
      servers: [{ online: false, last_active: '0001-01-01T00:00:00Z' }],
    })
    expect(await value('server.get', { server_id: server.idOfHost })).toMatchObject({ host: { platform: 'debian' } })
    expect(await tool('server.exec', { server_id: server.idOfHost, cmd: 'true' })).toEqual(mcpFailure('agent offline'))
  })

  it('that a colleague shares are shown without notes, and nothing runs there', async () => {
    const server = await mcpMachines()
    const admin = await server.admin()
    const share = { name: 'for member', users: [2], servers: [server.idOfHost], server_groups: [] }
    expect((await admin.call('POST', entities['server-share'].api.path, { body: share })).body).toMatchObject({
      success: true,
    })
    const { value, tool } = mcpPrograms(server, { user_id: 2 })
    const shown = await value('server.get', { server_id: server.idOfHost })
    expect(shown).toMatchObject({ id: server.idOfHost, name: 'pleasant-pug' })
    expect(shown).not.toHaveProperty('note')
    expect(shown).not.toHaveProperty('uuid')
    expect(await tool('server.exec', { server_id: server.idOfHost, cmd: 'true' })).toEqual(
      mcpFailure('permission denied'),
    )
  })
})
