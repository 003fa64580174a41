import { optionalSecret, type Preset, postRequest, webAddress } from './preset.ts'

/** Any program that reads JSON. */
export const webhook: Preset = {
  id: 'webhook',
  name: 'Webhook (JSON)',
  help: {
    en: 'Sends {"message": …, "time": …} by POST. Add what the receiver needs to the body afterwards, with placeholders.',
    it: 'Invia {"message": …, "time": …} con POST. Aggiungi poi al corpo ciò che serve al destinatario, con i segnaposto.',
    zhCN: '以 POST 发送 {"message": …, "time": …}。之后可用占位符在请求体中补充接收方需要的内容。',
    zhTW: '以 POST 傳送 {"message": …, "time": …}。之後可用預留位置在請求主體中補充接收端需要的內容。',
    de: 'Sendet {"message": …, "time": …} per POST. Was der Empfänger sonst braucht, danach mit Platzhaltern im Inhalt ergänzen.',
  },
  questions: {
    url: { answer: webAddress(), label: { en: 'URL', it: 'URL', zhCN: 'URL', zhTW: 'URL', de: 'URL' } },
    token: {
      answer: optionalSecret(),
      label: { en: 'Bearer token', it: 'Bearer token', zhCN: 'Bearer 令牌', zhTW: 'Bearer 權杖', de: 'Bearer-Token' },
      help: {
        en: 'Sent as the header Authorization.',
        it: 'Inviato nell’intestazione Authorization.',
        zhCN: '作为 Authorization 请求头发送。',
        zhTW: '作為 Authorization 標頭傳送。',
        de: 'Wird als Header Authorization gesendet.',
      },
    },
  },
  fill: ({ url = '', token }) =>
    postRequest({
      url,
      json: { message: '#NEZHA#', time: '#DATETIME#' },
      headers: token ? { Authorization: `Bearer ${token}` } : {},
    }),
}
