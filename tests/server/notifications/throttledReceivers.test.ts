import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { longestRetryAfterMs, retryAfterMs } from '../../../server/outbound/reply.ts'
import { member } from '../../support/console/dataApp.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { logged, notifierFixture } from '../../support/server/fixtures/notifierFixture.ts'

describe('a receiver that is called too often', () => {
  it.each([
    ['429 and seconds', 429, { 'retry-after': '25' }, '', [25_000]],
    ['503 and seconds', 503, { 'retry-after': '25' }, '', [25_000]],
    ['seconds in its JSON', 429, {}, '{"message":"slow down","retry_after":1.5}', [1500]],
    ['seconds where Telegram has them', 429, {}, '{"ok":false,"parameters":{"retry_after":7}}', [7000]],
    ['no time', 429, {}, 'slow down', [5000]],
  ] as const)('is waited for after %s, and gets every message', async (_, status, headers, body, pauses) => {
    let calls = 0
    const { origin, deliveries } = await receiver((reply) => {
      if (++calls === 1) reply.writeHead(status, headers).end(body)
      else reply.end()
    })
    const fixture = await notifierFixture([{ url: `${origin}/?m=#NEZHA#` }])
    for (const message of ['a', 'b', 'c', 'd']) fixture.notifications.send({ groupId: 1, message })
    const log = await logged(fixture, 4)
    expect(log.map(({ message, state }) => [message, state])).toEqual([
      ['d', 1],
      ['c', 1],
      ['b', 1],
      ['a', 1],
    ])
    expect(fixture.pauses).toEqual(pauses)
    expect(deliveries.map(({ url }) => url)).toEqual(['/?m=a', '/?m=a', '/?m=b', '/?m=c', '/?m=d'])
  })

  it('is tried for longer than one that fails, with growing pauses', async () => {
    let calls = 0
    const { origin } = await receiver((reply) => reply.writeHead(++calls < 9 ? 429 : 200).end())
    const fixture = await notifierFixture([{ url: origin }])
    fixture.notifications.send({ groupId: 1, message: 'x' })
    expect(await logged(fixture, 1)).toMatchObject([{ state: 1, tries: 9 }])
    expect(fixture.pauses).toEqual([5000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000])
  })
})

it.each([
  ['Asia/Tokyo', '2026-11-30 05:05 (Asia/Tokyo)'],
  // As of a variable without a value in a Compose file.
  ['', '2026-11-29 20:05 (UTC)'],
  ['No/Where', '2026-11-29 20:05 (UTC)'],
])('a message that comes late says when it was written, by the clock of this server, with TZ=%s', async (tz, time) => {
  vi.stubEnv('TZ', tz)
  onTestFinished(() => void vi.unstubAllEnvs())
  let at = Date.parse('2026-11-29T20:05:00Z')
  const { origin, deliveries } = await receiver((reply) => {
    if (deliveries.length > 1) reply.end()
    else {
      at += 3_600_000
      reply.writeHead(429).end()
    }
  })
  const fixture = await notifierFixture([{ url: `${origin}/?m=#NEZHA#` }], { now: () => at })
  fixture.notifications.send({ groupId: 1, message: 'db-1 is offline\nsince 5:00' })
  await logged(fixture, 1)
  expect(new URL(deliveries.at(-1)?.url ?? '', origin).searchParams.get('m')).toBe(
    `db-1 is offline\nwritten at ${time}\nsince 5:00`,
  )
})

