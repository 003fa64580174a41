import type { Texts } from '../define/text.ts'

/** The line above the servers, and the number of running alarms in the navigation. */
export const summary = {
  summary: {
    label: { en: 'Summary', it: 'Riepilogo', zhCN: '概况', zhTW: '概況', de: 'Überblick' },
    online: {
      en: '%{count} online',
      it: '%{count} online',
      zhCN: '%{count} 台在线',
      zhTW: '%{count} 台上線',
      de: '%{count} online',
    },
    offline: {
      en: '%{count} offline',
      it: '%{count} offline',
      zhCN: '%{count} 台离线',
      zhTW: '%{count} 台離線',
      de: '%{count} offline',
    },
    alarms: {
      en: '%{count} alarm |||| %{count} alarms',
      it: '%{count} allarme |||| %{count} allarmi',
      zhCN: '%{count} 个告警',
      zhTW: '%{count} 個警報',
      de: '%{count} Alarm |||| %{count} Alarme',
    },
    services: {
      en: '%{count} service down |||| %{count} services down',
      it: '%{count} servizio non raggiungibile |||| %{count} servizi non raggiungibili',
      zhCN: '%{count} 个服务故障',
      zhTW: '%{count} 個服務故障',
      de: '%{count} Dienst ausgefallen |||| %{count} Dienste ausgefallen',
    },
  },
  alarm: {
    running_count: {
      en: '%{smart_count} running alarm |||| %{smart_count} running alarms',
      it: '%{smart_count} allarme in corso |||| %{smart_count} allarmi in corso',
      zhCN: '%{smart_count} 个进行中的告警',
      zhTW: '%{smart_count} 個進行中的警報',
      de: '%{smart_count} laufender Alarm |||| %{smart_count} laufende Alarme',
    },
  },
} satisfies Texts
