import type { Texts } from '../define/text.ts'

const noGroup = {
  en: 'No notifier group is selected: nobody is notified.',
  it: 'Nessun gruppo di notifica scelto: nessuno viene avvisato.',
  zhCN: '未选择通知分组：不会通知任何人。',
  zhTW: '未選擇通知群組：不會通知任何人。',
  de: 'Keine Benachrichtigungsgruppe gewählt: Niemand wird benachrichtigt.',
}

const emptyGroup = {
  en: 'The selected notifier group has no notifiers: nobody is notified.',
  it: 'Il gruppo di notifica scelto non ha canali: nessuno viene avvisato.',
  zhCN: '所选通知分组中没有通知方式：不会通知任何人。',
  zhTW: '所選通知群組中沒有通知方式：不會通知任何人。',
  de: 'Die gewählte Benachrichtigungsgruppe hat keine Kanäle: Niemand wird benachrichtigt.',
}

/** Notes that forms show before they are saved, by entity: see `FormNote`. */
export const formNotes = {
  'maintenance-window': {
    notes: {
      nothing_covered: {
        en: 'Neither servers nor services are selected: the window does nothing.',
        it: 'Non sono scelti né server né servizi: la finestra non fa nulla.',
        zhCN: '未选择服务器或服务：此窗口不起作用。',
        zhTW: '未選擇伺服器或服務：此時段不起作用。',
        de: 'Weder Server noch Dienste gewählt: Das Fenster bewirkt nichts.',
      },
    },
  },
  'alert-rule': { notes: { no_group: noGroup, empty_group: emptyGroup } },
  cron: {
    notes: {
      empty_group: emptyGroup,
      no_command: {
        en: 'There is no command: the task does nothing.',
        it: 'Manca il comando: l’attività non fa nulla.',
        zhCN: '没有命令：此任务什么也不做。',
        zhTW: '沒有命令：此任務什麼也不做。',
        de: 'Es gibt keinen Befehl: Die Aufgabe tut nichts.',
      },
      no_servers: {
        en: 'No server is selected: the task runs nowhere.',
        it: 'Nessun server scelto: l’attività non viene eseguita da nessuna parte.',
        zhCN: '未选择服务器：此任务不会在任何地方执行。',
        zhTW: '未選擇伺服器：此任務不會在任何地方執行。',
        de: 'Kein Server gewählt: Die Aufgabe läuft nirgends.',
      },
    },
  },
  ddns: {
    notes: {
      no_family: {
        en: 'IPv4 and IPv6 are both off: no DNS record is ever updated.',
        it: 'IPv4 e IPv6 sono entrambi disattivati: nessun record DNS viene mai aggiornato.',
        zhCN: 'IPv4 和 IPv6 均未启用：不会更新任何 DNS 记录。',
        zhTW: 'IPv4 和 IPv6 均未啟用：不會更新任何 DNS 記錄。',
        de: 'IPv4 und IPv6 sind beide aus: Kein DNS-Eintrag wird je aktualisiert.',
      },
    },
  },
  notification: {
    notes: {
      no_mail: {
        en: 'This server does not send mail: only the server that comes with this console does.',
        it: 'Questo server non invia posta: lo fa solo il server fornito con questa console.',
        zhCN: '此服务器不能发送邮件：只有本控制台自带的服务器可以。',
        zhTW: '此伺服器無法傳送郵件：只有本控制台內建的伺服器可以。',
        de: 'Dieser Server verschickt keine Mail: Das kann nur der Server, der zu dieser Konsole gehört.',
      },
    },
  },
  'notification-group': {
    notes: {
      no_notifiers: {
        en: 'There are no notifiers in this group: what is sent to it reaches nobody.',
        it: 'In questo gruppo non ci sono canali: ciò che riceve non arriva a nessuno.',
        zhCN: '此分组中没有通知方式：发给它的通知不会送达任何人。',
        zhTW: '此群組中沒有通知方式：傳給它的通知不會送達任何人。',
        de: 'In dieser Gruppe sind keine Kanäle: Was an sie geht, erreicht niemanden.',
      },
      no_event_notifier: {
        en: 'No notifier in this group sends events as JSON: the chosen events reach nobody.',
        it: 'Nessun canale del gruppo invia eventi come JSON: gli eventi scelti non arrivano a nessuno.',
        zhCN: '此分组中没有以 JSON 发送事件的通知方式：所选事件不会送达任何人。',
        zhTW: '此群組中沒有以 JSON 傳送事件的通知方式：所選事件不會送達任何人。',
        de: 'Kein Kanal dieser Gruppe sendet Ereignisse als JSON: Die gewählten Ereignisse erreichen niemanden.',
      },
    },
  },
  'server-share': {
    notes: {
      no_users: {
        en: 'No member is selected: nobody sees more than before.',
        it: 'Nessun membro scelto: nessuno vede più di prima.',
        zhCN: '未选择成员：没有人能看到更多内容。',
        zhTW: '未選擇成員：沒有人能看到更多內容。',
        de: 'Kein Mitglied gewählt: Niemand sieht mehr als vorher.',
      },
      no_servers: {
        en: 'No server and no server group is selected: nothing is shared.',
        it: 'Nessun server e nessun gruppo di server scelto: non viene condiviso nulla.',
        zhCN: '未选择服务器或服务器分组：不会共享任何内容。',
        zhTW: '未選擇伺服器或伺服器群組：不會共用任何內容。',
        de: 'Kein Server und keine Servergruppe gewählt: Es wird nichts geteilt.',
      },
    },
  },
  service: {
    notes: {
      no_group: noGroup,
      empty_group: emptyGroup,
      notifications_off: {
        en: 'A notifier group is selected, but the failure notification is off: nobody is notified when the service is down.',
        it: 'È scelto un gruppo di notifica, ma la notifica di errore è disattivata: nessuno viene avvisato se il servizio non risponde.',
        zhCN: '已选择通知分组，但未开启故障通知：服务故障时不会通知任何人。',
        zhTW: '已選擇通知群組，但未開啟故障通知：服務故障時不會通知任何人。',
        de: 'Eine Benachrichtigungsgruppe ist gewählt, aber die Meldung bei Ausfall ist aus: Fällt der Dienst aus, erfährt es niemand.',
      },
    },
  },
  user: {
    notes: {
      sees_own: {
        en: 'A user sees only what is their own, and at first no server: one appears when its agent has the agent secret of their profile, or when somebody moves it to them. Notifiers, services, tasks and alert rules start empty too.',
        it: 'Un utente vede solo ciò che è suo, e all’inizio nessun server: ne compare uno quando il suo agent ha il segreto dell’agent del profilo dell’utente, o quando qualcuno glielo trasferisce. Anche canali di notifica, servizi, attività e regole partono vuoti.',
        zhCN: '普通用户只能看到自己的内容，起初没有任何服务器：当 Agent 使用其个人资料中的 Agent 密钥，或有人把服务器转移给该用户时，服务器才会出现。通知方式、服务、任务和告警规则起初也是空的。',
        zhTW: '一般使用者只能看到自己的內容，起初沒有任何伺服器：當 Agent 使用其個人資料中的 Agent 金鑰，或有人把伺服器轉移給該使用者時，伺服器才會出現。通知方式、服務、任務和警示規則起初也是空的。',
        de: 'Ein Benutzer sieht nur das Eigene und anfangs keinen Server: Einer erscheint, wenn sein Agent den Agent-Schlüssel aus dem Profil des Benutzers hat oder wenn ihn jemand an den Benutzer überträgt. Auch Kanäle, Dienste, Aufgaben und Alarmregeln sind anfangs leer.',
      },
      sees_shared: {
        en: 'Servers of others can be shared with them, read-only.',
        it: 'I server di altri possono essere condivisi con l’utente, in sola lettura.',
        zhCN: '其他人的服务器可以只读方式共享给该用户。',
        zhTW: '其他人的伺服器可以唯讀方式共用給該使用者。',
        de: 'Server anderer können mit dem Benutzer geteilt werden, nur zum Lesen.',
      },
      sees_everything: {
        en: 'An administrator sees and changes everything, runs commands on every server, and manages users.',
        it: 'Un amministratore vede e modifica tutto, esegue comandi su ogni server e gestisce gli utenti.',
        zhCN: '管理员可以查看和修改一切，在每台服务器上执行命令，并管理用户。',
        zhTW: '管理員可以檢視和修改一切，在每台伺服器上執行命令，並管理使用者。',
        de: 'Ein Administrator sieht und ändert alles, führt auf jedem Server Befehle aus und verwaltet Benutzer.',
      },
    },
  },
} satisfies Texts
