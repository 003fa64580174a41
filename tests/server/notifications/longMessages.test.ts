import { describe, expect, it } from 'vitest'
import {
  type MessageLimit,
  measure,
  messageLimitOf,
  shortenMessage,
} from '../../../server/notifications/messageLimit.ts'
import type { Notifier } from '../../../server/notifications/notifierRequest.ts'
import { presets } from '../../../src/domain/notifierPresets/index.ts'
import { notification } from '../../../src/schemas/notification.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { logged, notifierFixture } from '../../support/server/fixtures/notifierFixture.ts'

const link = 'https://console.example/dashboard/incident/7/overview'
const family = '👨‍👩‍👧‍👦'

describe('a message that is longer than its receiver takes', () => {
  it.each(['characters', 'utf16_units', 'bytes', 'json_bytes'] as const)(
    'keeps name, value and link, and ends at a whole letter, counted in %s',
    (unit) => {
      const message = ['[Incident] web-1 busy', 'CPU use 97% (limit 90%)', `${family}"é\u0301"`.repeat(500), link].join(
        '\n',
      )
      for (const max of [200, 201, 202, 203, 204, 300, 1024]) {
        const short = shortenMessage(message, { unit, max })
        expect(measure(short, { unit })).toBeLessThanOrEqual(max)
        expect(measure(short, { unit })).toBeGreaterThan(max - 40)
        expect(short.startsWith('[Incident] web-1 busy\nCPU use 97% (limit 90%)\n')).toBe(true)
        expect(short.endsWith(`…\n${link}`)).toBe(true)
        const letters = [...new Intl.Segmenter().segment(short.slice(46, -link.length - 2))].map(
          ({ segment }) => segment,
        )
        for (const letter of letters) expect([family, '"', 'é\u0301', '\n']).toContain(letter)
      }
    },
  )

  it('keeps the end of an output', () => {
    const short = shortenMessage(`[Task failed] backup\n${'x'.repeat(500)} disk full\n${link}`, limitOf(120), {
      keepsEnd: true,
    })
    expect(short).toMatch(/^\[Task failed\] backup\n…x+ disk full\nhttps:/)
    expect(short).toHaveLength(120)
  })

  it('loses the end of its only line, where there is no other', () => {
    expect(shortenMessage('x'.repeat(50), limitOf(10))).toBe(`${'x'.repeat(9)}…`)
    expect(shortenMessage('fits', limitOf(4))).toBe('fits')
  })

  const limitOf = (max: number): MessageLimit => ({ unit: 'characters', max })
})

describe('the limit of a service', () => {
  it.each([
    ['telegram', { unit: 'utf16_units', max: 4096 }],
    ['discord', { unit: 'utf16_units', max: 4096 }],
    ['slack', { unit: 'characters', max: 40_000 }],
    ['matrix', { unit: 'json_bytes', max: 60_000 }],
    ['ntfy', { unit: 'bytes', max: 4096 }],
    ['pushover', { unit: 'characters', max: 1024 }],
    ['bark', { unit: 'json_bytes', max: 3000 }],
    ['pagerduty', { unit: 'characters', max: 1024 }],
    ['gotify', undefined],
    ['webhook', undefined],
  ])('%s is known from what its preset fills in', (id, limit) => {
    const preset = presets.find((one) => one.id === id)
    const answers = {
      url: 'https://discord.com/api/webhooks/1/x',
      server: 'https://own.example',
      token: 't',
      chat: '1',
    }
    const urls: Record<string, string> = {
      slack: 'https://hooks.slack.com/services/x',
      webhook: 'https://own.example/x',
    }
    const fields = preset?.fill({
      ...answers,
      ...(urls[id] && { url: urls[id] }),
      topic: 'x',
      room: '!r',
      key: 'k',
      user: 'u',
    })
    expect(messageLimitOf(notification.form.parse({ name: id, ...fields }) as Notifier)).toEqual(limit)
  })

  it('counts what a template has beside the message', () => {
    const notifier = {
      url: 'https://discord.com/api/webhooks/1/x',
      request_method: 2,
      request_type: 1,
      request_header: '',
      request_body: '{"content":"@here #NEZHA#"}',
      verify_tls: true,
    }
    expect(messageLimitOf(notifier)).toEqual({ unit: 'utf16_units', max: 1994 })
  })
})

describe('a receiver with a limit that nobody knows', () => {
  it.each([400, 413])('gets a shorter message after %i, once, and is not asked again', async (status) => {
    const { origin, deliveries } = await receiver((reply, { body }) => {
      reply.writeHead(JSON.parse(body).text.length > 2000 ? status : 200).end()
    })
    const body = { request_method: 2, request_body: '{"text":"#NEZHA#"}' }
    const fixture = await notifierFixture([{ url: origin, ...body }])
    fixture.notifications.send({ groupId: 1, message: `web-1 busy\n${'line\n'.repeat(1200)}${link}` })
    expect(await logged(fixture, 1)).toMatchObject([{ state: 1, tries: 2 }])
    const text: string = JSON.parse(deliveries[1]?.body ?? '').text
    expect(text).toHaveLength(1000)
    expect(text).toMatch(/^web-1 busy\n(.*\n)*.*…\nhttps:\/\/console\.example/)
    expect(fixture.pauses).toEqual([])
  })

  it('that refuses a short message is not asked again', async () => {
    const { origin, deliveries } = await receiver((reply) => reply.writeHead(400).end('no such chat'))
    const fixture = await notifierFixture([{ url: origin }])
    fixture.notifications.send({ groupId: 1, message: 'web-1 busy' })
    expect(await logged(fixture, 1)).toMatchObject([{ state: 2, tries: 1, reply: 'no such chat' }])
    expect(deliveries).toHaveLength(1)
  })
})

describe('a template that names the message thousands of times', () => {
  it.each([
    ['JSON', 1, `"${'#NEZHA#'.repeat(2000)}"`],
    ['a form', 2, JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [at, '#NEZHA#'])))],
  ])('as %s is refused in words, and holds up nobody', async (_name, request_type, request_body) => {
    const { origin, deliveries } = await receiver()
    const fixture = await notifierFixture([{ url: origin, request_method: 2, request_type, request_body }])
    fixture.notifications.send({ groupId: 1, message: 'x'.repeat(5000) })
    expect(await logged(fixture, 1)).toMatchObject([
      { state: 2, tries: 1, reply: 'the request gets longer than 4 MiB: name #NEZHA# less often' },
    ])
    expect(deliveries).toEqual([])
  })
})
