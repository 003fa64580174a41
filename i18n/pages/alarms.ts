import type { Texts } from '../define/text.ts'

/** Cells of the alarm history. */
export const alarms = {
  alarm: {
    running: { en: 'Running', it: 'In corso', zhCN: '进行中', zhTW: '進行中', de: 'Läuft' },
    recovered: { en: 'Recovered', it: 'Rientrato', zhCN: '已恢复', zhTW: '已恢復', de: 'Behoben' },
    withdrawn: { en: 'Withdrawn', it: 'Ritirato', zhCN: '已撤销', zhTW: '已撤銷', de: 'Zurückgezogen' },
    withdrawn_why: {
      en: 'The rule was changed, disabled or deleted, or the server was deleted, so it is not known whether it recovered.',
      it: 'La regola è stata modificata, disattivata o eliminata, oppure il server non c’è più: non si sa se sia rientrato.',
      zhCN: '规则已被修改、停用或删除，或服务器已不存在：无法得知是否已恢复。',
      zhTW: '規則已被修改、停用或刪除，或伺服器已不存在：無法得知是否已恢復。',
      de: 'Die Regel wurde geändert, deaktiviert oder gelöscht, oder den Server gibt es nicht mehr: Ob der Alarm behoben ist, ist nicht bekannt.',
    },
    silenced_maintenance: { en: 'Maintenance', it: 'Manutenzione', zhCN: '维护中', zhTW: '維護中', de: 'Wartung' },
    silenced_muted: { en: 'Muted', it: 'Silenziato', zhCN: '已静音', zhTW: '已靜音', de: 'Stumm' },
    above: {
      en: '%{what} %{value}, above %{bound}',
      it: '%{what} %{value}, sopra %{bound}',
      zhCN: '%{what} %{value}，高于 %{bound}',
      zhTW: '%{what} %{value}，高於 %{bound}',
      de: '%{what} %{value}, über %{bound}',
    },
    below: {
      en: '%{what} %{value}, below %{bound}',
      it: '%{what} %{value}, sotto %{bound}',
      zhCN: '%{what} %{value}，低于 %{bound}',
      zhTW: '%{what} %{value}，低於 %{bound}',
      de: '%{what} %{value}, unter %{bound}',
    },
  },
} satisfies Texts
