import type { Texts } from '../define/text.ts'

/** Messages while the server cannot be reached, and when the session has ended. */
export const connection = {
  error: {
    unreachable: {
      en: 'The server cannot be reached. Check the connection and try again.',
      it: 'Il server non è raggiungibile. Controlla la connessione e riprova.',
      zhCN: '无法连接到服务器，请检查网络后重试。',
      zhTW: '無法連線到伺服器，請檢查網路後再試一次。',
      de: 'Der Server ist nicht erreichbar. Bitte die Verbindung prüfen und erneut versuchen.',
    },
    blocked_until: {
      en: 'There were wrong passwords or codes for this account from your address. Try again after %{time}.',
      it: 'Dal tuo indirizzo sono arrivati password o codici errati per questo account. Riprova dopo: %{time}.',
      zhCN: '您的地址曾对此账号输入错误的密码或验证码，请在 %{time} 之后重试。',
      zhTW: '您的位址曾對此帳號輸入錯誤的密碼或驗證碼，請在 %{time} 之後再試。',
      de: 'Von dieser Adresse kamen falsche Passwörter oder Codes für dieses Konto. Bitte nach %{time} erneut versuchen.',
    },
    blocked: {
      en: 'An administrator has blocked this address.',
      it: 'Un amministratore ha bloccato questo indirizzo.',
      zhCN: '管理员已封禁此地址。',
      zhTW: '管理員已封鎖此位址。',
      de: 'Ein Administrator hat diese Adresse gesperrt.',
    },
  },
  session: {
    sign_in_again: {
      en: 'Sign in again. This page stays as it is and continues where it was interrupted.',
      it: 'Accedi di nuovo. La pagina resta così com’è e ciò che è stato interrotto riprende.',
      zhCN: '请重新登录。页面会保持原样，被中断的操作将继续进行。',
      zhTW: '請重新登入。頁面會維持原樣，中斷的操作將繼續進行。',
      de: 'Bitte erneut anmelden. Die Seite bleibt, wie sie ist, und Unterbrochenes wird fortgesetzt.',
    },
  },
  status: {
    server_away: {
      en: 'The server has been unreachable since %{time}. What you see may be out of date. Reconnecting…',
      it: 'Server non raggiungibile dalle %{time}. I dati mostrati potrebbero non essere aggiornati; riconnessione in corso…',
      zhCN: '自 %{time} 起无法连接到服务器，显示的内容可能已过时，正在重新连接…',
      zhTW: '自 %{time} 起無法連線到伺服器，顯示的內容可能已過時，正在重新連線…',
      de: 'Der Server ist seit %{time} nicht erreichbar. Die Anzeige kann veraltet sein; Verbindung wird wiederhergestellt …',
    },
    live_stopped: {
      en: 'No live data since %{time}. Reconnecting…',
      it: 'Nessun dato in tempo reale dalle %{time}. Riconnessione in corso…',
      zhCN: '自 %{time} 起没有实时数据，正在重新连接…',
      zhTW: '自 %{time} 起沒有即時資料，正在重新連線…',
      de: 'Keine Live-Werte seit %{time}. Verbindung wird wiederhergestellt …',
    },
    disk_full: {
      en: 'The server’s disk is full: nothing can be saved until there is free space on it.',
      it: 'Il disco del server è pieno: non si può salvare nulla finché non si libera spazio.',
      zhCN: '服务器磁盘已满：释放空间之前无法保存任何内容。',
      zhTW: '伺服器磁碟已滿：釋放空間之前無法儲存任何內容。',
      de: 'Die Festplatte des Servers ist voll: Bis wieder Platz frei ist, kann nichts gespeichert werden.',
    },
    database_busy: {
      en: 'Another program is using the server’s database: nothing can be saved until it is done.',
      it: 'Un altro programma sta usando il database del server: non si può salvare nulla finché non ha finito.',
      zhCN: '另一个程序正在占用服务器的数据库：在它结束之前无法保存任何内容。',
      zhTW: '另一個程式正在使用伺服器的資料庫：在它結束之前無法儲存任何內容。',
      de: 'Ein anderes Programm benutzt die Datenbank des Servers: Bis es fertig ist, kann nichts gespeichert werden.',
    },
    backup_failed: {
      en: 'The server could not make its backup: the security page and the log say why.',
      it: 'Il server non è riuscito a eseguire il backup: il motivo è nella pagina di sicurezza e nel log.',
      zhCN: '服务器未能完成备份：原因见安全页面和日志。',
      zhTW: '伺服器未能完成備份：原因見安全頁面和日誌。',
      de: 'Der Server konnte seine Sicherung nicht anlegen: Der Grund steht auf der Sicherheitsseite und im Log.',
    },
    restarted: {
      en: 'The server ended unexpectedly and was started again: its log says when, and crash.log in its data folder why.',
      it: 'Il server si è interrotto in modo imprevisto ed è stato riavviato: il log dice quando, crash.log nella cartella dei dati perché.',
      zhCN: '服务器曾意外终止并已重新启动：时间见日志，原因见数据目录中的 crash.log。',
      zhTW: '伺服器曾意外終止並已重新啟動：時間見日誌，原因見資料目錄中的 crash.log。',
      de: 'Der Server wurde unerwartet beendet und neu gestartet: Wann, steht im Log, und warum, in crash.log im Datenordner.',
    },
    overloaded: {
      en: 'The server is overloaded: agents and checks wait, people come first. The log says since when.',
      it: 'Il server è sovraccarico: agenti e controlli aspettano, gli utenti hanno la precedenza. Il log dice da quando.',
      zhCN: '服务器负载过高：Agent 和服务检查需要等待，用户操作优先处理。开始时间见日志。',
      zhTW: '伺服器負載過高：Agent 與服務檢查需要等候，使用者操作優先處理。開始時間見日誌。',
      de: 'Der Server ist überlastet: Agenten und Prüfungen warten, Benutzer haben Vorrang. Seit wann, steht im Log.',
    },
    outdated: {
      en: 'The console has been updated. Save your changes, then reload the page.',
      it: 'La console è stata aggiornata. Salva le modifiche, poi ricarica la pagina.',
      zhCN: '控制台已更新。请先保存更改，然后重新加载页面。',
      zhTW: '主控台已更新。請先儲存變更，然後重新載入頁面。',
      de: 'Die Konsole wurde aktualisiert. Bitte Änderungen speichern und dann die Seite neu laden.',
    },
    safe_start: {
      en: 'Started without custom code.',
      it: 'Avviato senza il codice personalizzato del sito.',
      zhCN: '本次启动未运行站点的自定义代码。',
      zhTW: '本次啟動未執行網站的自訂程式碼。',
      de: 'Ohne den benutzerdefinierten Code gestartet.',
    },
    leave_safe_start: {
      en: 'Reload with custom code',
      it: 'Avvia con il codice',
      zhCN: '启用并重新加载',
      zhTW: '啟用並重新載入',
      de: 'Mit Code neu laden',
    },
  },
} satisfies Texts
