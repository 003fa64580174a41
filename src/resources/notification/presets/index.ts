import { bark } from './bark.ts'
import { mail } from './mail.ts'
import { matrix } from './matrix.ts'
import { pagerDuty } from './pagerDuty.ts'
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
import { serverChan } from './serverChan.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'
import { webhook } from './webhook.ts'

const weCom: Preset = {
  id: 'wecom',
  name: 'WeCom 企业微信',
  help: 'app.notifier_presets.wecom.help',
  questions: { url: { answer: webAddress(), label: 'app.notifier_presets.labels.webhook' } },
  fill: ({ url = '' }) => postRequest({ url, json: { msgtype: 'text', text: { content: '#NEZHA#' } } }),
}

const slack: Preset = {
  id: 'slack',
  name: 'Slack',
  help: 'app.notifier_presets.slack.help',
  questions: { url: { answer: webAddress(), label: 'app.notifier_presets.labels.webhook' } },
  fill: ({ url = '' }) => postRequest({ url, json: { text: '#NEZHA#', mrkdwn: false } }),
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

const ntfy: Preset = {
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

const mattermost: Preset = {
  id: 'mattermost',
  name: 'Mattermost',
  help: 'app.notifier_presets.mattermost.help',
  questions: { url: { answer: webAddress(), label: 'app.notifier_presets.labels.webhook' } },
  fill: ({ url = '' }) => postRequest({ url, json: { text: '#NEZHA#' } }),
}

const gotify: Preset = {
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

const feishu: Preset = {
  id: 'feishu',
  name: 'Feishu 飞书 / Lark',
  help: 'app.notifier_presets.feishu.help',
  questions: {
    url: { answer: webAddress(), label: 'app.notifier_presets.labels.webhook' },
    keyword: {
      answer: optionalAnswer(),
      label: 'app.notifier_presets.labels.keyword',
      help: 'app.notifier_presets.keyword_help',
    },
  },
  fill: ({ url = '', keyword }) =>
    postRequest({ url, json: { msg_type: 'text', content: { text: messageAfter(keyword) } } }),
}

const discord: Preset = {
  id: 'discord',
  name: 'Discord',
  help: 'app.notifier_presets.discord.help',
  questions: { url: { answer: webAddress(), label: 'app.notifier_presets.labels.webhook' } },
  // A description may be twice as long as a message, and mentions in it reach nobody.
  fill: ({ url = '' }) => postRequest({ url, json: { embeds: [{ description: '#NEZHA#' }] } }),
}

const dingTalk: Preset = {
  id: 'dingtalk',
  name: 'DingTalk 钉钉',
  help: 'app.notifier_presets.dingtalk.help',
  questions: {
    url: { answer: webAddress(), label: 'app.notifier_presets.labels.webhook' },
    keyword: {
      answer: optionalAnswer(),
      label: 'app.notifier_presets.labels.keyword',
      help: 'app.notifier_presets.keyword_help',
    },
  },
  fill: ({ url = '', keyword }) =>
    postRequest({ url, json: { msgtype: 'text', text: { content: messageAfter(keyword) } } }),
}

/** All presets, in the order in which they are offered. */
export const presets: readonly Preset[] = [
  ...[mail, telegram, slack, discord, teams, mattermost, matrix],
  ...[ntfy, gotify, pushover, bark, pagerDuty],
  ...[dingTalk, feishu, weCom, serverChan, webhook],
]
