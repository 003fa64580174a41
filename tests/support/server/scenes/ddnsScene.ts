import { openStore, type Store } from '../../../../server/db/store.ts'
import { createDdns, type Ddns } from '../../../../server/ddns/ddns.ts'
import type { Provider, Update } from '../../../../server/ddns/providers/provider.ts'
import { DdnsError } from '../../../../server/ddns/providers/provider.ts'
import { entityTable } from '../../../../server/entities/entityTable.ts'
import { createMachines, type Machines } from '../../../../server/machines/machines.ts'
import { ddns as ddnsEntity } from '../../../../src/schemas/ddns.ts'
import { server as serverEntity } from '../../../../src/schemas/server.ts'
import { admin, member } from '../../console/dataApp.ts'
import { createTestHost, type TestHost } from '../testHost.ts'

/** DDNS with a clock and a provider that the test controls. */
export interface DdnsScene {
  ddns: Ddns
  store: Store
  machines: Machines
  clock: { now: number }
  logged: string[]
  /** The updates that the provider `test` got, as 'www.example.org A 93.184.216.34'. */
  sent: string[]
  /** The reaction of the provider `test`. Default: success. */
  answer: (update: Update) => Promise<void>
  /** Saves a profile; by default with www.example.org, IPv4 and the provider `test`. @returns its id */
  profile(given?: object): number
  changeProfile(id: number, given: object): void
  /** Creates a connected server with these addresses and profiles. */
  server(options: ServerOptions): FollowedServer
  /** Lets time pass: connected servers report again, and due updates are sent. */
  pass(seconds?: number): Promise<void>
}

interface ServerOptions {
  ip?: string
  ip6?: string
  profiles: number[]
  /** Default: 0, without an owner. */
  user_id?: number
  override?: Record<string, string[]>
}

export interface FollowedServer {
  id: number
  host: TestHost
  /** Changes the addresses that it reports. */
  moveTo(addresses: { ip?: string; ip6?: string }): void
  change(given: object): void
}

interface Options {
  /** The data of another scene, as after a restart. */
  store?: Store
  providers?: ReadonlyMap<string, Provider>
}

export function ddnsScene({ store = openStore(':memory:'), providers }: Options = {}): DdnsScene {
  const clock = { now: Date.parse('2026-11-21T12:00:00Z') }
  const now = () => clock.now
  const machines = createMachines({ store, now })
  const profiles = entityTable(store, ddnsEntity)
  const servers = entityTable(store, serverEntity)
  const reports: (() => void)[] = []
  const logged: string[] = []
  const sent: string[] = []
  const test: Provider = async (update) => {
    sent.push(`${update.domain} ${update.record} ${update.address}`)
    await scene.answer(update)
  }
  const roleOf = (id: number) => [admin, member].find((person) => person.id === id)?.role
  const ddns = createDdns({
    store,
    machines,
    roleOf,
    mayCallPrivateTargets: ({ user_id }) => user_id === admin.id,
    providers: providers ?? new Map([['test', test]]),
    log: { warn: (text) => logged.push(text), error: (text, cause) => logged.push(`${text} ${cause}`) },
    now,
  })

  const scene: DdnsScene = {
    ...{ ddns, store, machines, clock, logged, sent },
    answer: async () => {},
    profile: (given) =>
      profiles.insert({
        ...{ name: 'Home', provider: 'test', domains: ['www.example.org'], max_retries: 3, enable_ipv4: true },
        ...{ access_secret: 'a secret', user_id: admin.id },
        ...given,
      }),
    changeProfile: (id, given) => void profiles.update(id, given),
    server({ ip, ip6, profiles: ddns_profiles, user_id = 0, override }) {
      const host = createTestHost({ uuid: `machine-${reports.length + 1}` })
      let addresses = { ip, ip6 }
      const report = () =>
        host.tell({ ip: { ipv4_addr: addresses.ip, ipv6_addr: addresses.ip6 }, at: new Date(clock.now) })
      machines.add(host)
      report()
      reports.push(report)
      const id = servers.find({ uuid: `machine-${reports.length}` })[0]?.id ?? 0
      servers.update(id, { enable_ddns: true, ddns_profiles, user_id, override_ddns_domains: override })
      return {
        id,
        host,
        moveTo: (moved) => {
          addresses = { ip: undefined, ip6: undefined, ...moved }
        },
        change: (given) => void servers.update(id, given),
      }
    },
    async pass(seconds = 1) {
      clock.now += seconds * 1000
      for (const report of reports) report()
      ddns.tick()
      await ddns.idle()
      // The next tick saves the results.
      ddns.tick()
    },
  }
  return scene
}

/** Public addresses, which every provider is sent. */
export const home = '93.184.216.34'
export const away = '93.184.216.35'
export const home6 = '2606:4700::1111'

/** What an administrator sees of the updates of a profile. */
export const resultsOf = ({ ddns }: DdnsScene, profile: number) => ddns.results(profile, admin)

/** An answer of a provider that refuses. */
export const fail =
  (words: string, isFinal = false) =>
  async () => {
    throw new DdnsError(words, { isFinal })
  }
