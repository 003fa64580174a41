import { describe, expect, it } from 'vitest'
import { messagePlaceholders } from '../../../server/notifications/notifierRequest.ts'
import { sendToNotifier } from '../../../server/notifications/notifiers.ts'
import { pushKeysIn } from '../../../server/outbound/webPush.ts'
import { presets } from '../../../src/domain/notifierPresets/index.ts'
import type { Preset } from '../../../src/domain/notifierPresets/preset.ts'
import { notification } from '../../../src/schemas/notification.ts'
import { mailServer, mailUser } from '../../support/fakes/mailServer.ts'
import { receiver } from '../../support/fakes/receiver.ts'

const message = 'Küche "nord" is down 🍳\n\\ back\\slash, tab\t, 100 % & 1+1=#2\n<b>#NEZHA# {{x}}</b> \u202e'

/** Private targets, and no devices. */
const allowed = {
  allowPrivate: true,
  pushKeys: pushKeysIn({ value: () => undefined, setValue: () => {} }, 'mailto:a@example.org', Date.now),
}

/** What each service gets: method and address of the request, headers beside its type, and the parsed body. */
interface Expected {
  answers: Record<string, string>
  /** The address that the preset makes. */
  url: string
  headers?: Record<string, string>
  body: unknown
}

const hook = 'https://hooks.example.org/services/T0/B0?key=a%2Fb'

const expected: Record<string, Expected> = {
  telegram: {
    answers: { token: '123:ABC-d_e', chat: '-1001' },
    url: 'https://api.telegram.org/bot123:ABC-d_e/sendMessage',
    body: { chat_id: '-1001', text: message, link_preview_options: { is_disabled: true } },
  },
  slack: { answers: { url: hook }, url: hook, body: { text: message, mrkdwn: false } },
  discord: { answers: { url: hook }, url: hook, body: { embeds: [{ description: message }] } },
  mattermost: { answers: { url: hook }, url: hook, body: { text: message } },
  teams: {
    answers: { url: hook },
    url: hook,
    body: {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [{ type: 'TextBlock', text: message, wrap: true }],
          },
        },
      ],
    },
  },
  ntfy: {
    answers: { server: 'https://ntfy.sh/', topic: 'rack "7"', token: 'tk_1' },
    url: 'https://ntfy.sh/',
    headers: { authorization: 'Bearer tk_1' },
    body: { topic: 'rack "7"', message },
  },
  gotify: {
    answers: { server: 'https://push.example.org/gotify/', token: 'A.b' },
    url: 'https://push.example.org/gotify/message',
    headers: { 'x-gotify-key': 'A.b' },
    body: { message, priority: 5 },
  },
  bark: {
    answers: { server: 'https://api.day.app', key: 'k"ey' },
    url: 'https://api.day.app/push',
    body: { device_key: 'k"ey', body: message, group: 'Wheelhouse' },
  },
  pushover: {
    answers: { token: 't&1', user: 'u=1' },
    url: 'https://api.pushover.net/1/messages.json',
    body: { token: 't&1', user: 'u=1', message },
  },
  matrix: {
    answers: { server: 'https://matrix.example.org', room: '!abc/d:example.org', token: 'syt_1' },
    url: 'https://matrix.example.org/_matrix/client/v3/rooms/!abc%2Fd%3Aexample.org/send/m.room.message',
    headers: { authorization: 'Bearer syt_1' },
    body: { msgtype: 'm.text', body: message },
  },
  dingtalk: {
    answers: { url: hook, keyword: 'alert' },
    url: hook,
    body: { msgtype: 'text', text: { content: `alert ${message}` } },
  },
  feishu: {
    answers: { url: hook, keyword: '' },
    url: hook,
    body: { msg_type: 'text', content: { text: message } },
  },
  wecom: { answers: { url: hook }, url: hook, body: { msgtype: 'text', text: { content: message } } },
  serverchan: {
    answers: { key: 'SCT1T/a', title: 'Rack "7"' },
    url: 'https://sctapi.ftqq.com/SCT1T%2Fa.send',
    body: { title: 'Rack "7"', desp: message },
  },
  pagerduty: {
    answers: { key: 'R0', server: 'https://events.eu.pagerduty.com' },
    url: 'https://events.eu.pagerduty.com/v2/enqueue',
    body: {
      routing_key: 'R0',
      event_action: 'trigger',
      payload: { summary: message, source: 'Wheelhouse', severity: 'error' },
    },
  },
  webhook: {
    answers: { url: hook, token: 's' },
    url: hook,
    headers: { authorization: 'Bearer s' },
    body: { message, time: expect.stringMatching(/^\d{4}-\d\d-\d\d .* UTC$/) },
  },
}

const byRequest = presets.filter(({ id }) => id !== 'mail')
const parsed = (type: string | undefined, body: string) =>
  type === 'application/json' ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))

/** The preset's notifier, as the form would save it. */
function notifierOf({ name, fill }: Preset, answers: Record<string, string>) {
  const checked = notification.form.parse({ name, ...fill(answers), verify_tls: false })
  return { ...checked, request_header: checked.request_header, request_body: checked.request_body }
}

describe('A notifier that a preset has filled in', () => {
  it.each(byRequest.map((preset) => [preset.name, preset] as const))(
    'for %s sends the whole message in the form that the service reads',
    async (_, preset) => {
      const { answers, url, headers = {}, body } = expected[preset.id] as Expected
      const { origin, deliveries } = await receiver()
      const notifier = notifierOf(preset, answers)
      expect(notifier.url).toBe(url)
      const { pathname, search } = new URL(url)
      await sendToNotifier({ ...notifier, url: origin + pathname + search }, messagePlaceholders(message), allowed)
      const [delivery] = deliveries
      expect(delivery).toMatchObject({ method: 'POST', url: pathname + search, headers })
      expect(parsed(delivery?.headers['content-type'], delivery?.body ?? '')).toEqual(body)
    },
  )

  it('for mail sends it to all recipients', async () => {
    const { mails, port } = await mailServer()
    const preset = presets.find(({ id }) => id === 'mail') as Preset
    const answers = {
      host: '127.0.0.1',
      port: '465',
      ...mailUser,
      from: 'c+x@example.org',
      to: 'a@example.org, b@example.org',
    }
    const { url } = notifierOf(preset, answers)
    expect(url).toMatch(/^smtps:\/\/ops%40example\.org:p%40ss%2Fword%3A%20%221%22@127\.0\.0\.1:465\/\?from=/)
    const notifier = { ...notifierOf(preset, answers), url: url.replace(':465/', `:${port}/`) }
    await sendToNotifier(notifier, messagePlaceholders('"down"\nsince noon'), allowed)
    expect(mails).toMatchObject([
      { from: 'c+x@example.org', to: ['a@example.org', 'b@example.org'], text: '"down"\nsince noon' },
    ])
    expect(notifierOf(preset, { ...answers, port: '587' }).url).toMatch(/^smtp:/)
  })

  it('names ServerChan³ by the user in its key', () => {
    const preset = presets.find(({ id }) => id === 'serverchan') as Preset
    expect(notifierOf(preset, { key: 'sctp12tabc', title: 'x' }).url).toBe(
      'https://12.push.ft07.com/send/sctp12tabc.send',
    )
  })

  it('is tested here for every preset, and never keeps the headers of the service before', () => {
    expect(Object.keys(expected).sort()).toEqual(byRequest.map(({ id }) => id).sort())
    for (const { id, fill } of byRequest) {
      expect(fill(expected[id]?.answers ?? {}).request_header).not.toBe('')
    }
  })
})
