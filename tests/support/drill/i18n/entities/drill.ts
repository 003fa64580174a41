import { entityTexts } from '../../../../../i18n/define/entityTexts.ts'
import type { drill as entity } from '../../src/schemas/drill.ts'

export const drill = entityTexts<typeof entity>({
  name: {
    en: 'Drill',
    it: 'Esercitazione |||| Esercitazioni',
    zhCN: '演练',
    zhTW: '演練',
    de: 'Übung |||| Übungen',
  },
  menu: { en: 'Drills', it: 'Esercitazioni', zhCN: '演练', zhTW: '演練', de: 'Übungen' },
  empty: {
    en: 'Drills are times in which you practise an outage on servers and do not want to be alarmed by them.',
    it: 'Le esercitazioni sono i periodi in cui si prova un guasto sui server senza voler ricevere allarmi.',
    zhCN: '演练是您在服务器上演习故障且不希望收到其告警的时段。',
    zhTW: '演練是您在伺服器上演習故障且不希望收到其警示的時間。',
    de: 'Übungen sind Zeiten, in denen an Servern ein Ausfall geprobt wird und sie keinen Alarm auslösen sollen.',
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
        en: 'Drill started',
        it: 'Esercitazione avviata',
        zhCN: '演练已开始',
        zhTW: '演練已開始',
        de: 'Übung gestartet',
      },
    },
  },
})
