import { line } from '../../../schemas/define/fields.ts'
import { type Preset, postRequest, secretAnswer } from './preset.ts'

/** A key names its edition: `sctp12t…` is one of ServerChan³, for the user 12; others are of Turbo. */
function addressOf(key: string): string {
  const user = /^sctp(\d+)t/.exec(key)?.[1]
  const path = `${encodeURIComponent(key)}.send`
  return user ? `https://${user}.push.ft07.com/send/${path}` : `https://sctapi.ftqq.com/${path}`
}

export const serverChan: Preset = {
  id: 'serverchan',
  name: 'ServerChan Server酱',
  help: {
    en: 'The SendKey of ServerChan Turbo (SCT…) or ServerChan³ (sctp…). Messages are read as Markdown.',
    it: 'La SendKey di ServerChan Turbo (SCT…) o ServerChan³ (sctp…). I messaggi vengono letti come Markdown.',
    zhCN: 'Server酱 Turbo 版（SCT…）或 Server酱³（sctp…）的 SendKey。消息内容按 Markdown 解析。',
    zhTW: 'Server醬 Turbo 版（SCT…）或 Server醬³（sctp…）的 SendKey。訊息內容會以 Markdown 解讀。',
    de: 'Der SendKey von ServerChan Turbo (SCT…) oder ServerChan³ (sctp…). Nachrichten werden als Markdown gelesen.',
  },
  questions: {
    key: {
      answer: secretAnswer(),
      label: { en: 'SendKey', it: 'SendKey', zhCN: 'SendKey', zhTW: 'SendKey', de: 'SendKey' },
    },
    title: {
      answer: line(32).min(1).default('Wheelhouse'),
      label: { en: 'Title', it: 'Titolo', zhCN: '标题', zhTW: '標題', de: 'Titel' },
    },
  },
  fill: ({ key = '', title }) => postRequest({ url: addressOf(key), json: { title, desp: '#NEZHA#' } }),
}