describe('a clock that is set back while messages wait', () => {
  it('does not make them wait for longer', async () => {
    let at = Date.now()
    let calls = 0
    const { origin } = await receiver((reply) => {
      if (++calls > 1) reply.end()
      else {
        at -= 86_400_000
        reply.writeHead(429, { 'retry-after': '30' }).end()
      }
    })
    const fixture = await notifierFixture([{ url: `${origin}/?m=#NEZHA#` }], { now: () => at })
    for (const message of ['a', 'b', 'c']) fixture.notifications.send({ groupId: 1, message })
    await logged(fixture, 3)
    expect(fixture.pauses).toEqual([30_000])
  })

  it('does not make them wait for longer where it is set back in a pause', async () => {
    let at = Date.now()
    const pauses: number[] = []
    let calls = 0
    const { origin } = await receiver((reply) =>
      reply.writeHead(++calls > 1 ? 200 : 429, { 'retry-after': '30' }).end(),
    )
    const fixture = await notifierFixture([{ url: `${origin}/?m=#NEZHA#` }], {
      now: () => at,
      async pause(ms, signal) {
        pauses.push(ms)
        if (pauses.length > 1) return
        at -= 86_400_000
        // What is added begins the pause anew.
        fixture.notifications.send({ groupId: 1, message: 'b' })
        signal.throwIfAborted()
      },
    })
    fixture.notifications.send({ groupId: 1, message: 'a' })
    await logged(fixture, 2)
    expect(pauses).toEqual([30_000, 30_000])
  })
})

describe('a message that its receiver refuses for ever', () => {
  /** Refuses whatever has `bad` in its address. */
  const pickyReceiver = (status: number, headers = {}) => {
    const got: string[] = []
    return receiver((reply, { url = '' }) => {
      const message = new URL(url, 'http://receiver').searchParams.get('m') ?? ''
      got.push(message)
      if (message.includes('bad')) reply.writeHead(status, headers).end('not now')
      else reply.end()
    }).then(({ origin }) => ({ origin, got }))
  }

  it.each([
    ['429', 429, {}],
    ['429 and a time', 429, { 'retry-after': '300' }],
    ['503 and a time', 503, { 'retry-after': '300' }],
  ])('by %s does not hold back the others, and is told of in the end', async (_, status, headers) => {
    let at = Date.now()
    const { origin, got } = await pickyReceiver(status, headers)
    const fixture = await notifierFixture([{ url: `${origin}/?m=#NEZHA#` }], {
      now: () => at,
      async pause(ms) {
        at += ms
      },
    })
    for (const message of ['bad', 'b', 'c']) fixture.notifications.send({ groupId: 1, message })
    const log = await logged(fixture, 3)
    expect(log.map(({ message, state }) => [message, state])).toEqual([
      ['bad', 2],
      ['c', 1],
      ['b', 1],
    ])
    expect(got.slice(0, 4)).toEqual(['bad', 'bad', 'b', 'c'])
    const { body } = await fixture.call('GET', 'notification')
    expect(JSON.stringify(body)).toContain('not now')
  })

  it('lets nothing before it that tells of the same thing, as a recovery before its alarm', async () => {
    let at = Date.now()
    const { origin, got } = await pickyReceiver(429)
    const fixture = await notifierFixture([{ url: `${origin}/?m=#NEZHA#` }], {
      now: () => at,
      async pause(ms) {
        at += ms
      },
    })
    const send = (message: string, about: object) => fixture.notifications.send({ groupId: 1, message, ...about })
    send('bad of incident 1', { incidentId: 1 })
    send('bad of service 2', { serviceId: 2 })
    send('bad of alarm 3', { repeatKey: 'alarm 3' })
    send('end of incident 1', { incidentId: 1 })
    send('end of service 2', { serviceId: 2 })
    send('end of alarm 3', { resolvesKey: 'alarm 3' })
    send('end of alarm 4', { resolvesKey: 'alarm 4' })
    const log = await logged(fixture, 7)
    const sent = got.filter((message) => !message.includes('bad'))
    expect(sent[0]).toBe('end of alarm 4')
    expect(sent.length).toBe(4)
    const order = log.map(({ message }) => message).reverse()
    for (const what of ['incident 1', 'service 2', 'alarm 3']) {
      expect(order.indexOf(`bad of ${what}`)).toBeLessThan(order.indexOf(`end of ${what}`))
    }
  })

  it('is dropped as the oldest where too many wait', async () => {
    const { origin } = await pickyReceiver(429)
    let paused: (() => void) | undefined
    const fixture = await notifierFixture([{ url: `${origin}/?m=#NEZHA#` }], {
      pause: (_, signal) =>
        new Promise((resolve, reject) => {
          paused = resolve
          signal.addEventListener('abort', reject)
        }),
    })
    fixture.notifications.send({ groupId: 1, message: 'bad' })
    await vi.waitFor(() => expect(paused).toBeDefined())
    for (let index = 0; index < 200; index++) fixture.notifications.send({ groupId: 1, message: `later ${index}` })
    expect(await logged(fixture, 1)).toMatchObject([{ message: 'bad', state: 2, tries: 1, code: 429 }])
  })
})

