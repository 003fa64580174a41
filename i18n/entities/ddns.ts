import type { ddns as entity } from '../../src/schemas/ddns.ts'
import { entityTexts } from '../define/entityTexts.ts'

export const ddns = entityTexts<typeof entity>({
  name: {
    en: 'DDNS profile',
    it: 'Profilo DDNS |||| Profili DDNS',
    zhCN: 'DDNS 配置',
    zhTW: 'DDNS 設定檔',
    de: 'DDNS-Profil |||| DDNS-Profile',
  },
  menu: { en: 'DDNS', it: 'DDNS', zhCN: 'DDNS', zhTW: 'DDNS', de: 'DDNS' },
  empty: {
    en: 'DDNS profiles keep domain names pointed at the current addresses of your servers.',
    it: 'I profili DDNS mantengono i nomi di dominio puntati agli indirizzi attuali dei server.',
    zhCN: 'DDNS 配置让域名始终指向服务器的当前地址。',
    zhTW: 'DDNS 設定檔讓網域名稱始終指向伺服器目前的位址。',
    de: 'DDNS-Profile halten Domainnamen auf den aktuellen Adressen der Server.',
  },
  fields: {
    provider: { it: 'Provider', zhCN: '提供商', zhTW: '供應商', de: 'Anbieter' },
    domains: { it: 'Domini', zhCN: '域名', zhTW: '網域', de: 'Domains' },
    max_retries: {
      it: 'Numero massimo di tentativi',
      zhCN: '最大重试次数',
      zhTW: '最大重試次數',
      de: 'Max. Wiederholungen',
    },
    enable_ipv4: { en: 'IPv4', it: 'IPv4', zhCN: 'IPv4', zhTW: 'IPv4', de: 'IPv4' },
    enable_ipv6: { en: 'IPv6', it: 'IPv6', zhCN: 'IPv6', zhTW: 'IPv6', de: 'IPv6' },
    access_id: { it: 'ID di accesso', zhCN: '访问 ID', zhTW: '存取 ID', de: 'Zugriffs-ID' },
    access_secret: {
      it: 'Chiave segreta di accesso',
      zhCN: '访问密钥',
      zhTW: '存取金鑰',
      de: 'Geheimer Zugriffsschlüssel',
    },
    webhook_url: { it: 'URL del webhook', zhCN: 'Webhook 地址', zhTW: 'Webhook 網址', de: 'Webhook-URL' },
    webhook_method: {
      it: 'Metodo del webhook',
      zhCN: 'Webhook 请求方法',
      zhTW: 'Webhook 請求方法',
      de: 'Webhook-Methode',
    },
    webhook_request_type: {
      it: 'Tipo di richiesta del webhook',
      zhCN: 'Webhook 请求类型',
      zhTW: 'Webhook 請求類型',
      de: 'Webhook-Anfragetyp',
    },
    webhook_request_body: {
      it: 'Corpo della richiesta del webhook',
      zhCN: 'Webhook 请求体',
      zhTW: 'Webhook 請求主體',
      de: 'Webhook-Anfrageinhalt',
    },
    webhook_headers: {
      it: 'Intestazioni del webhook',
      zhCN: 'Webhook 请求头',
      zhTW: 'Webhook 請求標頭',
      de: 'Webhook-Header',
    },
  },
  help: {
    domains: {
      en: 'Type a domain and press Enter; several can be pasted at once.',
      it: 'Digita un dominio e premi Invio; se ne possono incollare più insieme.',
      zhCN: '输入域名后按回车；可一次粘贴多个。',
      zhTW: '輸入網域後按 Enter；可一次貼上多個。',
      de: 'Domain eingeben und die Eingabetaste drücken; mehrere lassen sich auf einmal einfügen.',
    },
    webhook_headers: {
      en: 'A JSON object. Stored values are not shown; leave empty to keep them.',
      it: 'Oggetto JSON. I valori memorizzati non vengono mostrati: lascia vuoto per mantenerli.',
      zhCN: 'JSON 对象。已存储的值不会显示，留空则保持不变。',
      zhTW: 'JSON 物件。已儲存的值不會顯示，留空即保持不變。',
      de: 'JSON-Objekt. Gespeicherte Werte werden nicht angezeigt; zum Beibehalten leer lassen.',
    },
  },
  choices: {
    webhook_method: {
      get: { en: 'GET', it: 'GET', zhCN: 'GET', zhTW: 'GET', de: 'GET' },
      post: { en: 'POST', it: 'POST', zhCN: 'POST', zhTW: 'POST', de: 'POST' },
      patch: { en: 'PATCH', it: 'PATCH', zhCN: 'PATCH', zhTW: 'PATCH', de: 'PATCH' },
      delete: { en: 'DELETE', it: 'DELETE', zhCN: 'DELETE', zhTW: 'DELETE', de: 'DELETE' },
      put: { en: 'PUT', it: 'PUT', zhCN: 'PUT', zhTW: 'PUT', de: 'PUT' },
    },
    webhook_request_type: {
      json: { it: 'JSON', zhCN: 'JSON', zhTW: 'JSON', de: 'JSON' },
      form: { it: 'Modulo', zhCN: '表单', zhTW: '表單', de: 'Formular' },
    },
  },
  sections: {
    provider: { it: 'Provider', zhCN: '提供商', zhTW: '供應商', de: 'Anbieter' },
    webhook: { it: 'Webhook', zhCN: 'Webhook', zhTW: 'Webhook', de: 'Webhook' },
  },
  columns: {
    last_update: { it: 'Aggiornato', zhCN: '上次更新', zhTW: '上次更新', de: 'Aktualisiert' },
  },
  actions: {
    send: {
      label: { en: 'Update now', it: 'Aggiorna ora', zhCN: '立即更新', zhTW: '立即更新', de: 'Jetzt aktualisieren' },
      done: {
        en: 'Updating %{smart_count} domain |||| Updating %{smart_count} domains',
        it: 'Aggiornamento di %{smart_count} dominio |||| Aggiornamento di %{smart_count} domini',
        zhCN: '正在更新 %{smart_count} 个域名',
        zhTW: '正在更新 %{smart_count} 個網域名稱',
        de: '%{smart_count} Domain wird aktualisiert |||| %{smart_count} Domains werden aktualisiert',
      },
      nothing: {
        en: 'No reporting server uses this profile.',
        it: 'Nessun server connesso usa questo profilo.',
        zhCN: '没有在线的服务器使用此配置。',
        zhTW: '沒有線上的伺服器使用此設定檔。',
        de: 'Kein verbundener Server verwendet dieses Profil.',
      },
    },
  },
})
