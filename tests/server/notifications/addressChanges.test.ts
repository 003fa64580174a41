import { describe, expect, it } from 'vitest'
import { openStore, type Store } from '../../../server/db/store.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { watchAddressChanges } from '../../../server/notifications/addressChanges.ts'
import type { OutgoingNotification } from '../../../server/notifications/notifications.ts'
import { addressFormatter, formatAddresses, maskAddress } from '../../../server/notifications/serverText.ts'
import { readSite, type Site, writeSite } from '../../../server/site/site.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const log = {
  error: (text: string, cause: unknown) => {
    throw new Error(text, { cause })
  },
}

/** Address changes of machine 1, and the notifications about them. */
function addressFixture(site: Partial<Site>, store: Store = openStore(':memory:')) {
  writeSite(store, { enable_ip_change_notification: true, ip_change_notification_group_id: 7, cover: 1, ...site })
  const machines = createMachines({ store })
  const host = createTestHost({ name: 'pug' })
  machines.add(host)
  const sent: OutgoingNotification[] = []
  const notifications = {
    send: (notification: OutgoingNotification) => void sent.push(notification),
    stop: async () => {},
  }
  const changes = watchAddressChanges({ store, machines, notifications, log })
  const report = (ip: object) => {
    host.report({ ip })
    changes.check()
  }
  return { store, machines, watch: changes, report, sent, messages: () => sent.map(({ message }) => message) }
}

const first = { ipv4_addr: '192.0.2.7', ipv6_addr: '2001:db8::7' }

describe('a server whose address changes', () => {
  it('notifies the group in the settings once, with masked addresses', () => {
    const { report, sent } = addressFixture({})
    report(first)
    report(first)
    report({ ...first, ipv4_addr: '198.51.100.20' })
    report({ ...first, ipv4_addr: '198.51.100.20' })
    expect(sent).toEqual([{ groupId: 7, serverId: 1, message: '[IP changed] pug: 192.****.7 => 198.****.20' }])
  })

  it('is shown with full addresses where the settings say so, both families in one text', () => {
    const { report, messages } = addressFixture({ enable_plain_ip_in_notification: true })
    report(first)
    report({ ipv4_addr: '198.51.100.20', ipv6_addr: '2001:db8::8' })
    expect(messages()).toEqual(['[IP changed] pug: 192.0.2.7/2001:db8::7 => 198.51.100.20/2001:db8::8'])
  })

  it('is not notified while it is disabled, and not afterwards either', () => {
    const { store, report, messages } = addressFixture({ enable_ip_change_notification: false })
    report(first)
    report({ ipv4_addr: '198.51.100.20' })
    writeSite(store, { ...readSite(store), enable_ip_change_notification: true })
    report({ ipv4_addr: '198.51.100.20' })
    expect(messages()).toEqual([])
  })

  it.each([
    [1, {}, 1],
    [1, { 1: true }, 0],
    [2, {}, 0],
    [2, { 1: true }, 1],
    [9, {}, 0],
  ])('with cover %i and the list %j is notified %i times', (cover, ignored_ip_notification_server_ids, times) => {
    const { report, messages } = addressFixture({ cover, ignored_ip_notification_server_ids })
    report(first)
    report({ ipv4_addr: '198.51.100.20' })
    expect(messages()).toHaveLength(times)
  })

  it('is not notified when an address is missing for a moment or is the first one', () => {
    const { report, messages } = addressFixture({})
    report({ ipv4_addr: '192.0.2.7' })
    report({})
    report(first)
    report({ ipv4_addr: '192.0.2.7' })
    report(first)
    expect(messages()).toEqual([])
  })

  it('is notified also when it happened while this server was down', () => {
    const before = addressFixture({})
    before.report(first)
    before.watch.stop()
    const after = addressFixture({}, before.store)
    after.report({ ipv4_addr: '198.51.100.20' })
    expect(after.messages()).toEqual(['[IP changed] pug: 192.****.7 => 198.****.20'])
  })

  it('is deleted with its server', () => {
    const { store, watch: changes, machines, report } = addressFixture({})
    report(first)
    const savedCount = () => store.table({ name: 'known_address', columns: [] }).count()
    changes.stop()
    expect(savedCount()).toBe(1)
    store.table({ name: 'server', columns: [] }).remove([1])
    machines.forget([{ id: 1 }])
    report(first)
    changes.stop()
    expect(savedCount()).toBe(1)
  })
})

describe('an address in a notification', () => {
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

  it('is formatted by the current settings', () => {
    const store = openStore(':memory:')
    const formatted = () => formatAddresses(first, addressFormatter(store))
    expect(formatted()).toBe('192.****.7/2001:db8:****:0:7')
    writeSite(store, { enable_plain_ip_in_notification: true })
    expect(formatted()).toBe('192.0.2.7/2001:db8::7')
  })
})

describe('the settings', () => {
  it('about changed addresses are listed as used', async () => {
    const admin = await signedIn(await testServer())
    const { body } = await admin.get('/api/v1/setting')
    expect(body).toMatchObject({ data: { wheelhouse: { deliveries: true } } })
    const { settings_in_use } = (body as { data: { wheelhouse: { settings_in_use: string[] } } }).data.wheelhouse
    expect(settings_in_use).toEqual(
      expect.arrayContaining([
        'enable_ip_change_notification',
        'ip_change_notification_group_id',
        'cover',
        'ignored_ip_notification',
        'enable_plain_ip_in_notification',
      ]),
    )
  })
})
