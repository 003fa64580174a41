import { answer, base, labels, type Preset, postRequest, secretAnswer, webAddress } from './preset.ts'

export const matrix: Preset = {
  id: 'matrix',
  name: 'Matrix',
  help: {
    en: 'An account that has joined the room and its access token. The homeserver must take messages by POST, as Synapse does; the room must not be encrypted.',
    it: 'Un account entrato nella stanza e il suo token di accesso. L’homeserver deve accettare messaggi con POST, come fa Synapse; la stanza non deve essere cifrata.',
    zhCN: '需要已加入房间的账号及其访问令牌。主服务器须支持以 POST 发送消息（如 Synapse）；房间不能加密。',
    zhTW: '需要已加入房間的帳號及其存取權杖。主伺服器須支援以 POST 傳送訊息（如 Synapse）；房間不能加密。',
    de: 'Ein Konto, das dem Raum beigetreten ist, und sein Zugriffstoken. Der Heimserver muss Nachrichten per POST annehmen, wie Synapse es tut; der Raum darf nicht verschlüsselt sein.',
  },
  questions: {
    server: { answer: webAddress('https://matrix.org'), label: labels.server },
    room: {
      answer: answer(),
      label: { en: 'Room ID', it: 'ID della stanza', zhCN: '房间 ID', zhTW: '房間 ID', de: 'Raum-ID' },
      help: {
        en: 'In the settings of the room under Advanced, such as !abc:example.org.',
        it: 'Nelle impostazioni della stanza, in Avanzate, per esempio !abc:example.org.',
        zhCN: '见房间设置的“高级”，例如 !abc:example.org。',
        zhTW: '見房間設定的「進階」，例如 !abc:example.org。',
        de: 'In den Einstellungen des Raums unter Erweitert, etwa !abc:example.org.',
      },
    },
    token: { answer: secretAnswer(), label: labels.token },
  },
  fill: ({ server, room = '', token }) =>
    postRequest({
      url: `${base(server)}/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message`,
      json: { msgtype: 'm.text', body: '#NEZHA#' },
      headers: { Authorization: `Bearer ${token}` },
    }),
}
