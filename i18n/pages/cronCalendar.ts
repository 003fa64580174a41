import type { Texts } from '../define/text.ts'

/** The next 48 hours of all tasks. */
export const cronCalendar = {
  cron_calendar: {
    zone: {
      en: 'Times are those of the server, in %{zone}.',
      it: 'Gli orari sono quelli del server, in %{zone}.',
      zhCN: '时间为服务器所在时区（%{zone}）的时间。',
      zhTW: '時間為伺服器所在時區（%{zone}）的時間。',
      de: 'Die Zeiten sind die des Servers, in %{zone}.',
    },
    zone_unknown: {
      en: 'This server does not say its time zone. Times are computed for %{zone}, that of this browser; if the server is in another, its tasks run some hours earlier or later.',
      it: 'Questo server non comunica il suo fuso orario. Gli orari sono calcolati per %{zone}, quello di questo browser; se il server è in un altro fuso, le attività vengono eseguite alcune ore prima o dopo.',
      zhCN: '此服务器未提供时区。时间按此浏览器的时区（%{zone}）计算；如果服务器在其他时区，任务会提前或推后几小时执行。',
      zhTW: '此伺服器未提供時區。時間依此瀏覽器的時區（%{zone}）計算；如果伺服器在其他時區，任務會提早或延後幾小時執行。',
      de: 'Dieser Server nennt seine Zeitzone nicht. Die Zeiten gelten für %{zone}, die Zone dieses Browsers; steht der Server in einer anderen, laufen die Aufgaben einige Stunden früher oder später.',
    },
    now: { en: 'Now', it: 'Adesso', zhCN: '现在', zhTW: '現在', de: 'Jetzt' },
    nothing: {
      en: 'No task runs in the next 48 hours.',
      it: 'Nessuna attività verrà eseguita nelle prossime 48 ore.',
      zhCN: '未来 48 小时内没有任务要执行。',
      zhTW: '未來 48 小時內沒有任務要執行。',
      de: 'In den nächsten 48 Stunden läuft keine Aufgabe.',
    },
    runs: {
      en: '%{smart_count} run, at %{time} |||| %{smart_count} runs, next at %{time}',
      it: '%{smart_count} esecuzione: %{time} |||| %{smart_count} esecuzioni, la prossima: %{time}',
      zhCN: '%{smart_count} 次，下次 %{time}',
      zhTW: '%{smart_count} 次，下次 %{time}',
      de: '%{smart_count} Lauf: %{time} |||| %{smart_count} Läufe, nächster: %{time}',
    },
    many_runs: {
      en: 'More than %{count} runs, next at %{time}',
      it: 'Più di %{count} esecuzioni, la prossima: %{time}',
      zhCN: '超过 %{count} 次，下次 %{time}',
      zhTW: '超過 %{count} 次，下次 %{time}',
      de: 'Mehr als %{count} Läufe, nächster: %{time}',
    },
    overlapping: {
      en: '%{smart_count} overlap |||| %{smart_count} overlaps',
      it: '%{smart_count} sovrapposizione |||| %{smart_count} sovrapposizioni',
      zhCN: '重叠 %{smart_count} 次',
      zhTW: '重疊 %{smart_count} 次',
      de: '%{smart_count} Überschneidung |||| %{smart_count} Überschneidungen',
    },
    no_servers: {
      en: 'no server selected',
      it: 'nessun server selezionato',
      zhCN: '未选择服务器',
      zhTW: '未選擇伺服器',
      de: 'kein Server ausgewählt',
    },
    marks: {
      run: { en: 'Run', it: 'Esecuzione', zhCN: '执行', zhTW: '執行', de: 'Lauf' },
      band: {
        en: 'Runs in quick succession',
        it: 'Esecuzioni ravvicinate',
        zhCN: '频繁执行',
        zhTW: '頻繁執行',
        de: 'Läufe in dichter Folge',
      },
      overlap: { en: 'Overlap', it: 'Sovrapposizione', zhCN: '重叠', zhTW: '重疊', de: 'Überschneidung' },
    },
    overlaps: { en: 'Overlaps', it: 'Sovrapposizioni', zhCN: '重叠', zhTW: '重疊', de: 'Überschneidungen' },
    overlaps_hint: {
      en: 'Tasks that start on the same server in the same minute. Tasks that run more often than every half hour are not compared.',
      it: 'Attività avviate sullo stesso server nello stesso minuto. Quelle eseguite più spesso di ogni mezz’ora non vengono confrontate.',
      zhCN: '在同一台服务器上同一分钟启动的任务。执行间隔短于半小时的任务不参与比较。',
      zhTW: '在同一台伺服器上同一分鐘啟動的任務。執行間隔短於半小時的任務不列入比較。',
      de: 'Aufgaben, die in derselben Minute auf demselben Server starten. Was öfter als jede halbe Stunde läuft, wird nicht verglichen.',
    },
    no_overlaps: {
      en: 'There are none in the next 48 hours.',
      it: 'Nessuna nelle prossime 48 ore.',
      zhCN: '未来 48 小时内没有。',
      zhTW: '未來 48 小時內沒有。',
      de: 'In den nächsten 48 Stunden gibt es keine.',
    },
    not_drawn: {
      en: 'Not in the next 48 hours',
      it: 'Non nelle prossime 48 ore',
      zhCN: '不在未来 48 小时内',
      zhTW: '不在未來 48 小時內',
      de: 'Nicht in den nächsten 48 Stunden',
    },
    invalid: {
      en: 'The expression of %{smart_count} task cannot be read, so it never runs: |||| The expressions of %{smart_count} tasks cannot be read, so they never run:',
      it: 'L’espressione di %{smart_count} attività non è leggibile, quindi non viene mai eseguita: |||| Le espressioni di %{smart_count} attività non sono leggibili, quindi non vengono mai eseguite:',
      zhCN: '%{smart_count} 个任务的表达式无法识别，因此永远不会执行：',
      zhTW: '%{smart_count} 個任務的運算式無法辨識，因此永遠不會執行：',
      de: 'Der Ausdruck von %{smart_count} Aufgabe ist nicht lesbar; sie läuft nie: |||| Die Ausdrücke von %{smart_count} Aufgaben sind nicht lesbar; sie laufen nie:',
    },
    triggered: {
      en: '%{smart_count} task runs only when an alert triggers it. |||| %{smart_count} tasks run only when an alert triggers them.',
      it: '%{smart_count} attività viene eseguita solo quando un allarme la attiva. |||| %{smart_count} attività vengono eseguite solo quando un allarme le attiva.',
      zhCN: '另有 %{smart_count} 个任务仅在告警触发时执行。',
      zhTW: '另有 %{smart_count} 個任務僅在警報觸發時執行。',
      de: '%{smart_count} Aufgabe läuft nur, wenn ein Alarm sie auslöst. |||| %{smart_count} Aufgaben laufen nur, wenn ein Alarm sie auslöst.',
    },
  },
} satisfies Texts
