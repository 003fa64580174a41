import type { Texts } from '../define/text.ts'

/** Domains that follow the addresses of servers, and how their last update went. */
export const ddnsDomains = {
  ddns: {
    title: {
      en: 'Domains of %{what}',
      it: 'Domini di %{what}',
      zhCN: '%{what} 的域名',
      zhTW: '%{what} 的網域名稱',
      de: 'Domains von %{what}',
    },
    unused: {
      en: 'No server uses it',
      it: 'Nessun server lo usa',
      zhCN: '没有服务器使用',
      zhTW: '沒有伺服器使用',
      de: 'Ohne Server',
    },
    nothing_yet: {
      en: 'Nothing sent yet',
      it: 'Nulla inviato',
      zhCN: '尚未发送',
      zhTW: '尚未傳送',
      de: 'Nichts gesendet',
    },
    failed_of: {
      en: '%{failed} of %{total} failed',
      it: 'Errori: %{failed} su %{total}',
      zhCN: '%{total} 个中有 %{failed} 个失败',
      zhTW: '%{total} 個中有 %{failed} 個失敗',
      de: 'Fehler: %{failed} von %{total}',
    },
    how_to_use: {
      en: 'No server uses this profile. Edit a server, turn on DDNS and choose this profile.',
      it: 'Nessun server usa questo profilo. Modifica un server, attiva lì il DDNS e scegli questo profilo.',
      zhCN: '没有服务器使用此配置。请编辑服务器，启用 DDNS 并选择此配置。',
      zhTW: '沒有伺服器使用此設定檔。請編輯伺服器，啟用 DDNS 並選擇此設定檔。',
      de: 'Kein Server verwendet dieses Profil. Einen Server bearbeiten, dort DDNS einschalten und dieses Profil wählen.',
    },
    first_of: {
      en: 'The first %{shown} of %{total}, failures first.',
      it: 'I primi %{shown} di %{total}, prima quelli non riusciti.',
      zhCN: '显示前 %{shown} 个，共 %{total} 个，失败的在前。',
      zhTW: '顯示前 %{shown} 個，共 %{total} 個，失敗的在前。',
      de: 'Die ersten %{shown} von %{total}, Fehler zuerst.',
    },
    tries: {
      en: '%{smart_count} attempt |||| %{smart_count} attempts',
      it: '%{smart_count} tentativo |||| %{smart_count} tentativi',
      zhCN: '已尝试 %{smart_count} 次',
      zhTW: '已嘗試 %{smart_count} 次',
      de: '%{smart_count} Versuch |||| %{smart_count} Versuche',
    },
    states: {
      done: { en: 'Updated', it: 'Aggiornato', zhCN: '已更新', zhTW: '已更新', de: 'Aktualisiert' },
      failed: { en: 'Failed', it: 'Non riuscito', zhCN: '失败', zhTW: '失敗', de: 'Fehlgeschlagen' },
      waiting: {
        en: 'Updating',
        it: 'Aggiornamento in corso',
        zhCN: '正在更新',
        zhTW: '更新中',
        de: 'Wird aktualisiert',
      },
      no_address: {
        en: 'The server has no address of this kind that the provider could use',
        it: 'Il server non ha un indirizzo di questo tipo utilizzabile dal provider',
        zhCN: '服务器没有该类型的、提供商可用的地址',
        zhTW: '伺服器沒有該類型、供應商可用的位址',
        de: 'Der Server hat keine solche Adresse, mit der der Anbieter etwas anfangen kann',
      },
      offline: {
        en: 'Waiting for the server to report',
        it: 'In attesa dei dati del server',
        zhCN: '等待服务器上报',
        zhTW: '等待伺服器回報',
        de: 'Wartet auf Daten des Servers',
      },
    },
  },
} satisfies Texts