describe('the time for which a receiver asks', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  const asked = (retryAfter: string | undefined, body = '', code = 429) => retryAfterMs({ code, retryAfter, body }, now)

  it('is read as seconds or as a date', () => {
    expect(asked('120')).toBe(120_000)
    expect(asked('Sat, 21 Nov 2026 12:00:30 GMT')).toBe(30_000)
    expect(asked('Sat, 21 Nov 2026 11:00:00 GMT')).toBe(0)
  })

  it('is at most an hour, and nothing where it cannot be read or the status is another', () => {
    expect(asked('86400')).toBe(longestRetryAfterMs)
    expect(asked(undefined, '{"retry_after":1e9}')).toBe(longestRetryAfterMs)
    for (const [header, body] of [
      ['soon'],
      [''],
      ['-5'],
      [undefined, '{"retry_after":"x"}'],
      [undefined, '{retry_after'],
    ])
      expect(asked(header, body)).toBeUndefined()
    expect(asked('5', '', 200)).toBeUndefined()
    expect(asked('5', '', 400)).toBeUndefined()
  })
})

describe('a message that cannot be delivered', () => {
  it('is told of by another notifier of the group, once until this one works again', async () => {
    let works = false
    const broken = await receiver((reply) => reply.writeHead(works ? 200 : 403).end())
    const working = await receiver()
    const fixture = await notifierFixture([
      { url: broken.origin, name: 'Chat' },
      { url: `${working.origin}/?m=#NEZHA#`, name: 'Pager' },
    ])
    const texts = () => working.deliveries.map(({ url }) => new URL(url ?? '', working.origin).searchParams.get('m'))
    const lost = '[Not delivered] The notifier Chat could not deliver this: '
    for (const message of ['web-1 is down', 'web-2 is down']) fixture.notifications.send({ groupId: 1, message })
    await logged(fixture, 5)
    expect(texts().sort()).toEqual([`${lost}web-1 is down`, 'web-1 is down', 'web-2 is down'])
    works = true
    fixture.notifications.send({ groupId: 1, message: 'web-3 is down' })
    await logged(fixture, 7)
    works = false
    fixture.notifications.send({ groupId: 1, message: 'web-4 is down' })
    await logged(fixture, 10)
    expect(texts()).toContain(`${lost}web-4 is down`)
  })

  it('because its receiver asks for ever more time is told of after ten minutes, and is tried on', async () => {
    let at = Date.now()
    let calls = 0
    const busy = await receiver((reply) => reply.writeHead(++calls < 12 ? 429 : 200).end())
    const working = await receiver()
    const told: number[] = []
    const fixture = await notifierFixture(
      [
        { url: busy.origin, name: 'Chat' },
        { url: `${working.origin}/?m=#NEZHA#`, name: 'Pager' },
      ],
      {
        now: () => at,
        async pause(ms) {
          at += ms
          const { body } = await fixture.call('GET', 'notification')
          const [chat] = (body as { data: { undelivered_cause?: string }[] }).data
          if (chat?.undelivered_cause) told.push(calls)
        },
      },
    )
    fixture.notifications.send({ groupId: 1, message: 'web-1 is down' })
    const log = await logged(fixture, 3)
    expect(log.filter(({ notification_name }) => notification_name === 'Chat')).toMatchObject([{ state: 1, tries: 12 }])
    const texts = working.deliveries.map(({ url }) => new URL(url ?? '', working.origin).searchParams.get('m'))
    expect(texts.sort()).toEqual([
      '[Not delivered] The notifier Chat could not deliver this: web-1 is down',
      'web-1 is down',
    ])
    // 5 s, 10 s and so on to 160 s are five minutes, and then five more.
    expect(told[0]).toBe(8)
    const { body } = await fixture.call('GET', 'notification')
    expect(JSON.stringify(body)).not.toContain('undelivered_cause')
  })

  it('is told of as soon where others are tried in its place, because its receiver takes none of them', async () => {
    const start = Date.now()
    let at = start
    const busy = await receiver((reply) => reply.writeHead(429).end('not now'))
    const told = Promise.withResolvers<number>()
    const fixture = await notifierFixture([{ url: busy.origin, name: 'Chat' }], {
      now: () => at,
      async pause(ms) {
        at += ms
        fixture.notifications.send({ groupId: 1, message: `another one after ${at - start} ms` })
        const { body } = await fixture.call('GET', 'notification')
        const isTold = JSON.stringify(body).includes('429 not now')
        if (isTold || at - start > 7_200_000) told.resolve((at - start) / 60_000)
      },
    })
    fixture.notifications.send({ groupId: 1, message: 'web-1 is down' })
    // After ten minutes, and the pause in which they end.
    expect(await told.promise).toBeLessThan(21)
  })

  it('is given up after a day where others are tried in its place', async () => {
    const start = Date.now()
    let at = start
    const busy = await receiver((reply) => reply.writeHead(429).end('not now'))
    const fixture = await notifierFixture([{ url: busy.origin, name: 'Chat' }], {
      now: () => at,
      async pause(ms, signal) {
        signal.throwIfAborted()
        at += Math.max(ms, 900_000)
        fixture.notifications.send({ groupId: 1, message: `another one after ${at - start} ms` })
      },
    })
    fixture.notifications.send({ groupId: 1, message: 'web-1 is down' })
    const log = await logged(fixture, 1)
    expect(log.at(-1)).toMatchObject({ message: 'web-1 is down', state: 2, code: 429, reply: 'not now' })
  })

  it('is not told of where no other notifier is', async () => {
    const broken = await receiver((reply) => reply.writeHead(403).end())
    const fixture = await notifierFixture([{ url: broken.origin }])
    fixture.notifications.send({ groupId: 1, message: 'x' })
    expect(await logged(fixture, 1)).toMatchObject([{ state: 2, tries: 3 }])
    expect(broken.deliveries).toHaveLength(3)
  })
})

