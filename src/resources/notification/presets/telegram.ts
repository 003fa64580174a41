import { answer, type Preset, postRequest, secretAnswer } from './preset.ts'

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
