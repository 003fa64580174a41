import type { ServerResponse } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import type { Store } from '../../../../server/db/store.ts'
import { createMachines } from '../../../../server/machines/machines.ts'
import type { EventType } from '../../../../src/schemas/webhooks/eventTypes.ts'
import { receiver } from '../../fakes/receiver.ts'
import { secret, verifiedEvent } from '../../fakes/verifiedEvent.ts'
import { createTestHost } from '../testHost.ts'
import { signedIn, testServer } from '../testServer.ts'

type Fields = Record<string, unknown>

interface Options {
  /** Of another scene, as after a restart. */
  store?: Store
  /** How the receiver answers. Default: 200. */
  answer?: (reply: ServerResponse, count: number) => void
}

/** The whole server with one machine of the administrator, and a receiver of events that checks their signatures. */
export async function eventScene({ store, answer = (reply) => reply.end() }: Options = {}) {
  let count = 0
  const target = await receiver((reply) => answer(reply, ++count))
  const host = createTestHost({ name: 'web-1' })
  const server = await testServer({
    store,
    // Checks run when a test asks for them.
    alertTimes: { firstCheckMs: 1e9, intervalMs: 1e9 },
    machines: (on) => {
      const machines = createMachines(on)
      machines.add(host)
      return machines
    },
  })
  onTestFinished(() => server.app.close())
  const tell = (state: object = {}) => host.tell({ state, at: new Date(server.clock.now) })
  tell()

  async function call(method: string, path: string, body?: unknown, username = 'admin') {
    const browser = await signedIn(server, username)
    return (await browser.call(method, path, { body })).body as { success?: boolean; data?: unknown; error?: string }
  }

  async function create(path: string, body: object, username = 'admin'): Promise<number> {
    const reply = await call('POST', path, body, username)
    expect(reply).toMatchObject({ success: true })
    return reply.data as number
  }

  /** A notifier that gets events, in a group of its own. @returns the ids */
  async function subscribe(events: readonly EventType[], username = 'admin', fields: object = {}) {
    const notifier = await create(
      'notification',
      {
        ...{ name: 'receiver', url: `${target.origin}/events`, request_method: 1, request_type: 1, verify_tls: true },
        ...{ send_events: true, signing_secret: secret, skip_check: true, ...fields },
      },
      username,
    )
    const group = await create('notification-group', { name: 'events', notifications: [notifier], events }, username)
    return { notifier, group }
  }

  /** Sends what is due, until all of it has ended. */
  async function settle(): Promise<void> {
    server.app.events.tick()
    await server.app.events.idle()
  }

  /** Lets time pass, and sends what is due then. */
  async function pass(seconds: number): Promise<void> {
    server.clock.now += seconds * 1000
    await settle()
  }

  /** The delivery log of events, latest first. */
  async function log(username = 'admin'): Promise<Fields[]> {
    const { data } = await call('GET', 'wheelhouse/deliveries?limit=1000', undefined, username)
    return ((data as { value?: Fields[] | null }).value ?? []) as Fields[]
  }

  return {
    ...{ server, host, target, tell, call, create, subscribe, settle, pass, log },
    events: () => target.deliveries.map((request) => verifiedEvent(request)),
  }
}

export type EventScene = Awaited<ReturnType<typeof eventScene>>
