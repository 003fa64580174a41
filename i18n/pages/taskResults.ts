import type { Texts } from '../define/text.ts'

/** What the last run of a task did on each server. */
export const taskResults = {
  task_results: {
    title: {
      en: 'Results of %{what}',
      it: 'Risultati di %{what}',
      zhCN: '%{what} 的结果',
      zhTW: '%{what} 的結果',
      de: 'Ergebnisse von %{what}',
    },
    none: {
      en: 'This task has not run yet.',
      it: 'Questa attività non è ancora stata eseguita.',
      zhCN: '此任务尚未执行。',
      zhTW: '此任務尚未執行。',
      de: 'Diese Aufgabe ist noch nicht gelaufen.',
    },
    first_of: {
      en: 'The first %{shown} of %{total} servers, failures first.',
      it: 'I primi %{shown} server di %{total}, prima quelli con errori.',
      zhCN: '显示前 %{shown} 台服务器，共 %{total} 台，失败的在前。',
      zhTW: '顯示前 %{shown} 台伺服器，共 %{total} 台，失敗的在前。',
      de: 'Die ersten %{shown} von %{total} Servern, Fehler zuerst.',
    },
    reasons: {
      exit_code: {
        en: 'exit code %{code}',
        it: 'codice di uscita %{code}',
        zhCN: '退出码 %{code}',
        zhTW: '結束代碼 %{code}',
        de: 'Exit-Code %{code}',
      },
      killed: { en: 'killed', it: 'terminata', zhCN: '被终止', zhTW: '被終止', de: 'abgebrochen' },
      timeout: {
        en: 'took too long',
        it: 'tempo scaduto',
        zhCN: '执行超时',
        zhTW: '執行逾時',
        de: 'Zeitlimit überschritten',
      },
      not_started: { en: 'not started', it: 'non avviata', zhCN: '未能启动', zhTW: '未能啟動', de: 'nicht gestartet' },
      restart: {
        en: 'the console was restarted',
        it: 'la console è stata riavviata',
        zhCN: '控制台曾重启',
        zhTW: '主控台曾重新啟動',
        de: 'die Konsole wurde neu gestartet',
      },
    },
    states: {
      running: { en: 'Running', it: 'In esecuzione', zhCN: '正在执行', zhTW: '執行中', de: 'Läuft' },
      succeeded: { en: 'Succeeded', it: 'Riuscita', zhCN: '成功', zhTW: '成功', de: 'Erfolgreich' },
      failed: { en: 'Failed', it: 'Non riuscita', zhCN: '失败', zhTW: '失敗', de: 'Fehlgeschlagen' },
      offline: {
        en: 'Not run: the server was offline',
        it: 'Non eseguita: il server era offline',
        zhCN: '未执行：服务器离线',
        zhTW: '未執行：伺服器離線',
        de: 'Nicht ausgeführt: der Server war offline',
      },
      lost: {
        en: 'Result unknown: the connection was lost',
        it: 'Esito sconosciuto: connessione interrotta',
        zhCN: '结果未知：连接已中断',
        zhTW: '結果不明：連線已中斷',
        de: 'Ergebnis unbekannt: Verbindung verloren',
      },
    },
  },
} satisfies Texts
