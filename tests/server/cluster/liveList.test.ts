import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { signIn } from '../../../scripts/soak/api.ts'
import { ChangesFeed } from '../../../src/live/changesFeed.ts'
import type { LiveEntry } from '../../../src/live/feedMessages.ts'
import { TestAgent } from '../../support/agent/testAgent.ts'
import { clusterSettings, nodeAdmin, startNode } from '../../support/server/process/nodeProcess.ts'

it('an open list goes on at the next leader, and no figure in it is that of another server or of nothing', async () => {
  const settings = await clusterSettings()
  const leader = await startNode(settings)
  const follower = await startNode(settings)
  const api = await signIn(follower.address, nodeAdmin)
  const { agent_secret: secret } = await api.call<{ agent_secret: string }>('GET', 'profile')
  // Each has figures of its own, which do not change.
  const agents = [11, 22, 33].map(
    (cpu) =>
      new TestAgent({
        server: new URL(follower.address).host,
        secret,
        uuid: `00000000-0000-4000-8000-0000000000${cpu}`,
        timeScale: 0.1,
        state: () => ({ cpu, disk_used: cpu * 10 }),
      }),
  )
  for (const agent of agents) {
    onTestFinished(() => agent.stop())
    agent.start()
  }
  await vi.waitFor(() => expect(agents.every(({ receipts }) => receipts > 1)).toBe(true))
  const rows = await api.call<{ id: number; uuid: string }[]>('GET', 'server')
  const cpuOf = new Map(rows.map(({ id, uuid }) => [id, Number(uuid.slice(-2))]))

  let socket: WebSocket | undefined
  const feed = new ChangesFeed((text) => socket?.readyState === WebSocket.OPEN && socket.send(text))
  const latest = new Map<number, LiveEntry>()
  const wrong: unknown[] = []
  let connections = 0
  let isOver = false
  /** Connects as the console does, and again when the connection is lost. */
  function open(): void {
    const address = `${follower.address.replace('http', 'ws')}/api/v1/ws/wheelhouse/servers`
    socket = new WebSocket(address, { headers: api.headers() })
    socket.on('error', () => {})
    socket.on('open', () => {
      connections++
      feed.opened()
    })
    socket.on('message', (data) => {
      for (const entry of feed.read(String(data))?.entries ?? []) {
        const { id, online, state } = entry
        latest.set(id, entry)
        const cpu = cpuOf.get(id)
        // Of a server that is offline nothing is drawn.
        if (online && state && (state.cpu !== cpu || state.disk_used !== (cpu ?? 0) * 10)) wrong.push(entry)
      }
    })
    socket.on('close', async () => {
      feed.lost()
      await delay(100)
      if (!isOver) open()
    })
  }
  onTestFinished(() => {
    isOver = true
    feed.stop()
    socket?.terminate()
  })
  const online = () => [...latest.values()].map(({ id, online, state }) => [id, online, state?.cpu])
  const all = expect.arrayContaining(rows.map(({ id }) => [id, true, cpuOf.get(id)]))
  feed.show(rows.map(({ id }) => id))
  open()
  await vi.waitFor(() => expect(online()).toEqual(all))

  latest.clear()
  leader.kill('SIGKILL')
  await vi.waitFor(() => {
    expect(connections).toBeGreaterThan(1)
    expect(online()).toEqual(all)
  })
  expect(wrong).toEqual([])
  // Those who watch are counted anew, and each server is there once.
  expect((await api.call<unknown[]>('GET', 'server')).length).toBe(3)
})
