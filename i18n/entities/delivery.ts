import type { delivery as entity } from '../../src/schemas/delivery.ts'
import { entityTexts } from '../define/entityTexts.ts'

/** The delivery history of the embedded server. */
export const delivery = entityTexts<typeof entity>({
  name: {
    en: 'Delivery',
    it: 'Recapito |||| Recapiti',
    zhCN: '发送记录',
    zhTW: '傳送記錄',
    de: 'Zustellung |||| Zustellungen',
  },
  counted: { zhCN: '%{smart_count} 条发送记录', zhTW: '%{smart_count} 筆傳送記錄' },
  empty: {
    en: 'Every notification sent to a notifier is recorded here with its result.',
    it: 'Qui viene annotato l’esito di ogni notifica su ogni canale.',
    zhCN: '这里记录每条通知在每个通知方式上的发送结果。',
    zhTW: '這裡記錄每則通知在每個通知方式上的傳送結果。',
    de: 'Jede Meldung an einen Kanal wird hier mit ihrem Ergebnis festgehalten.',
  },
  fields: {
    created_at: { en: 'Time', it: 'Data e ora', zhCN: '时间', zhTW: '時間', de: 'Zeit' },
    updated_at: { en: 'Time', it: 'Data e ora', zhCN: '时间', zhTW: '時間', de: 'Zeit' },
    at: { en: 'Time', it: 'Data e ora', zhCN: '时间', zhTW: '時間', de: 'Zeit' },
    notification_id: { en: 'Notifier', it: 'Canale', zhCN: '通知方式', zhTW: '通知方式', de: 'Kanal' },
    notification_name: { en: 'Notifier', it: 'Canale', zhCN: '通知方式', zhTW: '通知方式', de: 'Kanal' },
    notification_group_id: { en: 'Group', it: 'Gruppo', zhCN: '通知组', zhTW: '通知群組', de: 'Gruppe' },
    notification_group_name: { en: 'Group', it: 'Gruppo', zhCN: '通知组', zhTW: '通知群組', de: 'Gruppe' },
    service_id: { en: 'Service', it: 'Servizio', zhCN: '服务', zhTW: '服務', de: 'Dienst' },
    event: { en: 'Event', it: 'Evento', zhCN: '事件', zhTW: '事件', de: 'Ereignis' },
    webhook_id: { en: 'Event ID', it: 'ID dell’evento', zhCN: '事件 ID', zhTW: '事件 ID', de: 'Ereignis-ID' },
    message: { it: 'Messaggio', zhCN: '消息', zhTW: '訊息', de: 'Meldung' },
    state: { en: 'Result', it: 'Esito', zhCN: '结果', zhTW: '結果', de: 'Ergebnis' },
    code: { en: 'Status', it: 'Stato', zhCN: '状态码', zhTW: '狀態碼', de: 'Status' },
    reply: { it: 'Risposta', zhCN: '回复', zhTW: '回覆', de: 'Antwort' },
    tries: { en: 'Attempts', it: 'Tentativi', zhCN: '尝试次数', zhTW: '嘗試次數', de: 'Versuche' },
    duration: { en: 'Duration (ms)', it: 'Durata (ms)', zhCN: '用时（ms）', zhTW: '耗時（ms）', de: 'Dauer (ms)' },
    count: { en: 'Notifications', it: 'Notifiche', zhCN: '通知数', zhTW: '通知數', de: 'Meldungen' },
  },
  choices: {
    state: {
      sent: { it: 'Inviata', zhCN: '已发送', zhTW: '已傳送', de: 'Zugestellt' },
      failed: { it: 'Non riuscita', zhCN: '失败', zhTW: '失敗', de: 'Fehlgeschlagen' },
      dropped: { it: 'Scartata', zhCN: '已丢弃', zhTW: '已捨棄', de: 'Verworfen' },
      retrying: {
        en: 'Failed, will retry',
        it: 'Non riuscita, nuovo tentativo previsto',
        zhCN: '失败，将重试',
        zhTW: '失敗，將重試',
        de: 'Fehlgeschlagen, wird wiederholt',
      },
      stopped: { en: 'Interrupted', it: 'Interrotta', zhCN: '已中断', zhTW: '已中斷', de: 'Abgebrochen' },
    },
  },
  actions: {
    send_again: {
      label: { en: 'Send again', it: 'Invia di nuovo', zhCN: '重新发送', zhTW: '重新傳送', de: 'Erneut senden' },
      done: {
        en: 'The event is being sent again',
        it: 'L’evento viene inviato di nuovo',
        zhCN: '正在重新发送该事件',
        zhTW: '正在重新傳送該事件',
        de: 'Das Ereignis wird erneut gesendet',
      },
    },
  },
})
