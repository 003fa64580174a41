import { optionalSecret, type Preset, postRequest, webAddress } from './preset.ts'

/** Any program that reads JSON. */
export const webhook: Preset = {
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
