import { type Preset, postRequest, webAddress } from './preset.ts'

export const teams: Preset = {
  id: 'teams',
  name: 'Microsoft Teams',
  help: 'app.notifier_presets.teams.help',
  questions: { url: { answer: webAddress(), label: 'app.notifier_presets.labels.webhook' } },
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
