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
  },
  deleteNote: {
    en: 'Rules, services and tasks that use the group notify nobody until another one is chosen.',
    it: 'Regole, servizi e attività che usano il gruppo non avvisano più nessuno finché non se ne sceglie un altro.',
    zhCN: '使用该分组的规则、服务和任务将不再通知任何人，直到改选其他分组。',
    zhTW: '使用該群組的規則、服務和任務將不再通知任何人，直到改選其他群組。',
    de: 'Regeln, Dienste und Aufgaben mit dieser Gruppe benachrichtigen niemanden mehr, bis eine andere gewählt wird.',
  },
})
