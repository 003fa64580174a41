import { base, labels, type Preset, postRequest, secretAnswer, webAddress } from './preset.ts'

export const gotify: Preset = {
  id: 'gotify',
  name: 'Gotify',
  help: {
    en: 'Under Apps, create an application and copy its token; a token of a client cannot send.',
    it: 'In Apps crea un’applicazione e copiane il token; con il token di un client non si può inviare.',
    zhCN: '在 Apps 中创建应用并复制其令牌；客户端的令牌不能发送消息。',
    zhTW: '在 Apps 中建立應用程式並複製其權杖；用戶端的權杖無法傳送訊息。',
    de: 'Unter Apps eine Anwendung anlegen und ihr Token kopieren; mit dem Token eines Clients kann man nicht senden.',
  },
  questions: {
    server: { answer: webAddress(), label: labels.server },
    token: { answer: secretAnswer(), label: labels.token },
  },
  fill: ({ server, token = '' }) =>
    postRequest({
      url: `${base(server)}/message`,
      json: { message: '#NEZHA#', priority: 5 },
      headers: { 'X-Gotify-Key': token },
    }),
}
