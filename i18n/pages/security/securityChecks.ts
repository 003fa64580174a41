import type { Texts } from '../../define/text.ts'

/** What each check of the security page has found. */
export const checks = {
  plain_http: {
    title: {
      en: 'Connections without TLS',
      it: 'Connessioni senza TLS',
      zhCN: '未使用 TLS 的连接',
      zhTW: '未使用 TLS 的連線',
      de: 'Verbindungen ohne TLS',
    },
    remedy: {
      en: 'Anybody on the network path can read passwords and sessions. Put a proxy with TLS in front of the server, and let it listen on this machine only; the embedded server can also have a certificate of its own (TLS_CERT and TLS_KEY).',
      it: 'Chi si trova sul percorso può leggere password e sessioni. Metti un proxy con TLS davanti al server e fallo ascoltare solo su questa macchina; il server integrato può anche avere un certificato proprio (TLS_CERT e TLS_KEY).',
      zhCN: '传输途中的任何人都能读取密码和会话。请在服务器前部署启用 TLS 的代理，并让服务器只监听本机；内置服务器也可以使用自己的证书（TLS_CERT 和 TLS_KEY）。',
      zhTW: '傳輸途中的任何人都能讀取密碼和工作階段。請在伺服器前部署啟用 TLS 的代理，並讓伺服器只監聽本機；內建伺服器也可以使用自己的憑證（TLS_CERT 和 TLS_KEY）。',
      de: 'Wer auf dem Weg mitliest, sieht Passwörter und Sitzungen. Vor den Server gehört ein Proxy mit TLS, und der Server soll nur auf diesem Rechner lauschen; der eingebaute Server kann auch ein eigenes Zertifikat haben (TLS_CERT und TLS_KEY).',
    },
  },
  second_factor_missing: {
    title: {
      en: 'Users without a second factor',
      it: 'Utenti senza secondo fattore',
      zhCN: '未设置第二因素的用户',
      zhTW: '未設定第二因素的使用者',
      de: 'Benutzer ohne zweiten Faktor',
    },
    remedy: {
      en: 'A password alone opens a shell on every machine that these users reach. Ask them to set up a second factor in their profile, or require one of everybody in the settings.',
      it: 'La sola password apre una shell su ogni macchina che questi utenti raggiungono. Chiedi loro di impostare un secondo fattore nel profilo, oppure rendilo obbligatorio per tutti nelle impostazioni.',
      zhCN: '仅凭密码就能在这些用户可访问的每台机器上打开终端。请他们在个人资料中设置第二因素，或在设置中要求所有人使用。',
      zhTW: '僅憑密碼就能在這些使用者可存取的每台機器上開啟終端機。請他們在個人資料中設定第二因素，或在設定中要求所有人使用。',
      de: 'Ein Passwort allein öffnet eine Shell auf jedem Rechner, den diese Benutzer erreichen. Sie sollten im Profil einen zweiten Faktor einrichten; in den Einstellungen lässt er sich von allen verlangen.',
    },
  },
  password_beside_oauth2: {
    title: {
      en: 'Passwords beside OAuth2',
      it: 'Password oltre a OAuth2',
      zhCN: 'OAuth2 之外仍可用密码登录',
      zhTW: 'OAuth2 之外仍可用密碼登入',
      de: 'Passwörter neben OAuth2',
    },
    remedy: {
      en: 'A provider is set up, and these users can still sign in with a password. Once a provider is bound, each of them can reject the password in the profile.',
      it: 'È configurato un provider, ma questi utenti possono ancora accedere con la password. Dopo aver collegato un provider, ognuno può rifiutare la password nel profilo.',
      zhCN: '已配置登录提供商，但这些用户仍可用密码登录。绑定提供商后，每个人都可以在个人资料中禁用密码登录。',
      zhTW: '已設定登入提供者，但這些使用者仍可用密碼登入。綁定提供者後，每個人都可以在個人資料中停用密碼登入。',
      de: 'Ein Anbieter ist eingerichtet, und diese Benutzer können sich weiterhin mit Passwort anmelden. Nach dem Verknüpfen lässt sich das Passwort im Profil ablehnen.',
    },
  },
  unbound_sessions: {
    title: {
      en: 'Sessions work from everywhere',
      it: 'Le sessioni valgono ovunque',
      zhCN: '会话在任何地方都可用',
      zhTW: '工作階段在任何地方都可用',
      de: 'Sitzungen gelten überall',
    },
    remedy: {
      en: 'Whoever copies the cookies of a browser can use its session from any network. In the settings, bind sessions to the network of the sign-in.',
      it: 'Chi copia i cookie di un browser può usarne la sessione da qualsiasi rete. Nelle impostazioni, lega le sessioni alla rete dell’accesso.',
      zhCN: '复制浏览器 Cookie 的人可以在任何网络使用该会话。请在设置中将会话限定在登录时的网络。',
      zhTW: '複製瀏覽器 Cookie 的人可以在任何網路使用該工作階段。請在設定中將工作階段限定在登入時的網路。',
      de: 'Wer die Cookies eines Browsers kopiert, kann seine Sitzung aus jedem Netz verwenden. In den Einstellungen lassen sich Sitzungen an das Netz der Anmeldung binden.',
    },
  },
  members_with_commands: {
    title: {
      en: 'Members who can run commands',
      it: 'Membri che possono eseguire comandi',
      zhCN: '可以执行命令的普通用户',
      zhTW: '可以執行命令的一般使用者',
      de: 'Mitglieder, die Befehle ausführen können',
    },
    remedy: {
      en: 'Members have terminals, files and tasks on the servers they own; the number is behind the name. Move a server to an administrator, or set disable_command_execute on its agent.',
      it: 'I membri hanno terminali, file e attività sui propri server; il numero è accanto al nome. Trasferisci il server a un amministratore oppure imposta disable_command_execute sull’agente.',
      zhCN: '普通用户可以在自己的服务器上使用终端、文件和任务，名称后为服务器数量。请将服务器转移给管理员，或在其 Agent 上启用 disable_command_execute。',
      zhTW: '一般使用者可以在自己的伺服器上使用終端機、檔案和任務，名稱後為伺服器數量。請將伺服器轉移給管理員，或在其 Agent 上啟用 disable_command_execute。',
      de: 'Mitglieder haben Terminals, Dateien und Aufgaben auf ihren Servern; die Anzahl steht hinter dem Namen. Server einem Administrator übertragen oder beim Agent disable_command_execute setzen.',
    },
  },
  agents_with_commands: {
    title: {
      en: 'Agents that accept commands',
      it: 'Agenti che accettano comandi',
      zhCN: '接受命令的 Agent',
      zhTW: '接受命令的 Agent',
      de: 'Agents, die Befehle annehmen',
    },
    remedy: {
      en: 'Whoever takes over this console has a shell there. Where neither terminal nor tasks are needed, set disable_command_execute on the machine itself.',
      it: 'Chi si impossessa di questa console ha una shell su quelle macchine. Dove non servono terminale e attività, imposta disable_command_execute sulla macchina stessa.',
      zhCN: '控制了此控制台的人也就拥有这些机器的终端。不需要终端和任务的机器，请在机器本身的配置中启用 disable_command_execute。',
      zhTW: '控制了此主控台的人也就擁有這些機器的終端機。不需要終端機和任務的機器，請在機器本身的設定中啟用 disable_command_execute。',
      de: 'Wer diese Konsole übernimmt, hat dort eine Shell. Wo weder Terminal noch Aufgaben gebraucht werden, auf dem Rechner selbst disable_command_execute setzen.',
    },
  },
  agents_with_nat: {
    title: {
      en: 'Agents that forward connections (NAT)',
      it: 'Agenti che inoltrano connessioni (NAT)',
      zhCN: '转发连接（NAT）的 Agent',
      zhTW: '轉送連線（NAT）的 Agent',
      de: 'Agents, die Verbindungen weiterleiten (NAT)',
    },
    remedy: {
      en: 'Through these agents the networks behind them can be reached. Set disable_nat where nothing is forwarded.',
      it: 'Attraverso questi agenti si raggiungono le reti dietro di loro. Imposta disable_nat dove non si inoltra nulla.',
      zhCN: '通过这些 Agent 可以访问其后的内部网络。不需要转发的机器请启用 disable_nat。',
      zhTW: '透過這些 Agent 可以存取其後的內部網路。不需要轉送的機器請啟用 disable_nat。',
      de: 'Über diese Agents sind die Netze dahinter erreichbar. Wo nichts weitergeleitet wird, disable_nat setzen.',
    },
  },
  risky_commands: {
    title: {
      en: 'Tasks that run fetched programs or change SSH keys',
      it: 'Attività che eseguono programmi scaricati o cambiano chiavi SSH',
      zhCN: '执行下载的程序或修改 SSH 密钥的任务',
      zhTW: '執行下載的程式或修改 SSH 金鑰的任務',
      de: 'Aufgaben, die geladene Programme ausführen oder SSH-Schlüssel ändern',
    },
    remedy: {
      en: 'Intruders keep their access with such commands. Open each task: if nobody knows it, delete it, look for what it did on its servers, and change all passwords. Programs that are needed belong on the machine, with a version that was checked.',
      it: 'Gli intrusi si garantiscono l’accesso con comandi simili. Apri ogni attività: se nessuno la riconosce, eliminala, cerca che cosa ha fatto sui suoi server e cambia tutte le password. I programmi necessari vanno installati sulla macchina in una versione verificata.',
      zhCN: '入侵者常用这类命令保留访问权限。请逐一打开任务：若无人认得，请删除它，检查它在服务器上做了什么，并更改所有密码。需要的程序应以核实过的版本安装在机器上。',
      zhTW: '入侵者常用這類命令保留存取權限。請逐一開啟任務：若無人認得，請刪除它，檢查它在伺服器上做了什麼，並變更所有密碼。需要的程式應以確認過的版本安裝在機器上。',
      de: 'Eindringlinge sichern sich mit solchen Befehlen den Zugang. Jede Aufgabe öffnen: kennt sie niemand, löschen, auf ihren Servern nach den Folgen suchen und alle Passwörter ändern. Benötigte Programme gehören in geprüfter Version auf den Rechner.',
    },
  },
  backups: {
    title: {
      en: 'Backups missing or failing',
      it: 'Backup mancanti o non riusciti',
      zhCN: '备份缺失或失败',
      zhTW: '備份缺少或失敗',
      de: 'Sicherungen fehlen oder schlagen fehl',
    },
    remedy: {
      en: 'Set BACKUP_DIR to a folder on another disk: the server then copies its database and history there every day, and checks the copies. Try a restore before you need one.',
      it: 'Imposta BACKUP_DIR su una cartella di un altro disco: il server vi copierà ogni giorno la banca dati e lo storico, verificando le copie. Prova un ripristino prima di averne bisogno.',
      zhCN: '请将 BACKUP_DIR 设为另一块磁盘上的目录：服务器会每天把数据库和历史数据备份到那里并校验。请在真正需要之前先试一次恢复。',
      zhTW: '請將 BACKUP_DIR 設為另一顆磁碟上的目錄：伺服器會每天把資料庫和歷史資料備份到那裡並驗證。請在真正需要之前先試一次還原。',
      de: 'BACKUP_DIR auf einen Ordner auf einer anderen Festplatte setzen: Dann kopiert der Server Datenbank und Verlauf täglich dorthin und prüft die Kopien. Eine Wiederherstellung ausprobieren, bevor sie gebraucht wird.',
    },
  },
  changed_tasks: {
    title: {
      en: 'Tasks changed in the last 7 days',
      it: 'Attività modificate negli ultimi 7 giorni',
      zhCN: '最近 7 天更改过的任务',
      zhTW: '最近 7 天變更過的任務',
      de: 'In den letzten 7 Tagen geänderte Aufgaben',
    },
    remedy: {
      en: 'Check that these changes were yours. Without an audit log, a change before the last run of a task cannot be seen.',
      it: 'Verifica che queste modifiche siano tue. Senza registro attività non si vede una modifica precedente all’ultima esecuzione.',
      zhCN: '请确认这些更改出自您或同事。没有审计日志时，无法看到任务上次执行之前的更改。',
      zhTW: '請確認這些變更出自您或同事。沒有稽核記錄時，無法看到任務上次執行之前的變更。',
      de: 'Stammen diese Änderungen aus den eigenen Reihen? Ohne Audit-Protokoll ist eine Änderung vor dem letzten Lauf nicht zu sehen.',
    },
  },
  unchecked_certificates: {
    title: {
      en: 'Notifiers that check no certificates',
      it: 'Canali di notifica che non verificano i certificati',
      zhCN: '不验证证书的通知方式',
      zhTW: '不驗證憑證的通知方式',
      de: 'Benachrichtigungskanäle ohne Zertifikatsprüfung',
    },
    remedy: {
      en: 'Anybody on the network path can read the messages and the tokens in them. Turn the check on, and give the receiver a valid certificate.',
      it: 'Chi si trova sul percorso può leggere i messaggi e i token che contengono. Attiva la verifica e dai al destinatario un certificato valido.',
      zhCN: '传输途中的人可以读取消息及其中的令牌。请启用证书验证，并为接收方配置有效证书。',
      zhTW: '傳輸途中的人可以讀取訊息及其中的權杖。請啟用憑證驗證，並為接收端設定有效憑證。',
      de: 'Unterwegs lassen sich die Nachrichten und die Tokens darin lesen. Die Prüfung einschalten und dem Empfänger ein gültiges Zertifikat geben.',
    },
  },
  private_targets: {
    title: {
      en: 'Members may call private addresses',
      it: 'I membri possono chiamare indirizzi privati',
      zhCN: '普通用户可以访问内网地址',
      zhTW: '一般使用者可以存取內部網路位址',
      de: 'Mitglieder dürfen private Adressen aufrufen',
    },
    remedy: {
      en: 'The server was started with ALLOW_PRIVATE_TARGETS: notifiers, services and webhooks of members reach the network behind it. Start it without, unless all members are trusted with that network.',
      it: 'Il server è stato avviato con ALLOW_PRIVATE_TARGETS: notifiche, servizi e webhook dei membri raggiungono la rete interna. Avvialo senza, a meno che tutti i membri possano accedere a quella rete.',
      zhCN: '服务器以 ALLOW_PRIVATE_TARGETS 启动：普通用户的通知、服务和 Webhook 可以访问其内网。除非信任所有用户，否则请去掉此设置。',
      zhTW: '伺服器以 ALLOW_PRIVATE_TARGETS 啟動：一般使用者的通知、服務和 Webhook 可以存取其內部網路。除非信任所有使用者，否則請移除此設定。',
      de: 'Der Server läuft mit ALLOW_PRIVATE_TARGETS: Benachrichtigungen, Dienste und Webhooks von Mitgliedern erreichen das Netz dahinter. Ohne diese Einstellung starten, solange nicht alle Mitglieder in dieses Netz dürfen.',
    },
  },
  default_admin_name: {
    title: {
      en: 'Default administrator name',
      it: 'Nome predefinito dell’amministratore',
      zhCN: '默认的管理员名称',
      zhTW: '預設的管理員名稱',
      de: 'Vorgegebener Administratorname',
    },
    remedy: {
      en: 'Password guesses begin with this name. Choose another one in the profile of that user.',
      it: 'I tentativi di indovinare la password iniziano da questo nome. Sceglierne un altro nel profilo di quell’utente.',
      zhCN: '密码猜测通常从这个名称开始。请在该用户的个人资料中换一个名称。',
      zhTW: '密碼猜測通常從這個名稱開始。請在該使用者的個人資料中換一個名稱。',
      de: 'Wer Passwörter errät, beginnt mit diesem Namen. Im Profil dieses Benutzers einen anderen wählen.',
    },
  },
  old_version: {
    title: {
      en: 'Known vulnerabilities of the server version',
      it: 'Vulnerabilità note della versione del server',
      zhCN: '服务器版本的已知漏洞',
      zhTW: '伺服器版本的已知漏洞',
      de: 'Bekannte Schwachstellen der Serverversion',
    },
    remedy: {
      en: 'Update the server to its latest release; the advisories say what each weakness allows.',
      it: 'Aggiorna il server all’ultima versione; gli avvisi spiegano che cosa permette ogni vulnerabilità.',
      zhCN: '请将服务器升级到最新版本；安全公告说明了每个漏洞的影响。',
      zhTW: '請將伺服器升級到最新版本；安全公告說明了每個漏洞的影響。',
      de: 'Den Server auf die neueste Version bringen; die Sicherheitshinweise sagen, was jede Schwachstelle erlaubt.',
    },
  },
  failed_sign_ins: {
    title: {
      en: 'Failed sign-ins of the last day',
      it: 'Accessi non riusciti nell’ultimo giorno',
      zhCN: '最近一天的登录失败',
      zhTW: '最近一天的登入失敗',
      de: 'Fehlgeschlagene Anmeldungen des letzten Tages',
    },
    remedy: {
      en: 'The number of failures is behind the address. Block addresses that nobody knows, and check that the settings name the right header for client addresses.',
      it: 'Accanto all’indirizzo c’è il numero di errori. Blocca gli indirizzi sconosciuti e verifica che nelle impostazioni sia indicato l’header giusto per gli indirizzi dei client.',
      zhCN: '地址后为失败次数。请封禁无人认得的地址，并确认设置中的真实 IP 请求头正确。',
      zhTW: '位址後為失敗次數。請封鎖無人認得的位址，並確認設定中的真實 IP 標頭正確。',
      de: 'Hinter der Adresse steht die Zahl der Fehlversuche. Unbekannte Adressen sperren und prüfen, ob die Einstellungen den richtigen Header für Client-Adressen nennen.',
    },
  },
} satisfies Texts
