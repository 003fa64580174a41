import { line } from '../../schemas/define/fields.ts'
import { mail } from './mail.ts'
import {
  answer,
  base,
  messageAfter,
  optionalAnswer,
  optionalSecret,
  type Preset,
  postRequest,
  secretAnswer,
  webAddress,
} from './preset.ts'

/** The address that a service gives for its messages, which is a secret in itself. */
const webhookAddress = { answer: webAddress(), label: 'app.notifier_presets.labels.webhook' }

/** A word that messages must have, where the service was told so. */
const keywordQuestion = {
  answer: optionalAnswer(),
  label: 'app.notifier_presets.labels.keyword',
  help: 'app.notifier_presets.keyword_help',
}

export const telegram: Preset = {
  id: 'telegram',
  name: 'Telegram',
  help: 'app.notifier_presets.telegram.help',
  questions: {
    token: { answer: secretAnswer(), label: 'app.notifier_presets.labels.token' },
    chat: {
      answer: answer(),
      label: 'app.notifier_presets.telegram.chat',
      help: 'app.notifier_presets.telegram.chat_help',
    },
  },
  fill: ({ token = '', chat }) =>
    postRequest({
      url: `https://api.telegram.org/bot${token}/sendMessage`,
      json: { chat_id: chat, text: '#NEZHA#', link_preview_options: { is_disabled: true } },
    }),
}

const slack: Preset = {
  id: 'slack',
  name: 'Slack',
  help: 'app.notifier_presets.slack.help',
  questions: { url: webhookAddress },
  fill: ({ url = '' }) => postRequest({ url, json: { text: '#NEZHA#', mrkdwn: false } }),
}

export const discord: Preset = {
  id: 'discord',
  name: 'Discord',
  help: 'app.notifier_presets.discord.help',
  questions: { url: webhookAddress },
  // A description may be twice as long as a message, and mentions in it reach nobody.
  fill: ({ url = '' }) => postRequest({ url, json: { embeds: [{ description: '#NEZHA#' }] } }),
}

const teams: Preset = {
  id: 'teams',
  name: 'Microsoft Teams',
  help: 'app.notifier_presets.teams.help',
  questions: { url: webhookAddress },
  fill: ({ url = '' }) =>
    postRequest({
      url,
      json: {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            contentUrl: null,
            content: {
              $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
              type: 'AdaptiveCard',
              version: '1.4',
              body: [{ type: 'TextBlock', text: '#NEZHA#', wrap: true }],
            },
          },
        ],
      },
    }),
}

const mattermost: Preset = {
  id: 'mattermost',
  name: 'Mattermost',
  help: 'app.notifier_presets.mattermost.help',
  questions: { url: webhookAddress },
  fill: ({ url = '' }) => postRequest({ url, json: { text: '#NEZHA#' } }),
}

const matrix: Preset = {
  id: 'matrix',
  name: 'Matrix',
  help: 'app.notifier_presets.matrix.help',
  questions: {
    server: { answer: webAddress('https://matrix.org'), label: 'app.notifier_presets.labels.server' },
    room: {
      answer: answer(),
      label: 'app.notifier_presets.matrix.room',
      help: 'app.notifier_presets.matrix.room_help',
    },
    token: { answer: secretAnswer(), label: 'app.notifier_presets.labels.token' },
  },
  fill: ({ server, room = '', token }) =>
    postRequest({
      url: `${base(server)}/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message`,
      json: { msgtype: 'm.text', body: '#NEZHA#' },
      headers: { Authorization: `Bearer ${token}` },
    }),
}

export const ntfy: Preset = {
  id: 'ntfy',
  name: 'ntfy',
  help: 'app.notifier_presets.ntfy.help',
  questions: {
    server: { answer: webAddress('https://ntfy.sh'), label: 'app.notifier_presets.labels.server' },
    topic: { answer: answer(), label: 'app.notifier_presets.ntfy.topic' },
    token: {
      answer: optionalSecret(),
      label: 'app.notifier_presets.ntfy.token',
    },
  },
  fill: ({ server, topic, token }) =>
    postRequest({
      url: `${base(server)}/`,
      json: { topic, message: '#NEZHA#' },
      headers: token ? { Authorization: `Bearer ${token}` } : {},
    }),
}

export const gotify: Preset = {
  id: 'gotify',
  name: 'Gotify',
  help: 'app.notifier_presets.gotify.help',
  questions: {
    server: { answer: webAddress(), label: 'app.notifier_presets.labels.server' },
    token: { answer: secretAnswer(), label: 'app.notifier_presets.labels.token' },
  },
  fill: ({ server, token = '' }) =>
    postRequest({
      url: `${base(server)}/message`,
      json: { message: '#NEZHA#', priority: 5 },
      headers: { 'X-Gotify-Key': token },
    }),
}

