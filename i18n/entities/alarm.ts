import type { alarm as entity } from '../../src/schemas/alarm.ts'
import { entityTexts } from '../define/entityTexts.ts'

/** The alarm history of the embedded server. */
export const alarm = entityTexts<typeof entity>({
  name: { en: 'Alarm', it: 'Allarme |||| Allarmi', zhCN: '告警记录', zhTW: '警報記錄', de: 'Alarm |||| Alarme' },
  counted: { zhCN: '%{smart_count} 条告警记录', zhTW: '%{smart_count} 筆警報記錄' },
  empty: {
    en: 'Every time an alert rule fires, it is recorded here with the server, the value and the duration.',
    it: 'Ogni volta che una regola di allarme scatta, viene registrato qui con server, valore e durata.',
    zhCN: '每次告警规则触发都会记录在这里：在哪台服务器、数值是多少、持续了多久。',
    zhTW: '每次警報規則觸發都會記錄在這裡：在哪台伺服器、數值是多少、持續了多久。',
    de: 'Jedes Auslösen einer Alarmregel wird hier mit Server, Wert und Dauer festgehalten.',
  },
  fields: {
    created_at: { en: 'Time', it: 'Ora', zhCN: '时间', zhTW: '時間', de: 'Zeit' },
    updated_at: { en: 'Time', it: 'Ora', zhCN: '时间', zhTW: '時間', de: 'Zeit' },
    rule_id: { en: 'Rule', it: 'Regola', zhCN: '规则', zhTW: '規則', de: 'Regel' },
    rule_name: { en: 'Rule', it: 'Regola', zhCN: '规则', zhTW: '規則', de: 'Regel' },
    server_id: { en: 'Server', it: 'Server', zhCN: '服务器', zhTW: '伺服器', de: 'Server' },
    server_name: { en: 'Server', it: 'Server', zhCN: '服务器', zhTW: '伺服器', de: 'Server' },
    causes: { en: 'Cause', it: 'Causa', zhCN: '原因', zhTW: '原因', de: 'Ursache' },
    started_at: { en: 'Started', it: 'Inizio', zhCN: '开始时间', zhTW: '開始時間', de: 'Beginn' },
    ended_at: { en: 'Status', it: 'Stato', zhCN: '状态', zhTW: '狀態', de: 'Status' },
    withdrawn: { it: 'Ritirato', zhCN: '已撤销', zhTW: '已撤銷', de: 'Zurückgezogen' },
    silenced: { en: 'Not notified', it: 'Senza notifica', zhCN: '未通知', zhTW: '未通知', de: 'Nicht gemeldet' },
    notified: { it: 'Notificato', zhCN: '已通知', zhTW: '已通知', de: 'Gemeldet' },
  },
  columns: {
    state: { en: 'Status', it: 'Stato', zhCN: '状态', zhTW: '狀態', de: 'Status' },
    rule: { it: 'Regola', zhCN: '规则', zhTW: '規則', de: 'Regel' },
    duration: { it: 'Durata', zhCN: '持续时间', zhTW: '持續時間', de: 'Dauer' },
  },
  actions: { mute: { label: { it: 'Silenzia', zhCN: '静音', zhTW: '靜音', de: 'Stummschalten' } } },
})
