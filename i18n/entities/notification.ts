import type { notification as entity } from '../../src/schemas/notification.ts'
import { entityTexts } from '../define/entityTexts.ts'

export const notification = entityTexts<typeof entity>({
  name: {
    en: 'Notifier',
    it: 'Canale di notifica |||| Canali di notifica',
    zhCN: '通知方式',
    zhTW: '通知方式',
    de: 'Benachrichtigungskanal |||| Benachrichtigungskanäle',
  },
  menu: { en: 'Notification', it: 'Notifiche', zhCN: '通知', zhTW: '通知', de: 'Benachrichtigung' },
  empty: {
    en: 'Notifiers are the web addresses to which alert rules, services and tasks send their messages.',
    it: 'I canali di notifica sono gli indirizzi web a cui regole di allarme, servizi e attività inviano i messaggi.',
    zhCN: '通知方式是告警规则、服务和任务发送消息的网址。',
    zhTW: '通知方式是警示規則、服務和任務傳送訊息的網址。',
    de: 'Benachrichtigungskanäle sind die Webadressen, an die Alarmregeln, Dienste und Aufgaben ihre Meldungen senden.',
  },
  fields: {
    url: { it: 'URL', zhCN: 'URL', zhTW: 'URL', de: 'URL' },
    request_method: { it: 'Metodo della richiesta', zhCN: '请求方法', zhTW: '請求方法', de: 'Anfragemethode' },
    request_type: { it: 'Tipo di richiesta', zhCN: '请求类型', zhTW: '請求類型', de: 'Anfragetyp' },
    request_header: { it: 'Intestazioni della richiesta', zhCN: '请求头', zhTW: '請求標頭', de: 'Anfrage-Header' },
    request_body: { it: 'Corpo della richiesta', zhCN: '请求体', zhTW: '請求主體', de: 'Anfrageinhalt' },
    verify_tls: { it: 'Verifica TLS', zhCN: '验证 TLS', zhTW: '驗證 TLS', de: 'TLS prüfen' },
    format_metric_units: {
      en: 'Metrics with units',
      it: 'Valori con unità di misura',
      zhCN: '指标带单位',
      zhTW: '指標附單位',
      de: 'Messwerte mit Einheiten',
    },
    send_events: {
      en: 'Send events as JSON',
      it: 'Invia gli eventi come JSON',
      zhCN: '以 JSON 发送事件',
      zhTW: '以 JSON 傳送事件',
      de: 'Ereignisse als JSON senden',
    },
    signing_secret: {
      en: 'Signing secret',
      it: 'Segreto per la firma',
      zhCN: '签名密钥',
      zhTW: '簽章金鑰',
      de: 'Signaturschlüssel',
    },
    stopped_at: {
      en: 'Stopped',
      it: 'Interrotto',
      zhCN: '停止时间',
      zhTW: '停止時間',
      de: 'Angehalten',
    },
    skip_check: {
      en: 'Do not send a test message',
      it: 'Non inviare un messaggio di prova',
      zhCN: '不发送测试消息',
      zhTW: '不傳送測試訊息',
      de: 'Keine Testnachricht senden',
    },
  },
  help: {
    verify_tls: {
      en: 'Refuse a receiver whose certificate is not valid.',
      it: 'Rifiuta i destinatari con un certificato non valido.',
      zhCN: '拒绝证书无效的接收方。',
      zhTW: '拒絕憑證無效的接收端。',
      de: 'Empfänger mit ungültigem Zertifikat ablehnen.',
    },
    format_metric_units: {
      en: 'Placeholders for metrics are filled in with their unit, such as 12.34 %.',
      it: 'I segnaposto dei valori vengono compilati con la loro unità, ad esempio 12.34 %.',
      zhCN: '指标占位符会连同单位一起填入，例如 12.34 %。',
      zhTW: '指標預留位置會連同單位一起填入，例如 12.34 %。',
      de: 'Platzhalter für Messwerte werden mit Einheit ausgefüllt, zum Beispiel 12.34 %.',
    },
    send_events: {
      en: 'In place of messages: the events that its notifier groups choose, signed. See the guide on webhooks.',
      it: 'Al posto dei messaggi: gli eventi scelti dai gruppi di notifica, con firma. Vedere la guida sui webhook.',
      zhCN: '代替消息：发送其通知分组所选的事件，并带有签名。参见 Webhook 指南。',
      zhTW: '代替訊息：傳送其通知群組所選的事件，並附上簽章。請參閱 Webhook 指南。',
      de: 'Anstelle von Nachrichten: die Ereignisse, die die Benachrichtigungsgruppen wählen, signiert. Siehe die Anleitung zu Webhooks.',
    },
    signing_secret: {
      en: 'The receiver needs it to check the signatures. It is not shown again after saving.',
      it: 'Serve al destinatario per verificare le firme. Dopo il salvataggio non viene più mostrato.',
      zhCN: '接收方需要它来验证签名。保存后不再显示。',
      zhTW: '接收端需要它來驗證簽章。儲存後不再顯示。',
      de: 'Der Empfänger prüft damit die Signaturen. Nach dem Speichern wird er nicht mehr angezeigt.',
    },
    skip_check: {
      en: 'Otherwise a test message is sent before saving; if it fails, nothing is saved.',
      it: 'Altrimenti prima di salvare viene inviato un messaggio di prova; se non riesce, non si salva nulla.',
      zhCN: '否则保存前会先发送一条测试消息；发送失败则不保存。',
      zhTW: '否則儲存前會先傳送一則測試訊息；傳送失敗就不儲存。',
      de: 'Sonst wird vor dem Speichern eine Testnachricht gesendet; schlägt sie fehl, wird nichts gespeichert.',
    },
  },
  columns: {
    group: { it: 'Gruppo', zhCN: '分组', zhTW: '群組', de: 'Gruppe' },
  },
  choices: {
    request_method: {
      get: { en: 'GET', it: 'GET', zhCN: 'GET', zhTW: 'GET', de: 'GET' },
      post: { en: 'POST', it: 'POST', zhCN: 'POST', zhTW: 'POST', de: 'POST' },
    },
    request_type: {
      json: { it: 'JSON', zhCN: 'JSON', zhTW: 'JSON', de: 'JSON' },
      form: { it: 'Modulo', zhCN: '表单', zhTW: '表單', de: 'Formular' },
    },
  },
  values: {
    stopped: {
      en: 'Stopped: the receiver wants no more events (410). Save to send again.',
      it: 'Interrotto: il destinatario non vuole altri eventi (410). Salvare per riprendere.',
      zhCN: '已停止：接收方不再接收事件（410）。保存后恢复发送。',
      zhTW: '已停止：接收端不再接收事件（410）。儲存後恢復傳送。',
      de: 'Angehalten: Der Empfänger will keine Ereignisse mehr (410). Speichern sendet wieder.',
    },
    generate_secret: {
      en: 'Generate',
      it: 'Genera',
      zhCN: '生成',
      zhTW: '產生',
      de: 'Erzeugen',
    },
    copy_secret: {
      en: 'Copy the secret',
      it: 'Copia il segreto',
      zhCN: '复制密钥',
      zhTW: '複製金鑰',
      de: 'Schlüssel kopieren',
    },
    url_concealed: {
      en: 'Stored, not shown',
      it: 'Memorizzato, non mostrato',
      zhCN: '已存储，不显示',
      zhTW: '已儲存，不顯示',
      de: 'Gespeichert, nicht angezeigt',
    },
  },
  actions: {
    test: {
      label: {
        en: 'Send test',
        it: 'Invia una prova',
        zhCN: '发送测试消息',
        zhTW: '傳送測試訊息',
        de: 'Test senden',
      },
    },
    reveal: {
      label: { en: 'Show URL', it: 'Mostra URL', zhCN: '显示 URL', zhTW: '顯示 URL', de: 'URL anzeigen' },
    },
  },
  sections: {
    general: { it: 'Generale', zhCN: '常规', zhTW: '一般', de: 'Allgemein' },
    request: { it: 'Richiesta', zhCN: '请求', zhTW: '請求', de: 'Anfrage' },
    body: { it: 'Corpo', zhCN: '请求体', zhTW: '請求主體', de: 'Inhalt' },
    test: { it: 'Prova', zhCN: '测试', zhTW: '測試', de: 'Testnachricht' },
  },
  deleteNote: {
    en: 'It is also removed from its notifier groups.',
    it: 'Viene rimosso anche dai gruppi di notifica.',
    zhCN: '同时会从通知分组中移除。',
    zhTW: '也會從通知群組中移除。',
    de: 'Auch aus den Benachrichtigungsgruppen wird der Kanal entfernt.',
  },
})
