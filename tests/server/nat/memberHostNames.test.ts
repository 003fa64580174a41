import { describe, expect, it } from 'vitest'
import { enterAt } from '../../support/server/fixtures/openSession.ts'
import { forwardedName, sendRequest, startNatServer, startService } from '../../support/server/natServer.ts'

describe('a host name that a member chooses', () => {
  async function startWithMember(settings = {}) {
    const { port: target } = await startService()
    const server = await startNatServer({ target, settings: { host: '127.0.0.1', ...settings } })
    server.servers.update(1, { user_id: 2 })
    server.profiles.remove([1])
    const browsers = { admin: await enterAt(server.app, 1), member: await enterAt(server.app, 2) }
    const body = { name: 'nas', enabled: true, server_id: 1, host: `127.0.0.1:${target}`, domain: forwardedName }
    const save = async (who: keyof typeof browsers, changes: object = {}, path = 'nat') =>
      (await browsers[who].call(path === 'nat' ? 'POST' : 'PATCH', path, { body: { ...body, ...changes } })).body
    const list = async () => ((await browsers.member.get('nat')).body as { data: object[] }).data
    const status = async (host = forwardedName) => (await sendRequest(server.port, { host })).status
    return { ...server, ...browsers, save, list, status }
  }
  const waits = { awaits_release: true }

  it('is served after an administrator has released it, and the list says what waits', async () => {
    const { admin, member, save, list, status } = await startWithMember()
    expect(await save('member')).toEqual({ success: true, data: 2 })
    expect(await list()).toEqual([expect.objectContaining(waits)])
    expect(await status()).toBe(403)
    expect((await member.call('POST', 'wheelhouse/nat/2/release')).body).toEqual({ error: 'permission denied' })
    expect((await admin.call('POST', 'wheelhouse/nat/9/release')).body).toEqual({
      error: 'profile id 9 does not exist',
    })
    expect((await admin.call('POST', 'wheelhouse/nat/2/release')).body).toEqual({ success: true })
    expect(await list()).toEqual([expect.not.objectContaining(waits)])
    expect(await status()).toBe(200)
  })

  it('stays released when its member changes something else, not when the name becomes another one', async () => {
    const { admin, save, list, status } = await startWithMember()
    await save('member')
    await admin.call('POST', 'wheelhouse/nat/2/release')
    await save('member', { name: 'mine', domain: 'NAS.example.org' }, 'nat/2')
    expect(await status()).toBe(200)
    await save('member', { domain: 'other.example.org' }, 'nat/2')
    expect(await list()).toEqual([expect.objectContaining(waits)])
    expect(await status('other.example.org')).toBe(403)
  })

  it('needs no release where an administrator saves it, or the start allows it', async () => {
    const strict = await startWithMember()
    await strict.save('admin')
    expect(await strict.status()).toBe(200)
    const open = await startWithMember({ allowUnreleasedNames: true })
    await open.save('member')
    expect(await open.status()).toBe(200)
  })

  it('cannot be one that another profile has, in any spelling, and is stored as browsers send it', async () => {
    const { save, list, profiles } = await startWithMember()
    await save('admin', { enabled: false })
    for (const domain of ['NAS.example.org', 'nas.example.org.', 'nas.example.org:8080', ' nas.EXAMPLE.org ']) {
      expect(await save('member', { domain })).toEqual({ error: 'database error' })
    }
    await save('member', { domain: 'Bücher.Example.' })
    expect(await list()).toEqual([expect.objectContaining({ domain: 'xn--bcher-kva.example' })])
    expect(profiles.count()).toBe(2)
  })
})
