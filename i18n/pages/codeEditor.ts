import type { Texts } from '../define/text.ts'

/** The code editor. */
export const codeEditor = {
  code: {
    find: { en: 'Find', it: 'Cerca', zhCN: '查找', zhTW: '尋找', de: 'Suchen' },
    replace_with: { en: 'Replace with', it: 'Sostituisci con', zhCN: '替换为', zhTW: '取代為', de: 'Ersetzen durch' },
    next: { en: 'Next', it: 'Successivo', zhCN: '下一个', zhTW: '下一個', de: 'Nächster' },
    previous: { en: 'Previous', it: 'Precedente', zhCN: '上一个', zhTW: '上一個', de: 'Vorheriger' },
    all: { en: 'All', it: 'Tutti', zhCN: '全部', zhTW: '全部', de: 'Alle' },
    match_case: {
      en: 'Match case',
      it: 'Maiuscole/minuscole',
      zhCN: '区分大小写',
      zhTW: '區分大小寫',
      de: 'Groß-/Kleinschreibung',
    },
    regexp: {
      en: 'Regular expression',
      it: 'Espressione regolare',
      zhCN: '正则表达式',
      zhTW: '正規表示式',
      de: 'Regulärer Ausdruck',
    },
    by_word: { en: 'Whole word', it: 'Parola intera', zhCN: '全字匹配', zhTW: '全字拼寫', de: 'Ganzes Wort' },
    replace: { en: 'Replace', it: 'Sostituisci', zhCN: '替换', zhTW: '取代', de: 'Ersetzen' },
    replace_all: {
      en: 'Replace all',
      it: 'Sostituisci tutto',
      zhCN: '全部替换',
      zhTW: '全部取代',
      de: 'Alle ersetzen',
    },
    go_to_line: { en: 'Go to line', it: 'Vai alla riga', zhCN: '转到行', zhTW: '前往行', de: 'Zu Zeile springen' },
    go: { en: 'Go', it: 'Vai', zhCN: '转到', zhTW: '前往', de: 'Springen' },
    current_match: {
      en: 'Current match',
      it: 'Corrispondenza attuale',
      zhCN: '当前匹配',
      zhTW: '目前符合項目',
      de: 'Aktueller Treffer',
    },
    on_line: { en: 'on line', it: 'alla riga', zhCN: '所在行', zhTW: '所在行', de: 'in Zeile' },
    replaced_line: {
      en: 'Replaced the match on line $',
      it: 'Sostituita la corrispondenza alla riga $',
      zhCN: '已替换第 $ 行的匹配项',
      zhTW: '已取代第 $ 行的符合項目',
      de: 'Treffer in Zeile $ ersetzt',
    },
    replaced_count: {
      en: 'Replaced $ matches',
      it: '$ corrispondenze sostituite',
      zhCN: '已替换 $ 处',
      zhTW: '已取代 $ 處',
      de: '$ Treffer ersetzt',
    },
    selection_deleted: {
      en: 'Selection deleted',
      it: 'Selezione eliminata',
      zhCN: '已删除所选内容',
      zhTW: '已刪除所選內容',
      de: 'Auswahl gelöscht',
    },
    control_character: {
      en: 'Control character',
      it: 'Carattere di controllo',
      zhCN: '控制字符',
      zhTW: '控制字元',
      de: 'Steuerzeichen',
    },
  },
} satisfies Texts
