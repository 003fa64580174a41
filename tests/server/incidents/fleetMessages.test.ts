import { describe, expect, it } from 'vitest'
import { createReceiver, type ReceivedRequest, receiver } from '../../support/fakes/receiver.ts'
import { replay } from '../../support/fleet/replay.ts'
import { stories } from '../../support/fleet/stories.ts'

const [byIncident, byAlarm] = [0, 1]
const firstLine = (text: string) => text.split('\n')[0] ?? ''
const hour = 3600

async function messagesOf(name: keyof typeof stories, messages: number): Promise<string[]> {
  const target = await createReceiver()
  try {
    const { pass, end, errors } = await replay(stories[name], messages, target)
    await pass(stories[name].lasts)
    const texts = await end()
    expect(errors).toEqual([])
    return texts
  } finally {
    target.close()
  }
}

describe('what people get of a story, with one message for each alarm (1) or for each incident (0)', () => {
  it.each([
    ['uplink', byAlarm, 202],
    ['uplink', byIncident, 2],
    ['hypervisor', byAlarm, 26],
    ['hypervisor', byIncident, 2],
    ['flappingDisk', byAlarm, 90],
    ['flappingDisk', byIncident, 6],
    ['swingingDisk', byAlarm, 2],
    ['swingingDisk', byIncident, 2],
    ['oneByOne', byAlarm, 40],
    ['oneByOne', byIncident, 40],
  ] as const)('%s (%i): %i', async (name, messages, count) => {
    const texts = await messagesOf(name, messages)
    expect(texts.length).toBe(count)
    if (messages === byAlarm) return
    expect(new Set(texts).size).toBe(name === 'flappingDisk' ? texts.length - 2 : texts.length)
  })
})

it('services that start a minute after their servers are no messages, and one that does not start is told', async () => {
  const texts = await messagesOf('lateServices', byIncident)
  expect(texts.map(firstLine)).toEqual([
    '[Incident] 13 servers are offline',
    '[Resolved] 13 servers are offline',
    expect.stringMatching(/^\[Down\] service-0: connection refused/),
    expect.stringMatching(/^\[Up\] service-0 answers again/),
  ])
})

it('an uplink that is gone is one message with what stands on it, also when the console starts anew meanwhile', async () => {
  const target = await receiver()
  const { pass, restart, end } = await replay(stories.uplink, byIncident, target)
  await pass(0.25 * hour)
  await restart()
  await pass(0.75 * hour)
  const texts = await end()
  expect(texts.map(firstLine)).toEqual(['[Incident] server-1 away', '[Resolved] server-1 away'])
  expect(texts[0]).toMatch(/\nwith it: .* and \d+ more$/)
})

it('a receiver that asks for time gets every message once', async () => {
  let calls = 0
  const accepted: ReceivedRequest[] = []
  const target = await receiver((reply, request) => {
    const isThrottled = calls++ % 3 !== 2
    if (isThrottled) reply.writeHead(429, { 'retry-after': '25' })
    else accepted.push(request)
    reply.end()
  })
  const { pass, end } = await replay(stories.oneByOne, byIncident, target)
  await pass(stories.oneByOne.lasts)
  await end()
  const lines = accepted.map(({ body }) => firstLine(JSON.parse(body).text))
  expect(lines).toHaveLength(40)
  expect(new Set(lines).size).toBe(40)
  expect(calls).toBe(120)
})

it.each([-1, 1])('a clock that jumps by %i hours while something lasts changes nothing', async (hours) => {
  const target = await receiver()
  const { pass, clock, end } = await replay({ ...stories.oneByOne, answers: () => !isDown }, byIncident, target)
  let isDown = false
  await pass(300)
  isDown = true
  await pass(75)
  clock.now += hours * 3_600_000
  await pass(600)
  isDown = false
  await pass(300)
  const lines = (await end()).map(firstLine)
  expect(lines).toHaveLength(40)
  expect(new Set(lines).size).toBe(40)
})
