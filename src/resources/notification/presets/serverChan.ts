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
