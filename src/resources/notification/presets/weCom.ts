import { labels, type Preset, postRequest, webAddress } from './preset.ts'

export const weCom: Preset = {
  id: 'wecom',
  name: 'WeCom 企业微信',
  help: {
    en: 'Add a robot to the group chat and copy its webhook. At most 2,048 bytes, which is about 680 Chinese characters. It answers 200 also when it refuses.',
    it: 'Aggiungi un robot alla chat di gruppo e copiane il webhook. Al massimo 2.048 byte. Risponde 200 anche quando rifiuta.',
    zhCN: '在群聊中添加群机器人并复制其 Webhook 地址。最多 2,048 字节，约 680 个汉字。被拒绝时也会返回 200。',
    zhTW: '在群組聊天中新增機器人並複製其 Webhook 網址。最多 2,048 位元組，約 680 個中文字。遭拒絕時也會回傳 200。',
    de: 'Dem Gruppenchat einen Roboter hinzufügen und dessen Webhook kopieren. Höchstens 2.048 Bytes. Er antwortet auch beim Ablehnen mit 200.',
  },
  questions: { url: { answer: webAddress(), label: labels.webhook } },
  fill: ({ url = '' }) => postRequest({ url, json: { msgtype: 'text', text: { content: '#NEZHA#' } } }),
}
