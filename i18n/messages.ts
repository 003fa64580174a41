import type { Language, Text } from './define/text.ts'
import type { Locale } from './locales.ts'

/** The messages that the embedded server sends by its notifiers. `%{name}` stands for a value. */
export const messageTexts = {
  test: {
    en: 'a test message',
    it: 'un messaggio di prova',
    zhCN: '这是一条测试消息',
    zhTW: '這是一則測試訊息',
    de: 'eine Testnachricht',
  },
  alarm_began: {
    en: '[Incident] %{server} %{rule}',
    it: '[Allarme] %{server} %{rule}',
    zhCN: '[告警] %{server} %{rule}',
    zhTW: '[警報] %{server} %{rule}',
    de: '[Alarm] %{server} %{rule}',
  },
  alarm_ended: {
    en: '[Resolved] %{server} %{rule}',
    it: '[Risolto] %{server} %{rule}',
    zhCN: '[恢复] %{server} %{rule}',
    zhTW: '[恢復] %{server} %{rule}',
    de: '[Behoben] %{server} %{rule}',
  },
  service_down: {
    en: '[Down] %{service}: %{problem}',
    it: '[Non attivo] %{service}: %{problem}',
    zhCN: '[故障] %{service}：%{problem}',
    zhTW: '[故障] %{service}：%{problem}',
    de: '[Ausfall] %{service}: %{problem}',
  },
  service_up: {
    en: '[Up] %{service} answers again',
    it: '[Attivo] %{service} risponde di nuovo',
    zhCN: '[恢复] %{service} 已恢复响应',
    zhTW: '[恢復] %{service} 已恢復回應',
    de: '[Erreichbar] %{service} antwortet wieder',
  },
  no_answer: { en: 'no answer', it: 'nessuna risposta', zhCN: '无响应', zhTW: '無回應', de: 'keine Antwort' },
  latency_above: {
    en: '[Latency] %{service}: %{delay} ms, more than %{bound} ms',
    it: '[Latenza] %{service}: %{delay} ms, più di %{bound} ms',
    zhCN: '[延迟] %{service}：%{delay} 毫秒，高于 %{bound} 毫秒',
    zhTW: '[延遲] %{service}：%{delay} 毫秒，高於 %{bound} 毫秒',
    de: '[Latenz] %{service}: %{delay} ms, mehr als %{bound} ms',
  },
  latency_below: {
    en: '[Latency] %{service}: %{delay} ms, less than %{bound} ms',
    it: '[Latenza] %{service}: %{delay} ms, meno di %{bound} ms',
    zhCN: '[延迟] %{service}：%{delay} 毫秒，低于 %{bound} 毫秒',
    zhTW: '[延遲] %{service}：%{delay} 毫秒，低於 %{bound} 毫秒',
    de: '[Latenz] %{service}: %{delay} ms, weniger als %{bound} ms',
  },
  latency_within: {
    en: '[Latency] %{service}: %{delay} ms, within its bounds again',
    it: '[Latenza] %{service}: %{delay} ms, di nuovo entro i limiti',
    zhCN: '[延迟] %{service}：%{delay} 毫秒，已恢复正常',
    zhTW: '[延遲] %{service}：%{delay} 毫秒，已恢復正常',
    de: '[Latenz] %{service}: %{delay} ms, wieder im erlaubten Bereich',
  },
  certificate_changed: {
    en: '[Certificate] %{service} has another one: by %{oldIssuer} until %{oldEnd} before, by %{issuer} until %{end} now',
    it: '[Certificato] %{service} ne ha un altro: prima di %{oldIssuer} fino al %{oldEnd}, ora di %{issuer} fino al %{end}',
    zhCN: '[证书] %{service} 的证书已更换：原由 %{oldIssuer} 签发，有效期至 %{oldEnd}；现由 %{issuer} 签发，有效期至 %{end}',
    zhTW: '[憑證] %{service} 的憑證已更換：原由 %{oldIssuer} 簽發，有效期至 %{oldEnd}；現由 %{issuer} 簽發，有效期至 %{end}',
    de: '[Zertifikat] %{service} hat ein anderes: vorher von %{oldIssuer} bis %{oldEnd}, jetzt von %{issuer} bis %{end}',
  },
  unknown_issuer: {
    en: 'an unknown issuer',
    it: 'un’autorità sconosciuta',
    zhCN: '未知机构',
    zhTW: '未知機構',
    de: 'einem unbekannten Aussteller',
  },
  certificate_ends: {
    en: '[Certificate] The one of %{service} runs out on %{end}',
    it: '[Certificato] Quello di %{service} scade il %{end}',
    zhCN: '[证书] %{service} 的证书将于 %{end} 到期',
    zhTW: '[憑證] %{service} 的憑證將於 %{end} 到期',
    de: '[Zertifikat] Das von %{service} läuft am %{end} ab',
  },
  certificate_ended: {
    en: '[Certificate] The one of %{service} has run out on %{end}',
    it: '[Certificato] Quello di %{service} è scaduto il %{end}',
    zhCN: '[证书] %{service} 的证书已于 %{end} 到期',
    zhTW: '[憑證] %{service} 的憑證已於 %{end} 到期',
    de: '[Zertifikat] Das von %{service} ist am %{end} abgelaufen',
  },
  seen_from: {
    en: '%{message} (seen from %{server})',
    it: '%{message} (visto da %{server})',
    zhCN: '%{message}（检测自 %{server}）',
    zhTW: '%{message}（檢測自 %{server}）',
    de: '%{message} (gesehen von %{server})',
  },
  seen_from_of: {
    en: '%{message} (seen from %{server}; down on %{down} of %{all} servers)',
    it: '%{message} (visto da %{server}; non attivo su %{down} server su %{all})',
    zhCN: '%{message}（检测自 %{server}；%{all} 台服务器中有 %{down} 台检测失败）',
    zhTW: '%{message}（檢測自 %{server}；%{all} 台伺服器中有 %{down} 台檢測失敗）',
    de: '%{message} (gesehen von %{server}; ausgefallen auf %{down} von %{all} Servern)',
  },
  this_console: {
    en: 'this console',
    it: 'questa console',
    zhCN: '本控制台',
    zhTW: '本控制台',
    de: 'dieser Konsole',
  },
  address_changed: {
    en: '[IP changed] %{server}: %{before} => %{after}',
    it: '[IP cambiato] %{server}: %{before} => %{after}',
    zhCN: '[IP 变更] %{server}：%{before} => %{after}',
    zhTW: '[IP 變更] %{server}：%{before} => %{after}',
    de: '[IP geändert] %{server}: %{before} => %{after}',
  },
  task_succeeded: {
    en: '[Task succeeded] %{task}: server %{server}',
    it: '[Attività riuscita] %{task}: server %{server}',
    zhCN: '[任务成功] %{task}：服务器 %{server}',
    zhTW: '[任務成功] %{task}：伺服器 %{server}',
    de: '[Aufgabe erfolgreich] %{task}: Server %{server}',
  },
  task_failed: {
    en: '[Task failed] %{task}: server %{server}: %{reason}',
    it: '[Attività fallita] %{task}: server %{server}: %{reason}',
    zhCN: '[任务失败] %{task}：服务器 %{server}：%{reason}',
    zhTW: '[任務失敗] %{task}：伺服器 %{server}：%{reason}',
    de: '[Aufgabe fehlgeschlagen] %{task}: Server %{server}: %{reason}',
  },
  task_took_too_long: {
    en: 'the command took too long',
    it: 'il comando ha impiegato troppo tempo',
    zhCN: '命令超时',
    zhTW: '命令逾時',
    de: 'Der Befehl hat zu lange gedauert',
  },
  task_not_started: {
    en: 'the command could not start',
    it: 'il comando non è partito',
    zhCN: '命令无法启动',
    zhTW: '命令無法啟動',
    de: 'Der Befehl konnte nicht starten',
  },
  task_without_result: {
    en: 'the command gave no result',
    it: 'il comando non ha dato un risultato',
    zhCN: '命令未返回结果',
    zhTW: '命令未傳回結果',
    de: 'Der Befehl hat kein Ergebnis geliefert',
  },
  task_was_killed: {
    en: 'the command was killed',
    it: 'il comando è stato terminato',
    zhCN: '命令被强制终止',
    zhTW: '命令遭強制終止',
    de: 'Der Befehl wurde abgebrochen',
  },
  task_ended_with: {
    en: 'the command ended with %{code}',
    it: 'il comando è terminato con il codice %{code}',
    zhCN: '命令退出码为 %{code}',
    zhTW: '命令結束代碼為 %{code}',
    de: 'Der Befehl endete mit %{code}',
  },
  task_offline: {
    en: '[Task failed] %{task}: server %{server} is offline and cannot execute the task',
    it: '[Attività fallita] %{task}: il server %{server} è offline e non può eseguire l’attività',
    zhCN: '[任务失败] %{task}：服务器 %{server} 离线，无法执行任务',
    zhTW: '[任務失敗] %{task}：伺服器 %{server} 離線，無法執行任務',
    de: '[Aufgabe fehlgeschlagen] %{task}: Der Server %{server} ist offline und kann die Aufgabe nicht ausführen',
  },
  task_many_offline: {
    en: '[Task failed] %{task}: %{count} servers are offline and cannot execute the task: %{servers} and %{more} more',
    it: '[Attività fallita] %{task}: %{count} server sono offline e non possono eseguire l’attività: %{servers} e altri %{more}',
    zhCN: '[任务失败] %{task}：%{count} 台服务器离线，无法执行任务：%{servers} 等，另有 %{more} 台',
    zhTW: '[任務失敗] %{task}：%{count} 台伺服器離線，無法執行任務：%{servers} 等，另有 %{more} 台',
    de: '[Aufgabe fehlgeschlagen] %{task}: %{count} Server sind offline und können die Aufgabe nicht ausführen: %{servers} und %{more} weitere',
  },
  window_began: {
    en: '[Maintenance] %{window} has begun, until %{end} (%{zone}): %{names}',
    it: '[Manutenzione] %{window} è iniziata, fino al %{end} (%{zone}): %{names}',
    zhCN: '[维护] %{window} 已开始，至 %{end}（%{zone}）：%{names}',
    zhTW: '[維護] %{window} 已開始，至 %{end}（%{zone}）：%{names}',
    de: '[Wartung] %{window} hat begonnen, bis %{end} (%{zone}): %{names}',
  },
  names_and_more: {
    en: '%{names} and %{more} more',
    it: '%{names} e altri %{more}',
    zhCN: '%{names} 等，另有 %{more} 个',
    zhTW: '%{names} 等，另有 %{more} 個',
    de: '%{names} und %{more} weitere',
  },
  window_ended: {
    en: '[Maintenance] %{window} has ended',
    it: '[Manutenzione] %{window} è terminata',
    zhCN: '[维护] %{window} 已结束',
    zhTW: '[維護] %{window} 已結束',
    de: '[Wartung] %{window} ist beendet',
  },
  restarted_after_error: {
    en: '[Restarted] Wheelhouse runs again: an error ended it, which is in %{file}',
    it: '[Riavviato] Wheelhouse è di nuovo attivo: l’ha terminato un errore, descritto in %{file}',
    zhCN: '[已重启] Wheelhouse 已恢复运行：此前因错误退出，详情见 %{file}',
    zhTW: '[已重新啟動] Wheelhouse 已恢復執行：先前因錯誤結束，詳情見 %{file}',
    de: '[Neu gestartet] Wheelhouse läuft wieder: Ein Fehler hatte es beendet, er steht in %{file}',
  },
  restarted_after_kill: {
    en: '[Restarted] Wheelhouse runs again: it was killed, or its machine ended',
    it: '[Riavviato] Wheelhouse è di nuovo attivo: era stato terminato, o si era spenta la macchina',
    zhCN: '[已重启] Wheelhouse 已恢复运行：此前进程被终止，或机器意外关机',
    zhTW: '[已重新啟動] Wheelhouse 已恢復執行：先前程序遭終止，或機器意外關機',
    de: '[Neu gestartet] Wheelhouse läuft wieder: Es wurde abgebrochen, oder die Maschine ist ausgefallen',
  },
} as const satisfies Readonly<Record<string, Text>>

export type MessageKey = keyof typeof messageTexts

/** The property of a `Text` that holds a language. */
export const languageOf: Readonly<Record<Locale, Language>> = {
  'en-US': 'en',
  it: 'it',
  'zh-CN': 'zhCN',
  'zh-TW': 'zhTW',
  'de-DE': 'de',
}

/** A message in a language, with its values in place. */
export const messageText = (
  locale: Locale,
  key: MessageKey,
  values: Readonly<Record<string, string | number>> = {},
): string =>
  messageTexts[key][languageOf[locale]].replace(/%\{(\w+)\}/g, (_whole, name: string) => String(values[name] ?? ''))
