import type { onlineUser as entity } from '../../src/schemas/onlineUser.ts'
import { entityTexts } from '../define/entityTexts.ts'

export const onlineUser = entityTexts<typeof entity>({
  name: {
    en: 'Online user',
    it: 'Utente online |||| Utenti online',
    zhCN: '在线用户',
    zhTW: '線上使用者',
    de: 'Online-Benutzer |||| Online-Benutzer',
  },
  counted: { zhTW: '%{smart_count} 位線上使用者' },
  empty: {
    en: 'Whoever has the console or the visitor page open is listed here.',
    it: 'Qui compare chi ha aperto la console o la pagina dei visitatori.',
    zhCN: '打开了控制台或访客页面的人会列在这里。',
    zhTW: '開啟了主控台或訪客頁面的人會列在這裡。',
    de: 'Hier steht, wer die Konsole oder die Besucherseite geöffnet hat.',
  },
  fields: {
    ip: { it: 'IP', zhCN: 'IP', zhTW: 'IP', de: 'IP' },
    user_id: { en: 'User', it: 'Utente', zhCN: '用户', zhTW: '使用者', de: 'Benutzer' },
    connected_at: { it: 'Connesso dal', zhCN: '连接时间', zhTW: '連線時間', de: 'Verbunden seit' },
  },
  values: {
    guest: { en: 'Guest', it: 'Ospite', zhCN: '访客', zhTW: '訪客', de: 'Gast' },
  },
  actions: {
    block: {
      label: { it: 'Blocca', zhCN: '封禁', zhTW: '封鎖', de: 'Sperren' },
      confirm: {
        en: 'Block %{what}?',
        it: 'Bloccare %{what}?',
        zhCN: '封禁%{what}？',
        zhTW: '封鎖%{what}？',
        de: '%{what} sperren?',
      },
      done: {
        en: 'Blocked: %{what}',
        it: 'Bloccato: %{what}',
        zhCN: '已封禁：%{what}',
        zhTW: '已封鎖：%{what}',
        de: 'Gesperrt: %{what}',
      },
      warning: {
        en: 'Your own address %{ip} is among them. You and everybody behind it are locked out permanently, at once; only an admin at another address can undo this.',
        it: 'Tra questi c’è il tuo indirizzo %{ip}. Tu e chiunque lo usi siete esclusi subito e per sempre; solo un amministratore da un altro indirizzo può annullarlo.',
        zhCN: '其中包含您自己的地址 %{ip}。您和使用该地址的所有人会立即被永久拒之门外；只有在其他地址的管理员才能撤销。',
        zhTW: '其中包含您自己的位址 %{ip}。您和使用該位址的所有人會立即遭永久封鎖；只有在其他位址的管理員才能復原。',
        de: 'Die eigene Adresse %{ip} ist darunter. Alle, die sie benutzen, auch man selbst, sind sofort und für immer ausgesperrt; nur ein Administrator mit anderer Adresse kann das rückgängig machen.',
      },
      consent: {
        en: 'Block my own address as well',
        it: 'Blocca anche il mio indirizzo',
        zhCN: '同时封禁我自己的地址',
        zhTW: '同時封鎖我自己的位址',
        de: 'Auch die eigene Adresse sperren',
      },
    },
  },
})
