import { expect, it, vi } from 'vitest'
import { offline, startAgentServer, testUuid } from '../../support/agent/agentServer.ts'
import { signedIn } from '../../support/server/testServer.ts'

/** Keeps the processor busy. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

it('somebody who asks for a page is answered before the messages of agents that came earlier', async () => {
  const server = await startAgentServer()
  const { headers } = await fetch(`http://127.0.0.1:${server.port}/api/v1/setting`)
  expect(headers.get('content-type')).toContain('json')
  let isOver = false
  let done = 0
  for (let count = 0; count < 2000; count++) {
    server.app.load.agentWork.add(() => {
      done++
      if (!isOver) work(6)
    })
  }
  // A connection of its own, as that of somebody who has just opened the console.
  const reply = await fetch(`http://127.0.0.1:${server.port}/api/v1/setting`, { headers: { connection: 'close' } })
  expect(reply.status).toBe(200)
  await reply.text()
  isOver = true
  expect(done).toBeLessThan(200)
})

it('an agent gets its receipt when its turn comes, after those before it, and a session stream does not wait', async () => {
  const server = await startAgentServer()
  const order: string[] = []
  const calls = server.calls()
  const states = calls.stream('ReportSystemState')
  const first = new Promise((resolve) => states.onMessage(resolve))
  states.send({ cpu: 1 })
  await first
  const second = new Promise<void>((resolve) =>
    states.onMessage(() => {
      order.push('receipt')
      resolve()
    }),
  )
  let left = 40
  for (let count = 0; count < 40; count++) {
    server.app.load.agentWork.add(() => {
      work(6)
      left--
      if (left === 0) order.push('others')
    })
  }
  states.send({ cpu: 2 })
  // Nobody has asked for this one: it is refused, and at once.
  const session = calls.stream('IOStream')
  void session.status.then(() => order.push('session'))
  session.send({ data: Buffer.from('unknown') })
  await second
  expect(order).toEqual(['session', 'others', 'receipt'])
})

it('while the server is late, agents are neither ended for silence nor shown as offline, and new ones are told to wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const server = await startAgentServer()
  const states = server.calls().stream('ReportSystemState')
  const received = new Promise((resolve) => states.onMessage(resolve))
  states.send({ cpu: 1 })
  await received
  vi.spyOn(server.app.load.agentWork, 'waitedMs').mockReturnValue(8000)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(states.hasEnded).toBe(false)
  server.clock.now += 15_000
  expect((await server.rows())[0]?.last_active).not.toBe(offline)
  const other = { client_secret: server.secretOf(1), client_uuid: testUuid.replace('1', '2') }
  const newcomer = server.calls(other).stream('ReportSystemState')
  expect(await newcomer.status).toMatchObject({ code: 14, details: 'the server has too much to do: try again later' })
  expect(await server.rows()).toHaveLength(1)
  // One that is connected may open what belongs to it.
  const tasks = server.calls().stream('RequestTask')
  await vi.advanceTimersByTimeAsync(10)
  expect(tasks.hasEnded).toBe(false)
  vi.useRealTimers()
})

it('administrators are told that the server is overloaded, members are not', async () => {
  const server = await startAgentServer()
  vi.spyOn(server.app.load, 'isOverloaded').mockReturnValue(true)
  const warningsOf = async (name: 'admin' | 'member') =>
    (await (await signedIn(server, name)).get('setting')).body as { data: { wheelhouse: { warnings?: string[] } } }
  expect((await warningsOf('admin')).data.wheelhouse.warnings).toEqual(['overloaded'])
  expect((await warningsOf('member')).data.wheelhouse.warnings).toBeUndefined()
})
