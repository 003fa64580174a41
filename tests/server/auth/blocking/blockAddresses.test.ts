import { describe, expect, it } from 'vitest'
import { createWaf } from '../../../../server/auth/blocking/blockedAddresses.ts'
import { createOnlineUsers } from '../../../../server/auth/blocking/onlineUsers.ts'
import { blockAddresses } from '../../../../server/auth/blocking/wafHooks.ts'
import { openStore } from '../../../../server/db/store.ts'
import { password, signedIn, testServer } from '../../../support/server/testServer.ts'

function place() {
  let now = Date.parse('2026-11-21T00:00:00Z')
  const waf = createWaf(openStore(':memory:'), () => now)
  const online = createOnlineUsers()
  const disconnected: string[] = []
  const connect = (address: string) => {
    const remove = online.add({
      person: undefined,
      address,
      connectedAt: '2026-11-21T00:00:00Z',
      disconnect: () => {
        disconnected.push(address)
        remove()
      },
    })
  }
  return { waf, online, disconnected, connect, wait: (ms: number) => (now += ms) }
}

describe('an address that an administrator blocks', () => {
  it('is blocked permanently and disconnected from live streams; other addresses are not', () => {
    const { waf, online, disconnected, connect, wait } = place()
    for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.1']) connect(address)
    blockAddresses(waf, online, ['198.51.100.1'])
    expect(disconnected).toEqual(['198.51.100.1', '198.51.100.1'])
    wait(1000 * 365.25 * 86_400_000)
    expect(waf.isBlockedByAdmin('198.51.100.1')).toBe(true)
    expect(waf.rows()).toMatchObject([{ block_reason: 4, block_identifier: -124, count: 99_999 }])
  })

  it('is blocked in every spelling', () => {
    const { waf, online } = place()
    blockAddresses(waf, online, ['2001:DB8:0::5', '::ffff:198.51.100.9'])
    expect(waf.isBlockedByAdmin('2001:db8::5')).toBe(true)
    expect(waf.isBlockedByAdmin('2001:db8:0:0:0:0:0:5')).toBe(true)
    for (const same of ['198.51.100.9', '::ffff:c633:6409', '0:0:0:0:0:FFFF:198.51.100.9', '::ffff:0:198.51.100.9']) {
      expect([same, waf.isBlockedByAdmin(same)]).toEqual([same, !same.startsWith('::ffff:0:')])
    }
    waf.unblock(['2001:db8::0005'])
    expect(waf.isBlockedByAdmin('2001:db8::5')).toBe(false)
  })

  it('stays blocked when a later text in the list is no address', () => {
    const { waf, online } = place()
    expect(() => blockAddresses(waf, online, ['198.51.100.1', 'banana', '198.51.100.2'])).toThrow('database error')
    expect(waf.isBlockedByAdmin('198.51.100.1')).toBe(true)
    expect(waf.isBlockedByAdmin('198.51.100.2')).toBe(false)
  })
})

describe('online users and users', () => {
  it('a blocked address is refused until an administrator unblocks it', async () => {
    const server = await testServer()
    const browser = await signedIn(server)
    await browser.call('POST', 'online-user/batch-block', { body: ['198.51.100.7'] })
    expect((await server.browser('198.51.100.7').get('setting')).status).toBe(403)
    await browser.call('POST', 'batch-delete/waf', { body: ['198.51.100.7'] })
    expect((await server.browser('198.51.100.7').get('setting')).status).toBe(200)
  })

  it('finds a blocked address by a part of it, and the network of an IPv6 address', async () => {
    const server = await testServer()
    const browser = await signedIn(server)
    const addresses = ['198.51.100.7', '198.51.100.70', '203.0.113.9', '2001:db8:0:7::1']
    await browser.call('POST', 'online-user/batch-block', { body: addresses })
    const found = async (search: string) => {
      const { body } = await browser.get(`waf?offset=0&limit=1&q=${encodeURIComponent(search)}`)
      const { value = [], pagination } = (
        body as { data: { value?: { ip: string }[]; pagination: { total?: number } } }
      ).data
      return [...value.map(({ ip }) => ip), pagination.total ?? 0]
    }
    expect(await found('113.9')).toEqual(['203.0.113.9', 1])
    expect(await found('198.51.100.7')).toEqual([expect.stringMatching(/^198\.51\.100\.70?$/), 2])
    expect(await found(' 2001:DB8:0:7::abcd ')).toEqual(['2001:db8:0:7::/64', 1])
    // Neither counts nor codes are addresses.
    expect(await found('99999')).toEqual([0])
    expect((await found('')).at(-1)).toBe(4)
  })

  it('a new user signs in, and is signed out when deleted', async () => {
    const server = await testServer()
    const browser = await signedIn(server)
    const { body } = await browser.call('POST', 'user', { body: { username: 'neu', password, role: 1 } })
    const theirs = await signedIn(server, 'neu', '198.51.100.8')
    expect((await theirs.get('profile')).body).toMatchObject({ data: { username: 'neu', role: 1 } })
    const { data: id } = body as { data: number }
    await browser.call('POST', 'batch-delete/user', { body: [id] })
    expect((await theirs.get('profile')).body).toEqual({ error: 'ApiErrorUnauthorized' })
  })
})
