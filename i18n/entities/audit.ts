import type { audit as entity } from '../../src/schemas/audit.ts'
import { entityTexts } from '../define/entityTexts.ts'

/** The audit log of the embedded server. */
export const audit = entityTexts<typeof entity>({
  name: {
    en: 'Audit log |||| Audit log',
    it: 'Registro attività |||| Registro attività',
    zhCN: '审计日志',
    zhTW: '稽核記錄',
    de: 'Audit-Protokoll |||| Audit-Protokoll',
  },
  counted: {
    en: '%{smart_count} entry of the audit log |||| %{smart_count} entries of the audit log',
    it: '%{smart_count} voce del registro attività |||| %{smart_count} voci del registro attività',
    zhCN: '%{smart_count} 条审计日志',
    zhTW: '%{smart_count} 筆稽核記錄',
    de: '%{smart_count} Eintrag im Audit-Protokoll |||| %{smart_count} Einträge im Audit-Protokoll',
  },
  empty: {
    en: 'The audit log records what people did: sign-ins, terminals, files, users, tasks, settings and other changes.',
    it: 'Il registro annota ciò che è stato fatto: accessi, terminali, file, utenti, attività pianificate, impostazioni e altre modifiche.',
    zhCN: '这里记录人们做过的事：登录、终端、文件、用户、任务、设置及其他更改。',
    zhTW: '這裡記錄人們做過的事：登入、終端機、檔案、使用者、工作、設定及其他變更。',
    de: 'Hier steht, wer was getan hat: Anmeldungen, Terminals, Dateien, Benutzer, Aufgaben, Einstellungen und andere Änderungen.',
  },
  fields: {
    created_at: { en: 'Time', it: 'Data e ora', zhCN: '时间', zhTW: '時間', de: 'Zeit' },
    updated_at: { en: 'Time', it: 'Data e ora', zhCN: '时间', zhTW: '時間', de: 'Zeit' },
    at: { en: 'Time', it: 'Data e ora', zhCN: '时间', zhTW: '時間', de: 'Zeit' },
    action: { it: 'Azione', zhCN: '操作', zhTW: '操作', de: 'Aktion' },
    user_id: { en: 'User', it: 'Utente', zhCN: '用户', zhTW: '使用者', de: 'Benutzer' },
    username: { en: 'User', it: 'Utente', zhCN: '用户', zhTW: '使用者', de: 'Benutzer' },
    address: { en: 'IP', it: 'IP', zhCN: 'IP', zhTW: 'IP', de: 'IP' },
    target: { it: 'Oggetto', zhCN: '对象', zhTW: '對象', de: 'Objekt' },
    detail: { en: 'Details', it: 'Dettagli', zhCN: '详情', zhTW: '詳細資料', de: 'Einzelheiten' },
    unreadable: {
      en: 'Unreadable line',
      it: 'Riga illeggibile',
      zhCN: '无法读取的行',
      zhTW: '無法讀取的行',
      de: 'Unlesbare Zeile',
    },
  },
  values: {
    unreadable: {
      en: 'Unreadable line: %{text}',
      it: 'Riga illeggibile: %{text}',
      zhCN: '无法读取的行：%{text}',
      zhTW: '無法讀取的行：%{text}',
      de: 'Unlesbare Zeile: %{text}',
    },
  },
})