const pushover: Preset = {
  id: 'pushover',
  name: 'Pushover',
  help: 'app.notifier_presets.pushover.help',
  questions: {
    token: { answer: secretAnswer(), label: 'app.notifier_presets.labels.token' },
    user: {
      answer: secretAnswer(),
      label: 'app.notifier_presets.pushover.user',
    },
  },
  fill: ({ token = '', user = '' }) =>
    postRequest({ url: 'https://api.pushover.net/1/messages.json', form: { token, user, message: '#NEZHA#' } }),
}

const bark: Preset = {
  id: 'bark',
  name: 'Bark',
  help: 'app.notifier_presets.bark.help',
  questions: {
    server: { answer: webAddress('https://api.day.app'), label: 'app.notifier_presets.labels.server' },
    key: {
      answer: secretAnswer(),
      label: 'app.notifier_presets.bark.key',
    },
  },
  fill: ({ server, key }) =>
    postRequest({
      url: `${base(server)}/push`,
      json: { device_key: key, body: '#NEZHA#', group: 'Wheelhouse' },
    }),
}

const pagerDuty: Preset = {
  id: 'pagerduty',
  name: 'PagerDuty',
  help: 'app.notifier_presets.pagerduty.help',
  questions: {
    key: {
      answer: secretAnswer(),
      label: 'app.notifier_presets.pagerduty.key',
    },
    server: {
      answer: webAddress('https://events.pagerduty.com'),
      label: 'app.notifier_presets.labels.server',
      help: 'app.notifier_presets.pagerduty.server_help',
    },
  },
  fill: ({ key, server }) =>
    postRequest({
      url: `${base(server)}/v2/enqueue`,
      json: {
        routing_key: key,
        event_action: 'trigger',
        payload: { summary: '#NEZHA#', source: 'Wheelhouse', severity: 'error' },
      },
    }),
}

const dingTalk: Preset = {
  id: 'dingtalk',
  name: 'DingTalk 钉钉',
  help: 'app.notifier_presets.dingtalk.help',
  questions: {
    url: webhookAddress,
    keyword: keywordQuestion,
  },
  fill: ({ url = '', keyword }) =>
    postRequest({ url, json: { msgtype: 'text', text: { content: messageAfter(keyword) } } }),
}

const feishu: Preset = {
  id: 'feishu',
  name: 'Feishu 飞书 / Lark',
  help: 'app.notifier_presets.feishu.help',
  questions: {
    url: webhookAddress,
    keyword: keywordQuestion,
  },
  fill: ({ url = '', keyword }) =>
    postRequest({ url, json: { msg_type: 'text', content: { text: messageAfter(keyword) } } }),
}

const weCom: Preset = {
  id: 'wecom',
  name: 'WeCom 企业微信',
  help: 'app.notifier_presets.wecom.help',
  questions: { url: webhookAddress },
  fill: ({ url = '' }) => postRequest({ url, json: { msgtype: 'text', text: { content: '#NEZHA#' } } }),
}

/** A key names its edition: `sctp12t…` is one of ServerChan³, for the user 12; others are of Turbo. */
function addressOf(key: string): string {
  const user = /^sctp(\d+)t/.exec(key)?.[1]
  const path = `${encodeURIComponent(key)}.send`
  return user ? `https://${user}.push.ft07.com/send/${path}` : `https://sctapi.ftqq.com/${path}`
}

const serverChan: Preset = {
  id: 'serverchan',
  name: 'ServerChan Server酱',
  help: 'app.notifier_presets.serverchan.help',
  questions: {
    key: {
      answer: secretAnswer(),
      label: 'app.notifier_presets.serverchan.key',
    },
    title: {
      answer: line(32).min(1).default('Wheelhouse'),
      label: 'app.notifier_presets.serverchan.title',
    },
  },
  fill: ({ key = '', title }) => postRequest({ url: addressOf(key), json: { title, desp: '#NEZHA#' } }),
}

/** Any program that reads JSON. */
const webhook: Preset = {
  id: 'webhook',
  name: 'Webhook (JSON)',
  help: 'app.notifier_presets.webhook.help',
  questions: {
    url: { answer: webAddress(), label: 'app.notifier_presets.webhook.url' },
    token: {
      answer: optionalSecret(),
      label: 'app.notifier_presets.webhook.token',
      help: 'app.notifier_presets.webhook.token_help',
    },
  },
  fill: ({ url = '', token }) =>
    postRequest({
      url,
      json: { message: '#NEZHA#', time: '#DATETIME#' },
      headers: token ? { Authorization: `Bearer ${token}` } : {},
    }),
}

/** All presets, in the order in which they are offered. */
export const presets: readonly Preset[] = [
  mail,
  telegram,
  slack,
  discord,
  teams,
  mattermost,
  matrix,
  ntfy,
  gotify,
  pushover,
  bark,
  pagerDuty,
  dingTalk,
  feishu,
  weCom,
  serverChan,
  webhook,
]
