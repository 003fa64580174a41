import { labels, type Preset, postRequest, secretAnswer } from './preset.ts'

export const pushover: Preset = {
  id: 'pushover',
  name: 'Pushover',
  help: {
    en: 'Create an application on pushover.net for its token; the user key stands on the first page there. At most 1,024 characters.',
    it: 'Su pushover.net crea un’applicazione per ottenere il token; la chiave utente è nella prima pagina. Al massimo 1.024 caratteri.',
    zhCN: '在 pushover.net 创建应用以获得令牌；用户密钥显示在首页。最多 1,024 个字符。',
    zhTW: '在 pushover.net 建立應用程式以取得權杖；使用者金鑰顯示在首頁。最多 1,024 個字元。',
    de: 'Auf pushover.net eine Anwendung für das Token anlegen; der Benutzerschlüssel steht dort auf der ersten Seite. Höchstens 1.024 Zeichen.',
  },
  questions: {
    token: { answer: secretAnswer(), label: labels.token },
    user: {
      answer: secretAnswer(),
      label: {
        en: 'User or group key',
        it: 'Chiave utente o del gruppo',
        zhCN: '用户或群组密钥',
        zhTW: '使用者或群組金鑰',
        de: 'Benutzer- oder Gruppenschlüssel',
      },
    },
  },
  fill: ({ token = '', user = '' }) =>
    postRequest({ url: 'https://api.pushover.net/1/messages.json', form: { token, user, message: '#NEZHA#' } }),
}
