import { answer, labels, type Preset, postRequest, secretAnswer } from './preset.ts'

export const telegram: Preset = {
  id: 'telegram',
  name: 'Telegram',
  help: {
    en: '@BotFather makes a bot and tells its token. Write to the bot first, or add it to the group: it may not begin a conversation. At most 4,096 characters.',
    it: '@BotFather crea un bot e ne comunica il token. Scrivi prima al bot o aggiungilo al gruppo: non può iniziare una conversazione. Al massimo 4.096 caratteri.',
    zhCN: '通过 @BotFather 创建机器人并获得令牌。请先给机器人发消息，或把它加入群组：机器人不能主动发起对话。最多 4,096 个字符。',
    zhTW: '透過 @BotFather 建立機器人並取得權杖。請先傳訊息給機器人，或將它加入群組：機器人無法主動開始對話。最多 4,096 個字元。',
    de: '@BotFather legt einen Bot an und nennt das Token. Dem Bot zuerst schreiben oder ihn in die Gruppe aufnehmen: Er darf kein Gespräch beginnen. Höchstens 4.096 Zeichen.',
  },
  questions: {
    token: { answer: secretAnswer(), label: labels.token },
    chat: {
      answer: answer(),
      label: { en: 'Chat ID', it: 'ID della chat', zhCN: '会话 ID', zhTW: '聊天室 ID', de: 'Chat-ID' },
      help: {
        en: 'A number, negative for groups, or @name of a public channel.',
        it: 'Un numero, negativo per i gruppi, oppure @nome di un canale pubblico.',
        zhCN: '一个数字，群组为负数；或公开频道的 @名称。',
        zhTW: '一個數字，群組為負數；或公開頻道的 @名稱。',
        de: 'Eine Zahl, bei Gruppen negativ, oder @Name eines öffentlichen Kanals.',
      },
    },
  },
  fill: ({ token = '', chat }) =>
    postRequest({
      url: `https://api.telegram.org/bot${token}/sendMessage`,
      json: { chat_id: chat, text: '#NEZHA#', link_preview_options: { is_disabled: true } },
    }),
}
