import { base, labels, type Preset, postRequest, secretAnswer, webAddress } from './preset.ts'

export const pagerDuty: Preset = {
  id: 'pagerduty',
  name: 'PagerDuty',
  help: {
    en: 'Add the integration “Events API v2” to a service and copy its key. Every notification opens an incident, that of a recovery too: use it for what has to wake somebody.',
    it: 'Aggiungi a un servizio l’integrazione “Events API v2” e copiane la chiave. Ogni notifica apre un incidente, anche quella di un ripristino: usalo per ciò che deve svegliare qualcuno.',
    zhCN: '为服务添加“Events API v2”集成并复制其密钥。每条通知都会创建事件，恢复通知也一样：请只用于必须叫醒人的情况。',
    zhTW: '為服務新增「Events API v2」整合並複製其金鑰。每則通知都會建立事件，恢復通知也一樣：請只用於必須叫醒人的情況。',
    de: 'Einem Dienst die Integration „Events API v2“ hinzufügen und ihren Schlüssel kopieren. Jede Meldung öffnet einen Vorfall, auch die über das Ende: für das verwenden, was jemanden wecken muss.',
  },
  questions: {
    key: {
      answer: secretAnswer(),
      label: {
        en: 'Integration key',
        it: 'Chiave di integrazione',
        zhCN: '集成密钥',
        zhTW: '整合金鑰',
        de: 'Integrationsschlüssel',
      },
    },
    server: {
      answer: webAddress('https://events.pagerduty.com'),
      label: labels.server,
      help: {
        en: 'https://events.eu.pagerduty.com for accounts in the EU.',
        it: 'https://events.eu.pagerduty.com per gli account nell’UE.',
        zhCN: '欧盟账户使用 https://events.eu.pagerduty.com。',
        zhTW: '歐盟帳戶使用 https://events.eu.pagerduty.com。',
        de: 'https://events.eu.pagerduty.com für Konten in der EU.',
      },
    },
  },
  fill: ({ key, server }) =>
    postRequest({
      url: `${base(server)}/v2/enqueue`,
      json: {
        routing_key: key,
        event_action: 'trigger',
        payload: { summary: '#NEZHA#', source: 'Wheelhouse', severity: 'error' },
      },
    }),
}
