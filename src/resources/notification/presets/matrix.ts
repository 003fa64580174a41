import { answer, base, type Preset, postRequest, secretAnswer, webAddress } from './preset.ts'

export const matrix: Preset = {
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
