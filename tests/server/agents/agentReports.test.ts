import { expect, it, vi } from 'vitest'
import { startAgentServer } from '../../support/agent/agentServer.ts'

it('a report that is too long is cut or refused, because everybody who lists the server gets it', async () => {
  const server = await startAgentServer()
  const calls = server.calls()
  const long = 'x'.repeat(1000)
  await calls.unary('ReportSystemInfo2', { platform: long, cpu: Array.from({ length: 50 }, () => long), boot_time: 5 })
  const states = calls.stream('ReportSystemState')
  const received = vi.fn()
  states.onMessage(received)
  const temperatures = Array.from({ length: 300 }, () => ({ name: long.slice(0, 150), temperature: 1 }))
  states.send({
    cpu: Number.NEGATIVE_INFINITY,
    load1: Number.POSITIVE_INFINITY,
    uptime: 5,
    temperatures,
    gpu: [Number.NaN, 3],
  })
  await vi.waitFor(() => expect(received).toHaveBeenCalled())
  const [row] = await server.rows()
  const { host, state } = row as unknown as {
    host: { platform: string; cpu: string[] }
    state: { temperatures: { Name: string }[]; gpu: number[] }
  }
  expect(host.platform).toHaveLength(128)
  expect(host.cpu).toHaveLength(32)
  expect(host.cpu[0]).toHaveLength(128)
  expect(state.temperatures).toHaveLength(128)
  expect(state.temperatures[0]?.Name).toHaveLength(128)
  expect(state).toMatchObject({ uptime: 5 })
  // What is no number is missing, and no 0.
  for (const name of ['cpu', 'load_1', 'gpu']) expect(state).not.toHaveProperty(name)
  expect(row).toMatchObject({ left_out: { values: 3, jumps: 0 } })

  await expect(calls.unary('ReportSystemInfo2', { platform: 'x'.repeat(70_000) })).rejects.toMatchObject({ code: 8 })
  states.send({ temperatures: Array.from({ length: 3000 }, () => ({ name: long.slice(0, 50), temperature: 1 })) })
  expect(await states.status).toMatchObject({ code: 8 })
})
