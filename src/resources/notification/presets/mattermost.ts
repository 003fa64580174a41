import { labels, type Preset, postRequest, webAddress } from './preset.ts'

export const mattermost: Preset = {
  id: 'mattermost',
  name: 'Mattermost',
  help: {
    en: 'Under Integrations, add an incoming webhook for the channel and copy its URL.',
    it: 'In Integrazioni aggiungi un webhook in entrata per il canale e copiane l’URL.',
    zhCN: '在“集成”中为频道添加传入 Webhook 并复制其地址。',
    zhTW: '在「整合」中為頻道新增傳入 Webhook 並複製其網址。',
    de: 'Unter Integrationen einen eingehenden Webhook für den Kanal anlegen und die URL kopieren.',
  },
  questions: { url: { answer: webAddress(), label: labels.webhook } },
  fill: ({ url = '' }) => postRequest({ url, json: { text: '#NEZHA#' } }),
}
