import type { Locale } from '../../../i18n/locales.ts'

/** Texts of the feed of incidents, in addition to those of the page. `{{name}}` stands for a value. */
interface FeedTexts {
  title: string
  /** While they last. */
  serviceIsDown: string
  serverIsOffline: string
  began: string
  ended: string
  cause: string
}

export const feedTexts: Record<Locale, FeedTexts> = {
  'en-US': {
    title: '{{site}}: incidents',
    serviceIsDown: '{{name}} is down',
    serverIsOffline: '{{name}} is offline',
    began: 'Began: {{time}}.',
    ended: 'Ended: {{time}}, after {{duration}}.',
    cause: 'Cause: {{cause}}.',
  },
  it: {
    title: '{{site}}: incidenti',
    serviceIsDown: '{{name}} non è attivo',
    serverIsOffline: '{{name}} è offline',
    began: 'Inizio: {{time}}.',
    ended: 'Fine: {{time}}, dopo {{duration}}.',
    cause: 'Causa: {{cause}}.',
  },
  'zh-CN': {
    title: '{{site}}：故障记录',
    serviceIsDown: '{{name}} 正在故障中',
    serverIsOffline: '{{name}} 当前离线',
    began: '开始：{{time}}。',
    ended: '恢复：{{time}}，持续 {{duration}}。',
    cause: '原因：{{cause}}。',
  },
  'zh-TW': {
    title: '{{site}}：故障紀錄',
    serviceIsDown: '{{name}} 正在故障中',
    serverIsOffline: '{{name}} 目前離線',
    began: '開始：{{time}}。',
    ended: '恢復：{{time}}，持續 {{duration}}。',
    cause: '原因：{{cause}}。',
  },
  'de-DE': {
    title: '{{site}}: Störungen',
    serviceIsDown: '{{name}} ist ausgefallen',
    serverIsOffline: '{{name}} ist offline',
    began: 'Beginn: {{time}}.',
    ended: 'Ende: {{time}}, nach {{duration}}.',
    cause: 'Ursache: {{cause}}.',
  },
}
