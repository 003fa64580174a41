import type { notificationGroup as entity } from '../../src/schemas/notificationGroup.ts'
import { entityTexts } from '../define/entityTexts.ts'

export const notificationGroup = entityTexts<typeof entity>({
  name: {
    en: 'Notifier group',
    it: 'Gruppo di notifica |||| Gruppi di notifica',
    zhCN: '通知分组',
    zhTW: '通知群組',
    de: 'Benachrichtigungsgruppe |||| Benachrichtigungsgruppen',
  },
  empty: {
    en: 'Notifier groups combine notifiers that receive the same messages.',
    it: 'I gruppi di notifica riuniscono i canali che ricevono gli stessi messaggi.',
    zhCN: '通知分组用于将接收相同消息的通知方式归在一起。',
    zhTW: '通知群組可將接收相同訊息的通知方式歸在一起。',
    de: 'Benachrichtigungsgruppen fassen Kanäle zusammen, die dieselben Meldungen erhalten.',
  },
  fields: {
    notifications: {
      en: 'Notifiers',
      it: 'Canali di notifica',
      zhCN: '通知方式',
      zhTW: '通知方式',
      de: 'Benachrichtigungskanäle',
    },
    events: { it: 'Eventi', zhCN: '事件', zhTW: '事件', de: 'Ereignisse' },
  },
  help: {
    events: {
      en: 'For notifiers that send events as JSON. None: only the messages to this group.',
      it: 'Per i canali che inviano eventi come JSON. Nessuno: solo i messaggi al gruppo.',
      zhCN: '用于以 JSON 发送事件的通知方式。不选：只发送给该分组的消息。',
      zhTW: '用於以 JSON 傳送事件的通知方式。不選：只傳送給該群組的訊息。',
      de: 'Für Kanäle, die Ereignisse als JSON senden. Keine: nur die Nachrichten an diese Gruppe.',
    },
  },
  values: {
    alarm_raised: {
      en: 'Alarm raised',
      it: 'Allarme scattato',
      zhCN: '告警触发',
      zhTW: '警示觸發',
      de: 'Alarm ausgelöst',
    },
    alarm_resolved: {
      en: 'Alarm resolved',
      it: 'Allarme rientrato',
      zhCN: '告警恢复',
      zhTW: '警示恢復',
      de: 'Alarm behoben',
    },
    service_down: {
      en: 'Service down',
      it: 'Servizio non raggiungibile',
      zhCN: '服务故障',
      zhTW: '服務故障',
      de: 'Dienst ausgefallen',
    },
    service_up: {
      en: 'Service up',
      it: 'Servizio di nuovo raggiungibile',
      zhCN: '服务恢复',
      zhTW: '服務恢復',
      de: 'Dienst wieder erreichbar',
    },
    server_offline: {
      en: 'Server offline',
      it: 'Server non raggiungibile',
      zhCN: '服务器离线',
      zhTW: '伺服器離線',
      de: 'Server nicht erreichbar',
    },
    server_online: {
      en: 'Server online',
      it: 'Server di nuovo online',
      zhCN: '服务器上线',
      zhTW: '伺服器上線',
      de: 'Server wieder online',
    },
    task_run_ended: {
      en: 'Task run ended',
      it: 'Esecuzione di un’attività terminata',
      zhCN: '任务运行结束',
      zhTW: '任務執行結束',
      de: 'Aufgabenlauf beendet',
    },
    user_signed_in: { en: 'Sign-in', it: 'Accesso', zhCN: '用户登录', zhTW: '使用者登入', de: 'Anmeldung' },
    wheelhouse_restarted: {
      en: 'Wheelhouse restarted after an error',
      it: 'Wheelhouse riavviato dopo un errore',
      zhCN: 'Wheelhouse 出错后重新启动',
      zhTW: 'Wheelhouse 發生錯誤後重新啟動',
      de: 'Wheelhouse nach einem Fehler neu gestartet',
    },
    record_changed: {
      en: 'Record changed',
      it: 'Record modificato',
      zhCN: '记录变更',
      zhTW: '記錄變更',
      de: 'Datensatz geändert',
    },
    message: {
      en: 'Message to this group',
      it: 'Messaggio al gruppo',
      zhCN: '发给该分组的消息',
      zhTW: '傳給該群組的訊息',
      de: 'Nachricht an diese Gruppe',
    },
  },
  deleteNote: {
    en: 'Rules, services and tasks that use the group notify nobody until another one is chosen.',
    it: 'Regole, servizi e attività che usano il gruppo non avvisano più nessuno finché non se ne sceglie un altro.',
    zhCN: '使用该分组的规则、服务和任务将不再通知任何人，直到改选其他分组。',
    zhTW: '使用該群組的規則、服務和任務將不再通知任何人，直到改選其他群組。',
    de: 'Regeln, Dienste und Aufgaben mit dieser Gruppe benachrichtigen niemanden mehr, bis eine andere gewählt wird.',
  },
})