describe('a notifier that did not deliver a message', () => {
  type Notifier = { undelivered_at?: string; undelivered_cause?: string }

  async function brokenFixture() {
    let works = false
    const { origin } = await receiver((reply) => reply.writeHead(works ? 200 : 500).end('out of order'))
    const notifier = { url: origin, name: 'Chat' }
    const fixture = await notifierFixture([notifier])
    fixture.notifications.send({ groupId: 1, message: 'x' })
    await logged(fixture, 1)
    const stored = async () => {
      const { body } = await fixture.call('GET', 'notification')
      return (body as { data: Notifier[] }).data[0]
    }
    function repair(): void {
      works = true
    }
    return { ...fixture, notifier, stored, repair }
  }

  it('says so, with the reply, until a later one arrives', async () => {
    const fixture = await brokenFixture()
    expect(await fixture.stored()).toMatchObject({
      undelivered_at: expect.stringMatching(/^\d{4}-/),
      undelivered_cause: '500 out of order',
    })
    fixture.repair()
    fixture.notifications.send({ groupId: 1, message: 'y' })
    await logged(fixture, 2)
    expect(await fixture.stored()).not.toHaveProperty('undelivered_at')
  })

  it.each([
    ['somebody has put it aside', 'POST', 'wheelhouse/notification/1/dismiss'],
    ['a test message arrives', 'POST', 'wheelhouse/notification/1/test'],
    ['somebody saves it', 'PATCH', 'notification/1'],
  ] as const)('says so until %s', async (_, method, path) => {
    const fixture = await brokenFixture()
    fixture.repair()
    await fixture.call(method, path, { ...fixture.notifier, request_method: 1, request_type: 1, skip_check: true })
    expect(await fixture.stored()).not.toHaveProperty('undelivered_at')
  })

  it('is put aside by nobody but its owner and administrators', async () => {
    const fixture = await brokenFixture()
    const { body } = await fixture.call('POST', 'wheelhouse/notification/1/dismiss', {}, member)
    expect(body).toMatchObject({ error: 'permission denied' })
    expect(await fixture.stored()).toHaveProperty('undelivered_at')
  })
})
