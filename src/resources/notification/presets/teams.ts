import { labels, type Preset, postRequest, webAddress } from './preset.ts'

export const teams: Preset = {
  id: 'teams',
  name: 'Microsoft Teams',
  help: {
    en: 'In Teams, make a workflow of the kind “Post to a channel when a webhook request is received” and copy its URL. The older connectors are not meant.',
    it: 'In Teams crea un flusso di lavoro del tipo “Pubblica in un canale quando viene ricevuta una richiesta webhook” e copiane l’URL. Non si tratta dei vecchi connettori.',
    zhCN: '在 Teams 中创建“收到 Webhook 请求时发布到频道”类型的工作流，并复制其地址。不是旧版连接器。',
    zhTW: '在 Teams 中建立「收到 Webhook 要求時張貼至頻道」類型的工作流程，並複製其網址。不是舊版連接器。',
    de: 'In Teams einen Workflow der Art „Beim Empfang einer Webhook-Anforderung in einem Kanal posten“ anlegen und die URL kopieren. Die älteren Connectors sind nicht gemeint.',
  },
  questions: { url: { answer: webAddress(), label: labels.webhook } },
  fill: ({ url = '' }) =>
    postRequest({
      url,
      json: {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            contentUrl: null,
            content: {
              $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
              type: 'AdaptiveCard',
              version: '1.4',
              body: [{ type: 'TextBlock', text: '#NEZHA#', wrap: true }],
            },
          },
        ],
      },
    }),
}
