import { labels, type Preset, postRequest, webAddress } from './preset.ts'

export const slack: Preset = {
  id: 'slack',
  name: 'Slack',
  help: {
    en: 'In your Slack app, turn on “Incoming Webhooks” and add one for the channel.',
    it: 'Nella tua app Slack attiva “Incoming Webhooks” e aggiungine uno per il canale.',
    zhCN: '在您的 Slack 应用中启用“Incoming Webhooks”，并为频道添加一个。',
    zhTW: '在您的 Slack 應用程式中啟用「Incoming Webhooks」，並為頻道新增一個。',
    de: 'In der eigenen Slack-App „Incoming Webhooks“ einschalten und einen für den Kanal hinzufügen.',
  },
  questions: { url: { answer: webAddress(), label: labels.webhook } },
  fill: ({ url = '' }) => postRequest({ url, json: { text: '#NEZHA#', mrkdwn: false } }),
}
