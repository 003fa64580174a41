import { base, type Preset, postRequest, secretAnswer, webAddress } from './preset.ts'

export const pagerDuty: Preset = {
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
