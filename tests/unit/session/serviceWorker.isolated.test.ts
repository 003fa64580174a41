import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { WorkerScope } from '../../../src/serviceWorker/workerScope.ts'

type PushManager = WorkerScope['registration']['pushManager']

/** Whether a worker removes itself that has been started just now. */
async function removesItself(pushManager: PushManager): Promise<boolean> {
  const { removeIfGone } = await import('../../../src/serviceWorker/navigation.ts')
  const unregister = vi.fn(async () => true)
  const registration = { unregister, pushManager } as Partial<WorkerScope['registration']>
  const location = { href: 'https://console.example.org/dashboard/service-worker.js' }
  await removeIfGone({ location, registration } as WorkerScope)
  return unregister.mock.calls.length > 0
}

describe.each([
  ['404', () => new Response('', { status: 404 })],
  ['a page', () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
])('a service worker whose file is answered with %s', (_what, reply) => {
  beforeEach(() => {
    vi.resetModules()
    vi.stubGlobal('fetch', async () => reply())
  })

  it('stays on a device that gets messages: they would end with it', async () => {
    expect(await removesItself({ getSubscription: async () => ({}) })).toBe(false)
  })

  it.each([
    ['has messages switched off', { getSubscription: async () => null }],
    ['knows no messages', undefined],
  ])('removes itself on a device that %s', async (_device, pushManager) => {
    expect(await removesItself(pushManager)).toBe(true)
  })
})
