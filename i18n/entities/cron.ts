import type { cron as entity } from '../../src/schemas/cron.ts'
import { entityTexts } from '../define/entityTexts.ts'

export const cron = entityTexts<typeof entity>({
  name: { en: 'Task', it: 'Attività |||| Attività', zhCN: '任务', zhTW: '任務', de: 'Aufgabe |||| Aufgaben' },
  menu: { en: 'Task', it: 'Attività', zhCN: '任务', zhTW: '任務', de: 'Aufgabe' },
  empty: {
    en: 'Tasks are commands that your servers run at set times or when an alert triggers them.',
    it: 'Le attività sono comandi che i tuoi server eseguono a orari stabiliti o quando un allarme le attiva.',
    zhCN: '任务是由您的服务器按计划或在告警触发时执行的命令。',
    zhTW: '任務是由您的伺服器依排程或在警報觸發時執行的命令。',
    de: 'Aufgaben sind Befehle, die die Server zu festen Zeiten oder bei einem Alarm ausführen.',
  },
  fields: {
    task_type: { en: 'Type', it: 'Tipo', zhCN: '类型', zhTW: '類型', de: 'Typ' },
    scheduler: {
      en: 'Cron expression',
      it: 'Espressione cron',
      zhCN: 'Cron 表达式',
      zhTW: 'Cron 運算式',
      de: 'Cron-Ausdruck',
    },
    command: { it: 'Comando', zhCN: '命令', zhTW: '命令', de: 'Befehl' },
    servers: {
      en: 'Specific servers',
      it: 'Server specifici',
      zhCN: '特定服务器',
      zhTW: '特定伺服器',
      de: 'Bestimmte Server',
    },
    push_successful: {
      en: 'Send success notification',
      it: 'Notifica anche il successo',
      zhCN: '推送成功通知',
      zhTW: '推送成功通知',
      de: 'Erfolg melden',
    },
    notification_group_id: {
      en: 'Notifier group',
      it: 'Gruppo di notifica',
      zhCN: '通知分组',
      zhTW: '通知群組',
      de: 'Benachrichtigungsgruppe',
    },
    cover: { en: 'Coverage', it: 'Copertura', zhCN: '覆盖范围', zhTW: '涵蓋範圍', de: 'Abdeckung' },
    last_executed_at: {
      en: 'Last execution',
      it: 'Ultima esecuzione',
      zhCN: '上次执行',
      zhTW: '上次執行',
      de: 'Letzte Ausführung',
    },
    last_result: { en: 'Result', it: 'Risultato', zhCN: '结果', zhTW: '結果', de: 'Ergebnis' },
    cron_job_id: { en: 'Job ID', it: 'ID del processo', zhCN: '作业 ID', zhTW: '作業 ID', de: 'Job-ID' },
  },
  help: {
    command: {
      en: 'Run by the shell of each server.',
      it: 'Eseguito dalla shell di ogni server.',
      zhCN: '由各服务器的 Shell 执行。',
      zhTW: '由各伺服器的 Shell 執行。',
      de: 'Wird von der Shell jedes Servers ausgeführt.',
    },
    push_successful: {
      en: 'Failures are always reported to the notifier group.',
      it: 'Gli errori vengono sempre segnalati al gruppo di notifica.',
      zhCN: '失败总会通知所选的通知分组。',
      zhTW: '失敗一律會通知所選的通知群組。',
      de: 'Fehlschläge werden der Benachrichtigungsgruppe immer gemeldet.',
    },
  },
  choices: {
    task_type: {
      scheduled: { it: 'Pianificata', zhCN: '计划任务', zhTW: '排程任務', de: 'Geplant' },
      trigger: { it: 'Attivata', zhCN: '触发任务', zhTW: '觸發任務', de: 'Ausgelöst' },
    },
    cover: {
      only: {
        en: 'Only specific',
        it: 'Solo quelli specifici',
        zhCN: '仅特定服务器',
        zhTW: '僅特定伺服器',
        de: 'Nur bestimmte',
      },
      all: {
        en: 'All except specific',
        it: 'Tutti tranne quelli specifici',
        zhCN: '除特定服务器外',
        zhTW: '特定伺服器以外',
        de: 'Alle außer bestimmten',
      },
      alarmed: {
        en: 'Only the alarmed server',
        it: 'Solo il server in allarme',
        zhCN: '仅触发告警的服务器',
        zhTW: '僅觸發警報的伺服器',
        de: 'Nur der Server im Alarm',
      },
    },
  },
  values: {
    succeeded: { en: 'Succeeded', it: 'Riuscita', zhCN: '成功', zhTW: '成功', de: 'Erfolgreich' },
    failed: { en: 'Failed', it: 'Non riuscita', zhCN: '失败', zhTW: '失敗', de: 'Fehlgeschlagen' },
    fields: {
      en: 'Second, minute, hour, day of month, month, day of week: 0 0 3 * * * is every day at 03:00:00.',
      it: 'Secondo, minuto, ora, giorno del mese, mese, giorno della settimana: 0 0 3 * * * è ogni giorno alle 03:00:00.',
      zhCN: '秒、分、时、日、月、星期：0 0 3 * * * 表示每天 03:00:00。',
      zhTW: '秒、分、時、日、月、星期：0 0 3 * * * 表示每天 03:00:00。',
      de: 'Sekunde, Minute, Stunde, Tag des Monats, Monat, Wochentag: 0 0 3 * * * ist täglich um 03:00:00.',
    },
    every: {
      en: 'Every %{duration}, counted from when the task is saved or the server starts',
      it: 'Ogni %{duration}, a partire dal salvataggio o dall’avvio del server',
      zhCN: '每 %{duration}，从保存任务或服务器启动时算起',
      zhTW: '每 %{duration}，從儲存任務或伺服器啟動時算起',
      de: 'Alle %{duration}, gezählt ab dem Speichern oder dem Start des Servers',
    },
    next_runs: {
      en: 'Next runs, local time in %{zone}',
      it: 'Prossime esecuzioni, ora di %{zone}',
      zhCN: '接下来的执行时间（%{zone}）',
      zhTW: '接下來的執行時間（%{zone}）',
      de: 'Nächste Ausführungen, Ortszeit %{zone}',
    },
    zone_of_server: {
      en: 'In the server’s time zone',
      it: 'Nel fuso orario del server',
      zhCN: '以服务器时区为准',
      zhTW: '以伺服器時區為準',
      de: 'In der Zeitzone des Servers',
    },
    no_run: {
      en: 'Does not run within the next five years.',
      it: 'Nessuna esecuzione nei prossimi cinque anni.',
      zhCN: '未来五年内不会执行。',
      zhTW: '未來五年內不會執行。',
      de: 'Läuft in den nächsten fünf Jahren nicht.',
    },
  },
  sections: {
    schedule: { it: 'Pianificazione', zhCN: '计划', zhTW: '排程', de: 'Zeitplan' },
    servers: { it: 'Server', zhCN: '服务器', zhTW: '伺服器', de: 'Server' },
    notices: { en: 'Notifications', it: 'Notifiche', zhCN: '通知', zhTW: '通知', de: 'Benachrichtigungen' },
  },
  actions: {
    results: { label: { en: 'Results', it: 'Risultati', zhCN: '结果', zhTW: '結果', de: 'Ergebnisse' } },
    run: {
      label: { en: 'Run now', it: 'Esegui ora', zhCN: '立即执行', zhTW: '立即執行', de: 'Jetzt ausführen' },
      done: {
        en: 'The task triggered successfully',
        it: 'Attività avviata correttamente',
        zhCN: '任务已成功触发',
        zhTW: '任務已成功觸發',
        de: 'Die Aufgabe wurde erfolgreich gestartet',
      },
    },
  },
})
