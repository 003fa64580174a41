import { keywordHelp, labels, messageAfter, optionalAnswer, type Preset, postRequest, webAddress } from './preset.ts'

export const feishu: Preset = {
  id: 'feishu',
  name: 'Feishu 飞书 / Lark',
  help: {
    en: 'Add a custom bot to the group and copy its webhook. It answers 200 also when it refuses: look whether the test message has arrived.',
    it: 'Aggiungi un bot personalizzato al gruppo e copiane il webhook. Risponde 200 anche quando rifiuta: verifica che il messaggio di prova sia arrivato.',
    zhCN: '在群中添加自定义机器人并复制其 Webhook 地址。被拒绝时也会返回 200：请确认测试消息已收到。',
    zhTW: '在群組中新增自訂機器人並複製其 Webhook 網址。遭拒絕時也會回傳 200：請確認測試訊息已收到。',
    de: 'Der Gruppe einen eigenen Bot hinzufügen und dessen Webhook kopieren. Er antwortet auch beim Ablehnen mit 200: nachsehen, ob die Testnachricht angekommen ist.',
  },
  questions: {
    url: { answer: webAddress(), label: labels.webhook },
    keyword: { answer: optionalAnswer(), label: labels.keyword, help: keywordHelp },
  },
  fill: ({ url = '', keyword }) =>
    postRequest({ url, json: { msg_type: 'text', content: { text: messageAfter(keyword) } } }),
}
