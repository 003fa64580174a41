import { describe, expect, it } from 'vitest'
import { openStore, type Store } from '../../../server/db/store.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { watchAddressChanges } from '../../../server/notifications/addressChanges.ts'
import { addressFormatter, formatAddresses, maskAddress } from '../../../server/notifications/maskAddress.ts'
import type { OutgoingNotification } from '../../../server/notifications/notifications.ts'
import { readSite, type Site, writeSite } from '../../../server/site/site.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const log = {
  error: (text: string, cause: unknown) => {
    throw new Error(text, { cause })
  },
}

/** A server that watches machine 1, and what it wants to tell. */
function watching(site: Partial<Site>, store: Store = openStore(':memory:')) {
  writeSite(store, { enable_ip_change_notification: true, ip_change_notification_group_id: 7, cover: 1, ...site })
  const machines = createMachines({ store })
  const host = createTestHost({ name: 'pug' })
  machines.add(host)
  const sent: OutgoingNotification[] = []
  const notices = { send: (notice: OutgoingNotification) => void sent.push(notice), stop: async () => {} }
  const watch = watchAddressChanges({ store, machines, notifications: notices, log })
  const tell = (ip: object) => {
    host.tell({ ip })
    watch.check()
  }
  return { store, machines, watch, tell, sent, messages: () => sent.map(({ message }) => message) }
}

const first = { ipv4_addr: '192.0.2.7', ipv6_addr: '2001:db8::7' }

describe('a server that gets another address', () => {
  it('is told to the group of the settings, once, with masked addresses', () => {
    const { tell, sent } = watching({})
    tell(first)
    tell(first)
    tell({ ...first, ipv4_addr: '198.51.100.20' })
    tell({ ...first, ipv4_addr: '198.51.100.20' })
    expect(sent).toEqual([{ groupId: 7, serverId: 1, message: '[IP changed] pug: 192.****.7 => 198.****.20' }])
  })

  it('is told with full addresses where the settings say so, both kinds at once', () => {
    const { tell, messages } = watching({ enable_plain_ip_in_notification: true })
    tell(first)
    tell({ ipv4_addr: '198.51.100.20', ipv6_addr: '2001:db8::8' })
    expect(messages()).toEqual(['[IP changed] pug: 192.0.2.7/2001:db8::7 => 198.51.100.20/2001:db8::8'])
  })

  it('is not told where nobody wants to know, and not afterwards either', () => {
    const { store, tell, messages } = watching({ enable_ip_change_notification: false })
    tell(first)
    tell({ ipv4_addr: '198.51.100.20' })
    writeSite(store, { ...readSite(store), enable_ip_change_notification: true })
    tell({ ipv4_addr: '198.51.100.20' })
    expect(messages()).toEqual([])
  })

  it.each([
    [1, {}, 1],
    [1, { 1: true }, 0],
    [2, {}, 0],
    [2, { 1: true }, 1],
    [9, {}, 0],
  ])('with cover %i and these named: %j is told %i times', (cover, ignored_ip_notification_server_ids, times) => {
    const { tell, messages } = watching({ cover, ignored_ip_notification_server_ids })
    tell(first)
    tell({ ipv4_addr: '198.51.100.20' })
    expect(messages()).toHaveLength(times)
  })

  it('was the same all the time when it only lost its address for a moment, or gets its first one', () => {
    const { tell, messages } = watching({})
    tell({ ipv4_addr: '192.0.2.7' })
    tell({})
    tell(first)
    tell({ ipv4_addr: '192.0.2.7' })
    tell(first)
    expect(messages()).toEqual([])
  })

  it('is noticed though it happened while this server was down', () => {
    const before = watching({})
    before.tell(first)
    before.watch.stop()
    const after = watching({}, before.store)
    after.tell({ ipv4_addr: '198.51.100.20' })
    expect(after.messages()).toEqual(['[IP changed] pug: 192.****.7 => 198.****.20'])
  })

  it('is forgotten with its row', () => {
    const { store, watch, machines, tell } = watching({})
    tell(first)
    const kept = () => store.table({ name: 'known_address', columns: [] }).count()
    watch.stop()
    expect(kept()).toBe(1)
    store.table({ name: 'server', columns: [] }).remove([1])
    machines.forget([1])
    tell(first)
    watch.stop()
    expect(kept()).toBe(1)
  })
})

describe('an address in a notice', () => {
  it.each([
    ['192.0.2.7', '192.****.7'],
    ['10.0.0.255', '10.****.255'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:****:5:6'],
    ['2001:db8::7', '2001:db8:****:0:7'],
    ['fe80::1%eth0', 'fe80:0:****:0:1'],
    ['::1', '0:0:****:0:1'],
    ['::ffff:192.0.2.7', '192.****.7'],
    ['', ''],
    ['host.example', '****'],
  ])('%s is masked as %s', (address, masked) => {
    expect(maskAddress(address)).toBe(masked)
  })

  it('is written as the settings are at that moment', () => {
    const store = openStore(':memory:')
    const written = () => formatAddresses(first, addressFormatter(store))
    expect(written()).toBe('192.****.7/2001:db8:****:0:7')
    writeSite(store, { enable_plain_ip_in_notification: true })
    expect(written()).toBe('192.0.2.7/2001:db8::7')
  })
})

describe('the settings', () => {
  it('of notices about addresses are told to be in use', async () => {
    const admin = await signedIn(await testServer())
    const { body } = await admin.get('/api/v1/setting')
    expect(body).toMatchObject({ data: { wheelhouse: { deliveries: true } } })
    const { settings_in_use } = (body as { data: { wheelhouse: { settings_in_use: string[] } } }).data.wheelhouse
    expect(settings_in_use).toEqual(
      expect.arrayContaining([
        ...['enable_ip_change_notification', 'ip_change_notification_group_id', 'cover', 'ignored_ip_notification'],
        'enable_plain_ip_in_notification',
      ]),
    )
  })
})
