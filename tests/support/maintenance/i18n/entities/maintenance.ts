import { entityTexts } from '../../../../../i18n/define/entityTexts.ts'
import type { maintenance as entity } from '../../src/schemas/maintenance.ts'

export const maintenance = entityTexts<typeof entity>({
  name: {
    en: 'Maintenance window',
    it: 'Finestra di manutenzione |||| Finestre di manutenzione',
    zhCN: '维护窗口',
    zhTW: '維護時段',
    de: 'Wartungsfenster |||| Wartungsfenster',
  },
  menu: { en: 'Maintenance', it: 'Manutenzione', zhCN: '维护', zhTW: '維護', de: 'Wartung' },
  empty: {
    en: 'Maintenance windows are times in which you work on servers and do not want to be alarmed by them.',
    it: 'Le finestre di manutenzione sono i periodi in cui si lavora sui server senza voler ricevere allarmi.',
    zhCN: '维护窗口是您维护服务器且不希望收到其告警的时段。',
    zhTW: '維護時段是您維護伺服器且不希望收到其警示的時間。',
    de: 'Wartungsfenster sind Zeiten, in denen an Servern gearbeitet wird und sie keinen Alarm auslösen sollen.',
  },
  fields: {
    servers: { it: 'Server', zhCN: '服务器', zhTW: '伺服器', de: 'Server' },
    repeat: { it: 'Ripetizione', zhCN: '重复', zhTW: '重複', de: 'Wiederholung' },
    starts_at: { it: 'Inizio', zhCN: '开始时间', zhTW: '開始時間', de: 'Beginn' },
    duration: { en: 'Minutes', it: 'Minuti', zhCN: '时长（分钟）', zhTW: '時長（分鐘）', de: 'Minuten' },
    mute_alerts: { it: 'Silenzia gli avvisi', zhCN: '静默告警', zhTW: '靜音警示', de: 'Alarme stummschalten' },
    notification_group_id: { en: 'Announce to', it: 'Avvisa', zhCN: '通知对象', zhTW: '通知對象', de: 'Melden an' },
    note: { it: 'Nota', zhCN: '备注', zhTW: '備註', de: 'Notiz' },
    last_started_at: { en: 'Last start', it: 'Ultimo avvio', zhCN: '上次开始', zhTW: '上次開始', de: 'Letzter Start' },
  },
  choices: {
    repeat: {
      once: { it: 'Una volta', zhCN: '一次', zhTW: '一次', de: 'Einmalig' },
      daily: { it: 'Ogni giorno', zhCN: '每天', zhTW: '每天', de: 'Täglich' },
      weekly: { it: 'Ogni settimana', zhCN: '每周', zhTW: '每週', de: 'Wöchentlich' },
    },
  },
  sections: { window: { en: 'When', it: 'Quando', zhCN: '时间', zhTW: '時間', de: 'Zeitraum' } },
  actions: {
    start: {
      label: { en: 'Start now', it: 'Avvia ora', zhCN: '立即开始', zhTW: '立即開始', de: 'Jetzt starten' },
      confirm: {
        en: 'Start %{what} now?',
        it: 'Avviare %{what} ora?',
        zhCN: '立即开始%{what}？',
        zhTW: '立即開始%{what}？',
        de: '%{what} jetzt starten?',
      },
      done: {
        en: 'Maintenance started',
        it: 'Manutenzione avviata',
        zhCN: '维护已开始',
        zhTW: '維護已開始',
        de: 'Wartung gestartet',
      },
    },
  },
})
