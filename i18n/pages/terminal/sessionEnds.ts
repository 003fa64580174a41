import type { Texts } from '../../define/text.ts'

/** Why a terminal session has ended or was not opened. */
export const ending = {
  completed: {
    en: 'The session has ended.',
    it: 'La sessione è finita.',
    zhCN: '会话已经结束。',
    zhTW: '工作階段已經結束。',
    de: 'Die Sitzung ist zu Ende.',
  },
  offline: {
    en: 'The server does not exist or has not been connected yet',
    it: 'Il server non esiste o non si è ancora connesso',
    zhCN: '服务器不存在或尚未连接',
    zhTW: '伺服器不存在或尚未連線',
    de: 'Der Server existiert nicht oder war noch nie verbunden',
  },
  offline_now: {
    en: 'The machine has gone offline.',
    it: 'La macchina è andata offline.',
    zhCN: '该主机已离线。',
    zhTW: '該主機已離線。',
    de: 'Der Rechner ist offline gegangen.',
  },
  tooMany: {
    en: 'Too many terminals and file sessions are open. Close some, in other tabs too, then reconnect.',
    it: 'Ci sono troppi terminali e sessioni di file aperti. Chiudine qualcuno, anche in altre schede, poi riconnetti.',
    zhCN: '打开的终端和文件会话过多。请关闭一些（包括其他标签页中的），然后重新连接。',
    zhTW: '開啟的終端機和檔案工作階段過多。請關閉一些（包括其他分頁中的），然後重新連線。',
    de: 'Zu viele Terminals und Dateisitzungen sind offen. Einige davon schließen, auch in anderen Tabs, dann neu verbinden.',
  },
  disabled: {
    en: 'Command execution is disabled in the settings of this machine’s agent, so it opens no terminals and no files.',
    it: 'L’esecuzione dei comandi è disattivata nelle impostazioni dell’agente di questa macchina, quindi non apre né terminali né file.',
    zhCN: '该主机的探针设置已禁用命令执行，因此无法打开终端和文件。',
    zhTW: '該主機的代理程式設定已停用指令執行，因此無法開啟終端機和檔案。',
    de: 'Die Befehlsausführung ist in den Einstellungen des Agenten dieses Rechners abgeschaltet, deshalb öffnet er weder Terminals noch Dateien.',
  },
  silent: {
    en: 'The machine did not answer for ten seconds. Command execution is probably disabled in the settings of its agent.',
    it: 'La macchina non ha risposto per dieci secondi. Probabilmente l’esecuzione dei comandi è disattivata nelle impostazioni del suo agente.',
    zhCN: '该主机十秒内没有响应。其探针的设置可能禁用了命令执行。',
    zhTW: '該主機十秒內沒有回應。其代理程式的設定可能停用了指令執行。',
    de: 'Der Rechner hat zehn Sekunden lang nicht geantwortet. Vermutlich ist die Befehlsausführung in den Einstellungen seines Agenten abgeschaltet.',
  },
  refused: {
    en: 'The connection was refused although the server can be reached. If there is a reverse proxy, let it pass WebSockets on /api/v1/ws/ (the headers Upgrade and Connection).',
    it: 'La connessione è stata rifiutata benché il server sia raggiungibile. Se c’è un reverse proxy, deve lasciar passare i WebSocket su /api/v1/ws/ (intestazioni Upgrade e Connection).',
    zhCN: '服务器可以访问，但连接被拒绝。如果使用了反向代理，请让它放行 /api/v1/ws/ 下的 WebSocket（Upgrade 和 Connection 请求头）。',
    zhTW: '伺服器可以連線，但連線被拒絕。如果使用了反向代理，請讓它放行 /api/v1/ws/ 下的 WebSocket（Upgrade 和 Connection 標頭）。',
    de: 'Die Verbindung wurde abgelehnt, obwohl der Server erreichbar ist. Falls ein Reverse Proxy davorsteht: Er muss WebSockets unter /api/v1/ws/ durchlassen (Header Upgrade und Connection).',
  },
  signedOut: {
    en: 'Your own session has ended. Sign in again, then reconnect.',
    it: 'La tua sessione è scaduta. Accedi di nuovo, poi riconnetti.',
    zhCN: '您的登录会话已结束。请重新登录，然后重新连接。',
    zhTW: '您的登入工作階段已結束。請重新登入，然後重新連線。',
    de: 'Die eigene Anmeldung ist abgelaufen. Erst wieder anmelden, dann neu verbinden.',
  },
  away: {
    en: 'The console’s server cannot be reached. Reconnect once it is back.',
    it: 'Il server della console non è raggiungibile. Riconnetti quando torna disponibile.',
    zhCN: '无法访问控制台的服务器。请在其恢复后重新连接。',
    zhTW: '無法連線到主控台的伺服器。請在其恢復後重新連線。',
    de: 'Der Server der Konsole ist nicht erreichbar. Neu verbinden, sobald er wieder da ist.',
  },
  tooLarge: {
    en: 'Too much was sent at once, and the server closed the connection.',
    it: 'È stato inviato troppo in una volta e il server ha chiuso la connessione.',
    zhCN: '一次发送的内容过多，服务器断开了连接。',
    zhTW: '一次傳送的內容過多，伺服器中斷了連線。',
    de: 'Es wurde zu viel auf einmal gesendet, und der Server hat die Verbindung geschlossen.',
  },
  failed: {
    en: 'The server refused the connection.',
    it: 'Il server ha rifiutato la connessione.',
    zhCN: '服务器拒绝了连接。',
    zhTW: '伺服器拒絕了連線。',
    de: 'Der Server hat die Verbindung abgelehnt.',
  },
} satisfies Texts
