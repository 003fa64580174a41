import type { Texts } from '../define/text.ts'

/** The sessions of the signed-in user. */
export const sessions = {
  own_sessions: {
    title: {
      en: 'Where you are signed in',
      it: 'Dove hai effettuato l’accesso',
      zhCN: '已登录的位置',
      zhTW: '已登入的位置',
      de: 'Aktive Anmeldungen',
    },
    hint: {
      en: 'Browsers and devices in which this account is signed in. If you do not recognize one, end its session and change your password.',
      it: 'Ogni posto in cui questo account è connesso in questo momento. Termina quelli che non riconosci, poi cambia la password.',
      zhCN: '此账号当前登录的所有位置。如有不认识的，请结束该会话并修改密码。',
      zhTW: '此帳號目前登入的所有位置。如有不認得的，請結束該工作階段並變更密碼。',
      de: 'Alle Orte, an denen dieses Konto gerade angemeldet ist. Unbekannte Sitzungen beenden und danach das Passwort ändern.',
    },
    end_others: {
      en: 'End all others',
      it: 'Termina tutte le altre',
      zhCN: '结束其他所有会话',
      zhTW: '結束其他所有工作階段',
      de: 'Alle anderen beenden',
    },
    others_ended: {
      en: 'All other sessions have ended.',
      it: 'Tutte le altre sessioni sono terminate.',
      zhCN: '其他所有会话已结束。',
      zhTW: '其他所有工作階段已結束。',
      de: 'Alle anderen Sitzungen sind beendet.',
    },
    ended: {
      en: 'The session has ended.',
      it: 'La sessione è terminata.',
      zhCN: '会话已结束。',
      zhTW: '工作階段已結束。',
      de: 'Die Sitzung ist beendet.',
    },
    end: { en: 'End session', it: 'Termina sessione', zhCN: '结束会话', zhTW: '結束工作階段', de: 'Sitzung beenden' },
    end_named: {
      en: 'End session: %{device} %{address}',
      it: 'Termina sessione: %{device} %{address}',
      zhCN: '结束会话：%{device} %{address}',
      zhTW: '結束工作階段：%{device} %{address}',
      de: 'Sitzung beenden: %{device} %{address}',
    },
    current: {
      en: 'This session',
      it: 'Questa sessione',
      zhCN: '当前会话',
      zhTW: '目前的工作階段',
      de: 'Diese Sitzung',
    },
    since: { en: 'since', it: 'dal', zhCN: '登录时间', zhTW: '登入時間', de: 'seit' },
    unknown_device: {
      en: 'Unknown device',
      it: 'Dispositivo sconosciuto',
      zhCN: '未知设备',
      zhTW: '未知裝置',
      de: 'Unbekanntes Gerät',
    },
  },
} satisfies Texts
