import { base, type Preset, postRequest, secretAnswer, webAddress } from './preset.ts'

export const bark: Preset = {
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
