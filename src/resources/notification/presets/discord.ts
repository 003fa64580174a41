import { labels, type Preset, postRequest, webAddress } from './preset.ts'

export const discord: Preset = {
  id: 'discord',
  name: 'Discord',
  help: {
    en: 'In the settings of the channel, under Integrations, create a webhook and copy its URL. At most 4,096 characters; nobody is mentioned.',
    it: 'Nelle impostazioni del canale, in Integrazioni, crea un webhook e copiane l’URL. Al massimo 4.096 caratteri; nessuno viene menzionato.',
    zhCN: '在频道设置的“整合”中创建 Webhook 并复制其地址。最多 4,096 个字符；不会提及任何人。',
    zhTW: '在頻道設定的「整合」中建立 Webhook 並複製其網址。最多 4,096 個字元；不會提及任何人。',
    de: 'In den Einstellungen des Kanals unter Integrationen einen Webhook erstellen und die URL kopieren. Höchstens 4.096 Zeichen; niemand wird erwähnt.',
  },
  questions: { url: { answer: webAddress(), label: labels.webhook } },
  // A description may be twice as long as a message, and mentions in it reach nobody.
  fill: ({ url = '' }) => postRequest({ url, json: { embeds: [{ description: '#NEZHA#' }] } }),
}
